import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsv } from '../values/csv.ts';
import { checkFrameworks, countFrameworks } from './check-framework.ts';
import { type FrameworkFiles, parseFrameworks } from './framework.ts';
import { readFrameworkFiles, readShippedFrameworks } from './framework-files.ts';

const shipped = readFrameworkFiles();
const problemsWith = (changed: Partial<FrameworkFiles>) =>
  checkFrameworks(parseFrameworks({ ...shipped, ...changed })).join('\n');

describe('shipped frameworks', () => {
  it('ships frameworks without contradictions (taxonomy LB-3)', () => {
    expect(checkFrameworks(readShippedFrameworks())).toEqual([]);
  });

  it('ships the row counts that the specification states', () => {
    expect(countFrameworks(readShippedFrameworks())).toEqual({
      elements: 581,
      monetary: 505,
      abstract: 52,
      other: 24,
      name_verified: 488,
      balance_checked: 310,
      monetary_balance_unchecked: 195,
      structures: 60,
      statements: 15,
      disclosures: 45,
      presentation: 1092,
      calculation: 914,
      rollforward: 60,
      fac: 111,
      identities: 30,
      imputation: 50,
      crosswalk: 113,
      trait_categories: 26,
      traits: 102,
      synonyms: 1188,
      styles: 7,
      derivations: 140,
      noncash_items: 20,
      equity_changes: 13,
      metrics: 10,
      drivers: 4,
      fallback: 13,
    });
  });
});

describe('checkFrameworks', () => {
  const calculation = 'us-gaap/calculation.csv';
  const presentation = 'us-gaap/presentation.csv';

  it('reports an arc end that no element file defines', () => {
    const text = `${shipped[presentation]}BS-classified,AssetsCurrent,NoSuchConcept,900\n`;
    expect(problemsWith({ [presentation]: text })).toContain('rs-gaap:NoSuchConcept is used but not defined');
  });

  it('rejects a weight that contradicts the balance sides (taxonomy T-41)', () => {
    const text = shipped[calculation].replace(
      'BS-classified,Assets,AssetsCurrent,+1',
      'BS-classified,Assets,AssetsCurrent,-1',
    );
    expect(problemsWith({ [calculation]: text })).toContain('contradicts the sides');
  });

  it('rejects a weight other than one', () => {
    const text = shipped[calculation].replace(
      'BS-classified,Assets,AssetsCurrent,+1',
      'BS-classified,Assets,AssetsCurrent,+2',
    );
    expect(problemsWith({ [calculation]: text })).toContain('has the weight 2');
  });

  it('reports the path of a cycle', () => {
    const text = `${shipped[calculation]}BS-classified,AssetsCurrent,Assets,+1,900\n`;
    expect(problemsWith({ [calculation]: text })).toContain('rs-gaap:Assets → rs-gaap:AssetsCurrent → rs-gaap:Assets');
  });

  it('rejects a repeated element and a repeated arc', () => {
    const elements = `${shipped['us-gaap/elements.csv']}Assets,Again,monetary,debit,instant,false,metric,,,y,y,n\n`;
    const arcs = `${shipped[presentation]}BS-classified,Assets,AssetsCurrent,900\n`;
    expect(problemsWith({ 'us-gaap/elements.csv': elements })).toContain('The element rs-gaap:Assets occurs twice');
    expect(problemsWith({ [presentation]: arcs })).toContain('The presentation arc BS-classified');
  });

  it('rejects a structure with a second root', () => {
    const text = `${shipped[presentation]}BS-classified,OtherReceivablesNetCurrent,IncomeTaxesReceivable,10\n`;
    expect(problemsWith({ [presentation]: text })).toContain('must have one root and has 2');
  });

  it('rejects a formula with an unknown name', () => {
    const text = `${shipped['fac/imputation.csv']}51,Assets,Riches,Riches + 1\n`;
    expect(problemsWith({ 'fac/imputation.csv': text })).toContain('imputation 51 uses Riches');
  });

  it.each([
    ['an unknown concept', 'Riches / Assets', 'uses rs-gaap:Riches, which is not defined'],
    ['a metric below it', 'Later / Assets', 'uses rs-metric:Later, which does not stand above it'],
    ['itself', 'New + Assets', 'uses rs-metric:New, which does not stand above it'],
    ['the average of a movement', 'avg(Revenues) / Assets', 'averages rs-gaap:Revenues, which is no balance'],
  ])('rejects a metric that is computed from %s (reporting M-2)', (_title, formula, message) => {
    const later = 'Later,Later,ratio,,instant,Assets / Liabilities';
    const text = `${shipped['us-gaap/metrics.csv']}New,New,ratio,,instant,${formula}\n${later}\n`;
    expect(problemsWith({ 'us-gaap/metrics.csv': text })).toBe(`The metric rs-metric:New ${message}.`);
  });

  it.each([
    ['uses an unknown concept', 'Riches * New', 'uses rs-gaap:Riches, which is not defined'],
    ['is not in its formula', 'Assets[t-1]', 'does not occur in its formula'],
  ])('rejects a driver that %s (reporting 10.2)', (_title, formula, message) => {
    const text = `${shipped['us-gaap/drivers.csv']}New,New,percent,,duration,Assets,${formula}\n`;
    expect(problemsWith({ 'us-gaap/drivers.csv': text })).toBe(`The driver rs-driver:New ${message}.`);
  });

  const derivation = 'us-gaap/cash-flow-derivation.csv';
  it.each([
    [
      'a weight that contradicts the cash sign of the leaf',
      'InventoryNet,IncreaseDecreaseInInventories,operating,1',
      'InventoryNet,IncreaseDecreaseInInventories,operating,-1',
      'has the weight -1, and the sides of its ends give 1',
    ],
    [
      'a leaf of another section',
      'InventoryNet,IncreaseDecreaseInInventories,operating,1',
      'InventoryNet,IncreaseDecreaseInInventories,investing,1',
      'is of the section investing and leads into operating',
    ],
    [
      'a total of the cash flow as a home',
      'InventoryNet,IncreaseDecreaseInInventories,operating,1',
      'InventoryNet,NetCashProvidedByUsedInOperatingActivities,operating,1',
      'leads to no leaf of the cash flow',
    ],
    [
      'two homes for inflows',
      'Goodwill,PaymentsToAcquireBusinessesNetOfCashAcquired,investing,1',
      'Goodwill,ProceedsFromSaleOfPropertyPlantAndEquipment,investing,-1',
      'rs-gaap:Goodwill must have one derivation, or one for inflows and one for outflows',
    ],
  ])('rejects %s (taxonomy-data 5)', (_title, row, other, message) => {
    expect(shipped[derivation]).toContain(row);
    expect(problemsWith({ [derivation]: shipped[derivation].replace(row, other) })).toContain(message);
  });

  it('rejects a non-cash item whose adjustment is on the other side (taxonomy-data 5.2)', () => {
    const text = `${shipped['us-gaap/noncash-items.csv']}LaborAndRelatedExpense,GainLossOnInvestments,Goodwill\n`;
    expect(problemsWith({ 'us-gaap/noncash-items.csv': text })).toContain(
      'rs-gaap:LaborAndRelatedExpense → rs-gaap:GainLossOnInvestments joins concepts of different sides',
    );
  });

  it('rejects an equity change on a line that the form does not show (taxonomy-data 5.3)', () => {
    const row = 'PART,MinorityInterest,DividendsCommonStock,DividendsCommonStock';
    const text = `${shipped['us-gaap/equity-changes.csv']}${row}\n`;
    expect(problemsWith({ 'us-gaap/equity-changes.csv': text })).toContain(
      'names rs-gaap:DividendsCommonStock, which EQ-rollforward-PART does not show',
    );
  });

  it('rejects a retired concept that is still shipped, and one whose successor is not shipped (taxonomy LB-5)', () => {
    const text = `${shipped['us-gaap/retired.csv']}Goodwill,NoSuchConcept\n`;
    const problems = problemsWith({ 'us-gaap/retired.csv': text });
    expect(problems).toContain('rs-gaap:Goodwill is retired and shipped');
    expect(problems).toContain('is replaced by rs-gaap:NoSuchConcept, which is not shipped');
  });

  it('reports file and row of a cell that is not a number', () => {
    const text = `${shipped[presentation]}BS-classified,Assets,Goodwill,often\n`;
    expect(() => parseFrameworks({ ...shipped, [presentation]: text })).toThrow(
      'us-gaap/presentation.csv, row 1094: "often" is not a number',
    );
  });
});

describe('parseCsv', () => {
  it('reads back every table that RFC 4180 quoting can write', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', ' ', 'é') });
    const table = fc.array(fc.record({ first: cell, second: cell }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(table, (rows) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const lines = rows.map(({ first, second }) => `${quoted(first)},${quoted(second)}`);
        expect(parseCsv(['first,second', ...lines, ''].join('\n'), 'table.csv')).toEqual(rows);
      }),
    );
  });

  it('rejects a row that is wider than the header', () => {
    expect(() => parseCsv('a,b\n1,2,3\n', 'wide.csv')).toThrow('wide.csv, row 2: 3 cells where the header has 2');
  });

  it('keeps an empty last cell', () => {
    expect(parseCsv('a,b\r\n1,\r\n', 'ends.csv')).toEqual([{ a: '1', b: '' }]);
  });
});
