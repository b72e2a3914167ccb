import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Books, flowStatement } from './flow-books.ts';
import { accountsOf, entriesOf, failuresExceptUnmapped, months } from './random-books.ts';
import { shippedLayout } from './shipped-statements.ts';

const books = process.env['PACIOLI_TEST_FULL_RUN'] === '1' ? 25 : 10;
const netChange =
  'rs-gaap:CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseIncludingExchangeRateEffect';

describe.each([
  'BSC-CORP-IS02-CF1',
  'BSC-PART-IS02-CF1',
  'BSC-LLC-IS02-CF1',
  'BSU-CORP-IS02-CF1',
  'BSD-CORP-IS03-CF1',
  'BSC-CORP-IS02-CF2',
])('flows of arbitrary books in the style %s', (code) => {
  const layout = shippedLayout(code);
  const accounts = accountsOf(layout);
  const cash = new Set(['CashAndCashEquivalentsAtCarryingValue', 'RestrictedCashCurrent', 'RestrictedCashNoncurrent']);

  it('tie to the change in cash and to equity, month by month and over the quarter (reporting S-12, S-16b, S-36)', () => {
    fc.assert(
      fc.property(entriesOf(accounts), (entries) => {
        const ledger: Books = { layout, accounts, entries };
        const byMonth = Array.from({ length: months }, (_, month) => {
          const statement = flowStatement('cash_flow_statement', ledger, [month, month]);
          const change = entries
            .filter((entry) => entry.month === month)
            .flatMap(({ lines }) => lines.filter(({ account }) => cash.has(account)))
            .reduce((total, { amount }) => total + amount, 0n);
          expect(statement.columns[0]?.get(netChange) ?? 0n).toBe(change);
          expect(failuresExceptUnmapped(statement.validation.failures)).toEqual([]);
          return statement;
        });
        const quarter = flowStatement('cash_flow_statement', ledger, [0, months - 1]);
        for (const [qname, value] of quarter.columns[0] ?? []) {
          if (qname.endsWith(':CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents')) continue;
          expect(
            byMonth.reduce((total, each) => total + (each.columns[0]?.get(qname) ?? 0n), 0n),
            qname,
          ).toBe(value);
        }
        const equity = [0, 1, 2].map((month) => flowStatement('equity_statement', ledger, [month, month]));
        for (const { validation } of equity) expect(failuresExceptUnmapped(validation.failures)).toEqual([]);
        for (const [index, { rows }] of equity.entries()) {
          expect(rows[0]?.values[0]).toBe(index === 0 ? 0n : equity[index - 1]?.rows.at(-1)?.values[0]);
        }
      }),
      { numRuns: books },
    );
  });
});

describe('the direct cash flow of arbitrary books', () => {
  const [direct, indirect] = [shippedLayout('BSC-CORP-IS02-CF2'), shippedLayout('BSC-CORP-IS02-CF1')];
  const accounts = accountsOf(direct);

  it('has the section totals of the indirect one (reporting S-17)', () => {
    const totals = ['Operating', 'Investing', 'Financing'].map(
      (section) => `rs-gaap:NetCashProvidedByUsedIn${section}Activities`,
    );
    fc.assert(
      fc.property(entriesOf(accounts), (entries) => {
        const [one, other] = [direct, indirect].map((layout) => {
          const statement = flowStatement('cash_flow_statement', { layout, accounts, entries }, [0, months - 1]);
          return totals.map((total) => statement.columns[0]?.get(total) ?? 0n);
        });
        expect(one).toEqual(other);
      }),
      { numRuns: books },
    );
  });
});
