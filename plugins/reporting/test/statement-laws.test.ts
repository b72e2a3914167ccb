/** @module-tag sessions */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeStatement } from '../src/statements/statement.ts';
import type { MappedAmount } from '../src/statements/statement-lines.ts';
import { concept, mappableConcepts, shippedLayout, shippedStyles } from './shipped-statements.ts';

const months = 3;
const traitsOfIncome = new Set(['revenue', 'gain', 'expense', 'loss']);

interface Entry {
  readonly debit: string;
  readonly credit: string;
  readonly month: number;
  readonly amount: bigint;
}

/** Generates balanced books: every entry debits one concept and credits another. */
function entriesOf(names: readonly string[]) {
  return fc.array(
    fc.record<Entry>({
      debit: fc.constantFrom(...names),
      credit: fc.constantFrom(...names),
      month: fc.integer({ min: 0, max: months - 1 }),
      amount: fc.bigInt({ min: 1n, max: 10n ** 15n }),
    }),
    { maxLength: 40 },
  );
}

function columnsOf(entries: readonly Entry[]) {
  const legs = entries.flatMap(({ debit, credit, month, amount }) => [
    { name: debit, month, amount },
    { name: credit, month, amount: -amount },
  ]);
  const sum = (amounts: readonly { readonly amount: bigint }[]) =>
    amounts.reduce((total, each) => total + each.amount, 0n);
  return Array.from({ length: months }, (_, month) => ({
    label: `Month ${month}`,
    unmapped: [],
    mapped: [...new Set(legs.map(({ name }) => name))].map((name): MappedAmount => {
      const own = legs.filter((leg) => leg.name === name);
      return {
        concept: concept(name),
        cumulative: sum(own.filter((leg) => leg.month <= month)),
        movement: sum(own.filter((leg) => leg.month === month)),
      };
    }),
  }));
}

describe.each(shippedStyles.map(({ code }) => code))('statements of arbitrary books in the style %s', (code) => {
  const layout = shippedLayout(code);
  const names = mappableConcepts(layout);

  it('show every amount, balance and foot (reporting S-36)', () => {
    fc.assert(
      fc.property(entriesOf(names), (entries) => {
        const columns = columnsOf(entries);
        const sheet = makeStatement('balance_sheet', layout, columns, String);
        const income = makeStatement('income_statement', layout, columns, String);
        expect(sheet.validation.failures).toEqual([]);
        expect(income.validation.failures).toEqual([]);
        for (const values of sheet.columns) {
          expect(values.get('rs-gaap:Assets') ?? 0n).toBe(values.get('rs-gaap:LiabilitiesAndStockholdersEquity') ?? 0n);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('compute each total from its weighted parts (reporting S-18)', () => {
    const lines = [...layout.balanceSheet, ...layout.incomeStatement];
    fc.assert(
      fc.property(entriesOf(names), (entries) => {
        const columns = columnsOf(entries);
        for (const kind of ['balance_sheet', 'income_statement'] as const) {
          for (const values of makeStatement(kind, layout, columns, String).columns) {
            for (const line of lines.filter(({ qname, calculation }) => calculation.length > 0 && values.has(qname))) {
              const parts = line.calculation.map((part) => (values.get(part.qname) ?? 0n) * BigInt(part.weight));
              expect(parts.reduce((total, part) => total + part, 0n)).toBe(values.get(line.qname));
            }
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('add a total’s own amount to its parts, report it and still balance (reporting S-32)', () => {
    // This line is above net income: net income does not include an amount posted to it, so a finding reports it.
    const aboveNetIncome = 'rs-gaap:NetIncomeLossAvailableToCommonStockholdersBasic';
    const totals = [...layout.balanceSheet, ...layout.incomeStatement]
      .filter(({ calculation, isAbstract }) => calculation.length > 0 && !isAbstract)
      .filter(({ qname }) => qname !== aboveNetIncome)
      .map(({ qname }) => qname.replace('rs-gaap:', ''));
    fc.assert(
      fc.property(entriesOf([...names, ...totals]), (entries) => {
        const columns = columnsOf(entries);
        for (const kind of ['balance_sheet', 'income_statement'] as const) {
          const lines = kind === 'balance_sheet' ? layout.balanceSheet : layout.incomeStatement;
          const statement = makeStatement(kind, layout, columns, String);
          expect(statement.validation.failures).toEqual([]);
          for (const [index, values] of statement.columns.entries()) {
            for (const line of lines.filter(({ calculation }) => calculation.length > 0)) {
              const own = columns[index]?.mapped.find((amount) => amount.concept.qname === line.qname);
              const amount = (kind === 'balance_sheet' ? own?.cumulative : own?.movement) ?? 0n;
              const direct = line.balance === 'credit' ? -amount : amount;
              const parts = line.calculation.map((part) => (values.get(part.qname) ?? 0n) * BigInt(part.weight));
              expect(values.get(line.qname) ?? 0n).toBe(parts.reduce((total, part) => total + part, direct));
            }
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('change the earnings line by net income in the absence of owner transactions (reporting S-7, ledger L-160)', () => {
    const operating = names.filter((name) => {
      const { period, trait, qname } = concept(name);
      if (period === 'instant') return layout.leafOf(qname)?.qname !== layout.earningsHome;
      return traitsOfIncome.has(trait ?? '');
    });
    fc.assert(
      fc.property(entriesOf(operating), (entries) => {
        const columns = columnsOf(entries);
        const sheet = makeStatement('balance_sheet', layout, columns, String).columns;
        const income = makeStatement('income_statement', layout, columns, String).columns;
        for (let month = 0; month < months; month += 1) {
          const before = sheet[month - 1]?.get(layout.earningsHome) ?? 0n;
          const change = (sheet[month]?.get(layout.earningsHome) ?? 0n) - before;
          expect(change).toBe(income[month]?.get('rs-gaap:NetIncomeLoss') ?? 0n);
        }
      }),
      { numRuns: 60 },
    );
  });
});
