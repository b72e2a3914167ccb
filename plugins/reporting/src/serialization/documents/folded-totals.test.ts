// Goal: a printed statement shows each figure once, loses no line and no main total, and its sums still add up.
import { describe, expect, it } from 'vitest';
import { foldTotals } from './folded-totals.ts';
import { type LiveRow, liveStatement } from './live-rows.ts';
import type { ShownStatement, ShownSum } from './shown-statement.ts';
import { sumOfParts } from './stored-results.ts';
import { statementLines } from './text.ts';

type Line = readonly [concept: string, depth: number, ...values: (string | null)[]];

/** A statement of rows; a concept that starts with `=` is a total. */
function statementOf(lines: readonly Line[], sums?: readonly ShownSum[]): ShownStatement {
  const rows = lines.map(([name, depth, ...values]): LiveRow => {
    const concept = name.replace('=', '');
    return { concept: `rs-gaap:${concept}`, label: concept, depth, isTotal: name.startsWith('='), values };
  });
  const columns = (lines[0]?.slice(2) ?? []).map((_, index) => ({
    label: String(2025 - index),
    start: `${2025 - index}-01-01`,
    end: `${2025 - index}-12-31`,
  }));
  const live = liveStatement({ name: 'Statement', columns, isInstant: false }, rows);
  return sums === undefined ? live : { ...live, sums };
}

const printed = (statement: ShownStatement): readonly Line[] =>
  statement.rows.map(({ kind, label, depth, values }) => [`${kind === 'total' ? '=' : ''}${label}`, depth, ...values]);

describe('foldTotals', () => {
  it('leaves out a total of one line, which takes its place (reporting G-7a)', () => {
    const lines: readonly Line[] = [
      ['ContractRevenue', 1, '100', '90'],
      ['=Revenues', 0, '100.00', '90'],
      ['Cost', 1, '40', '30'],
      ['Freight', 1, '2', null],
      ['=CostOfRevenue', 0, '42', '30'],
      ['=GrossProfit', 0, '58', '60'],
    ];
    expect(printed(foldTotals(statementOf(lines)))).toEqual([['ContractRevenue', 0, '100', '90'], ...lines.slice(2)]);
  });

  it('leaves out a total that is a line with the opposite sign (reporting G-7a)', () => {
    const folded = foldTotals(
      statementOf([
        ['Sales', 0, '10'],
        ['InterestExpense', 1, '4.5'],
        ['=NonoperatingIncome', 0, '-4.50'],
        ['=NetIncomeLoss', 0, '5.5'],
      ]),
    );
    expect(printed(folded)).toEqual([
      ['Sales', 0, '10'],
      ['InterestExpense', 0, '4.5'],
      ['=NetIncomeLoss', 0, '5.5'],
    ]);
  });

  it.each([
    [['=IncomeFromContinuingOperations', '=ProfitLoss', '=NetIncomeLoss', '=AvailableToCommon'], '=NetIncomeLoss'],
    [['=ParentEquity', '=EquityWithMinorities'], '=ParentEquity'],
    [['=AssetsCurrent', '=Assets'], '=Assets'],
  ])('shows one of the equal totals %j (reporting G-7a)', (names, shown) => {
    const lines: readonly Line[] = [
      ['A', 1, '7', '1'],
      ['B', 1, '3', '2'],
      ...names.map((name): Line => [name, 0, '10', '3']),
    ];
    expect(printed(foldTotals(statementOf(lines)))).toEqual([...lines.slice(0, 2), [shown, 0, '10', '3']]);
  });

  it('shows a total that differs in one column, and a main total of one line (reporting G-7a)', () => {
    const differing: readonly Line[] = [
      ['A', 1, '7', '1'],
      ['B', 1, '3', '2'],
      ['=X', 0, '10', '3'],
      ['=Y', 0, '10', null],
      ['=Z', 0, '10', '4'],
    ];
    expect(printed(foldTotals(statementOf(differing)))).toEqual(differing);
    const cash: readonly Line[] = [
      ['Cash', 2, '5'],
      ['=AssetsCurrent', 1, '5'],
      ['=Assets', 0, '5'],
    ];
    expect(printed(foldTotals(statementOf(cash)))).toEqual([
      ['Cash', 1, '5'],
      ['=Assets', 0, '5'],
    ]);
  });

  it('keeps the sums of the totals that are shown (reporting G-7)', () => {
    const sum = (total: number, ...parts: (readonly [number, number])[]): ShownSum => ({
      total,
      parts: parts.map(([row, factor]) => ({ row, factor })),
      direct: [],
    });
    const folded = foldTotals(
      statementOf(
        [
          ['Sales', 1, '10'],
          ['=Revenues', 0, '10'],
          ['InterestExpense', 1, '4'],
          ['=NonoperatingIncome', 0, '-4'],
          ['=ContinuingOperations', 0, '6'],
          ['=NetIncomeLoss', 0, '6'],
        ],
        [sum(1, [0, 1]), sum(3, [2, -1]), sum(4, [1, 1], [3, 1]), sum(5, [4, 1])],
      ),
    );
    expect(printed(folded).map(([name]) => name)).toEqual(['Sales', 'InterestExpense', '=NetIncomeLoss']);
    expect(folded.sums).toEqual([sum(2, [0, 1], [1, -1])]);
    expect(folded.sums.map((each) => sumOfParts(folded, each, 0))).toEqual(['6']);
  });
});

describe('statementLines', () => {
  it('continues a long label in the next line and never cuts it (reporting G-7a)', () => {
    const label = `Revenue ${'from contracts with customers '.repeat(5)}and others`;
    const statement = statementOf([['A', 1, '-1234.5', null]]);
    const rows = statement.rows.map((row) => ({ ...row, label }));
    const lines = statementLines({ ...statement, rows }, { digits: 0, prefix: '' });
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    const text = lines.slice(2).join(' ').replaceAll(/\s+/g, ' ').trim();
    expect(text).toBe(`${label.trim()} (1,234.5)`);
  });

  it('writes no control character of a label (reporting G-7)', () => {
    const statement = statementOf([['A', 0, '1']]);
    const rows = statement.rows.map((row) => ({ ...row, label: 'Cash\u001b[2J\u0007\r\nbox' }));
    expect(statementLines({ ...statement, rows }, { digits: 0, prefix: '' }).join('')).toMatch(/^[^\p{Cc}]*$/u);
  });
});
