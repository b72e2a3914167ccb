import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BookAccount, type BookEntry, type BookLine, type Books, flowStatement } from './flow-books.ts';
import { mappableConcepts, shippedLayout } from './shipped-statements.ts';

const months = 3;
const books = process.env['PACIOLI_TEST_FULL_RUN'] === '1' ? 60 : 10;
const netChange =
  'rs-gaap:CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseIncludingExchangeRateEffect';

/** Lines of the cash flow that entries name; the first is an operating one. */
const tags = [
  'IncreaseDecreaseInAccountsReceivable',
  'PaymentsToAcquirePropertyPlantAndEquipment',
  'PaymentsOfDebtIssuanceCosts',
  'ProceedsFromStockOptionsExercised',
  'PaymentsForProceedsFromOtherInvestingActivities',
];

/** Concepts that entries use more often than others: cash, non-cash items and what they are booked against. */
const frequent = [
  'CashAndCashEquivalentsAtCarryingValue',
  'RestrictedCashCurrent',
  'AccountsReceivableNetCurrent',
  'AccountsPayableCurrent',
  'PropertyPlantAndEquipmentGross',
  'AccumulatedDepreciationDepletionAndAmortizationPropertyPlantAndEquipment',
  'LongTermDebtNoncurrent',
  'DepreciationDepletionAndAmortization',
  'GainLossOnDispositionOfAssets',
  'ProvisionForDoubtfulAccounts',
  'AllocatedShareBasedCompensationExpense',
  'PaymentsOfDividends',
  'ProfessionalFees',
];

interface DrawnLine {
  readonly account: number;
  readonly amount: bigint;
  readonly tag: string | undefined;
}

/** Accounts of every concept that the style shows, and one without a concept. */
function accountsOf(layout: Books['layout']): readonly BookAccount[] {
  const concepts = [
    ...new Set([...frequent, ...mappableConcepts(layout), 'PaymentsOfDividends', 'DividendsPayableCurrent']),
  ];
  return [...concepts.map((concept) => ({ id: concept, concept })), { id: 'unmapped' }];
}

/** Entries of two to six lines; the last line makes each of them balance. */
function entriesOf(accounts: readonly BookAccount[]) {
  const line = fc.record<DrawnLine>({
    account: fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 0, max: frequent.length - 1 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: accounts.length - 1 }) },
    ),
    amount: fc.bigInt({ min: -(10n ** 6n), max: 10n ** 6n }),
    tag: fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...tags) }),
  });
  const entry = fc
    .record({ month: fc.integer({ min: 0, max: months - 1 }), lines: fc.array(line, { minLength: 2, maxLength: 6 }) })
    .map(({ month, lines }): BookEntry => {
      const rest = lines.slice(1).reduce((total, { amount }) => total - amount, 0n);
      return { month, lines: lines.map((each, index) => bookLine(accounts, each, index === 0 ? rest : each.amount)) };
    });
  return fc.array(entry, { minLength: 1, maxLength: 8 });
}

function bookLine(accounts: readonly BookAccount[], { account, tag }: DrawnLine, amount: bigint): BookLine {
  return { account: accounts[account]?.id ?? 'unmapped', amount, tag };
}

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

function failuresExceptUnmapped(failures: readonly string[]): readonly string[] {
  return failures.filter((text) => !text.includes('unmapped account(s)'));
}

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
