import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeStatements } from '../src/statement-facts/compose-statements.ts';
import { shownValues } from '../src/statement-facts/index.ts';
import { isFlowStatement, makeFlowStatement, makeStatement, statementKinds } from '../src/statements/index.ts';
import { type Books, flowColumn } from './flow-books.ts';
import { accountsOf, entriesOf, failuresExceptUnmapped, months } from './random-books.ts';
import { shippedLayout, shippedStyle } from './shipped-statements.ts';

const books = process.env['PACIOLI_TEST_FULL_RUN'] === '1' ? 5 : 3;

const windows = [
  { start: '2026-03-01', end: '2026-03-31', label: 'March', months: [2, 2] },
  { start: '2026-02-01', end: '2026-02-28', label: 'February', months: [1, 1] },
  { start: '2026-01-01', end: '2026-03-31', label: 'Quarter', months: [0, months - 1] },
] as const;

/** The statements of books in memory as a report and as the live view make them. */
function statementsOf(ledger: Books, code: string) {
  const { layout } = ledger;
  const flows = windows.map((window) => ({
    ...flowColumn(ledger, window.months),
    label: window.label,
    window,
    accounts: [],
    clearingEntryIds: new Set<string>(),
  }));
  const source = { style: shippedStyle(code), layout, columns: flows, currency: 'USD', unmappedCount: 0 };
  const composed = composeStatements(source, windows, flows);
  const live = statementKinds.map((kind) => ({
    kind,
    columns: flows.map((column) =>
      isFlowStatement(kind)
        ? makeFlowStatement(kind, layout, [column], String)
        : makeStatement(kind, layout, [column], String),
    ),
  }));
  return { composed, live };
}

describe.each([
  'BSC-CORP-IS02-CF1',
  'BSC-CORP-IS01-CF1',
  'BSC-PART-IS02-CF1',
  'BSC-LLC-IS02-CF1',
  'BSU-CORP-IS02-CF1',
  'BSD-CORP-IS03-CF1',
  'BSC-CORP-IS02-CF2',
])('reports on arbitrary books in the style %s', (code) => {
  const layout = shippedLayout(code);
  const accounts = accountsOf(layout);

  it('show the numbers of the live view, with one value for each concept (reporting V-4, F-7)', () => {
    fc.assert(
      fc.property(entriesOf(accounts), (entries) => {
        const { composed, live } = statementsOf({ layout, accounts, entries }, code);
        const known = new Map<string, string | null>();
        for (const { facts, validation } of composed.statements) {
          expect(failuresExceptUnmapped(validation.failures).filter((text) => text.includes('one_value'))).toEqual([]);
          const keys = facts.map((fact) => `${fact.elementId} ${fact.periodStart} ${fact.periodEnd}`);
          expect(new Set(keys).size).toBe(keys.length);
          for (const [index, { value }] of facts.entries()) {
            const key = keys[index] ?? '';
            expect(value).toBe(known.get(key) ?? value);
            known.set(key, value);
          }
        }
        for (const { kind, columns } of live) {
          const statement = composed.statements.find(({ structure }) => structure.blockType === kind);
          if (statement === undefined) throw new Error(`The report has no ${kind}.`);
          const shown = shownValues(statement.facts);
          for (const [index, { rows }] of columns.entries()) {
            const window = windows[index];
            if (window === undefined) throw new Error('There are more columns than windows.');
            const amounts = statement.rows.flatMap((row) => {
              const value = shown(row, window);
              return value === null || value === 0 ? [] : [[row.qname, row.name, value]];
            });
            const expected = rows.flatMap(({ line, values: [value] }) =>
              value == null || value === 0n ? [] : [[line.qname, line.label, Number(value) / 100]],
            );
            // A roll-forward of a part of equity shows all equity in every column if one has more of it.
            const plain = (list: readonly (readonly unknown[])[]) =>
              kind === 'equity_statement' ? list.map((row) => row.at(-1)) : list;
            expect(plain(amounts), `${kind} ${window.label}`).toEqual(plain(expected));
          }
        }
      }),
      { numRuns: books },
    );
  });
});
