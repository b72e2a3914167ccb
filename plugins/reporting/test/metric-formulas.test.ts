/** @module-tag sessions */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { april, MetricBooks, type MetricService, skippedOf, startMetrics, valuesOf } from './metric-books.ts';

let parts: MetricService;
let books: MetricBooks;
beforeAll(async () => {
  parts = await startMetrics();
});
beforeEach(async () => {
  books = await MetricBooks.open(parts);
});
afterAll(async () => {
  await parts.service.close();
});

const concepts = { R: 'rs-gaap:Revenues', A: 'rs-gaap:Assets' } as const;

describe('formulas of a metric block', () => {
  it('are evaluated after those that they depend on, whatever their place (reporting M-4)', async () => {
    await books.report({ start: '2026-04-01', end: '2026-04-30', values: { Assets: 100 } });
    const structureId = await books.author({
      metrics: ['Fourfold', 'Double', 'Same'],
      rules: [
        { metric: 'Fourfold', expression: '$F = $D + $D', variables: { F: 'own:Fourfold', D: 'own:Double' } },
        { metric: 'Double', expression: '$D = $S * 2', variables: { D: 'own:Double', S: 'own:Same' } },
        // The rule of the structure names its metric on the left side.
        { metric: null, expression: '$S = $A', variables: { S: 'own:Same', A: concepts.A } },
      ],
    });
    expect(valuesOf(await books.compute({ structure_id: structureId }))).toEqual({
      Fourfold: 400,
      Double: 200,
      Same: 100,
    });
  });

  it('are skipped in a cycle, as is what depends on it, while others are computed (reporting M-4, M-8)', async () => {
    await books.report({ start: '2026-04-01', end: '2026-04-30', values: { Assets: 100 } });
    const structureId = await books.author({
      metrics: ['Chicken', 'Egg', 'Omelet', 'Fine'],
      rules: [
        { metric: 'Chicken', expression: '$C = $E', variables: { C: 'own:Chicken', E: 'own:Egg' } },
        { metric: 'Egg', expression: '$E = $C', variables: { C: 'own:Chicken', E: 'own:Egg' } },
        { metric: 'Omelet', expression: '$O = $E', variables: { O: 'own:Omelet', E: 'own:Egg' } },
        { metric: 'Fine', expression: '$F = $A', variables: { F: 'own:Fine', A: concepts.A } },
      ],
    });
    const result = await books.compute({ structure_id: structureId });
    expect(valuesOf(result)).toEqual({ Fine: 100 });
    expect(skippedOf(result)).toEqual({
      Chicken: ['circular dependency', []],
      Egg: ['circular dependency', []],
      Omelet: ['operand metric not computed', ['own:Egg (metric not computed)']],
    });
  });

  it('are skipped with a reason if they cannot be read or have no target (reporting M-8, R-9)', async () => {
    await books.report({ start: '2026-04-01', end: '2026-04-30', values: { Assets: 100, Revenues: 5 } });
    const structureId = await books.author({
      metrics: ['Previous', 'Moving', 'Twice', 'Below', 'Sum', 'Other', 'Huge'],
      unlisted: ['Unlisted'],
      rules: [
        { metric: 'Previous', expression: '$P = $A[t-1]', variables: { P: 'own:Previous', A: concepts.A } },
        { metric: 'Moving', expression: '$M = avg($R)', variables: { M: 'own:Moving', R: concepts.R } },
        { metric: null, expression: '$U = $A', variables: { U: 'own:Unlisted', A: concepts.A } },
        { metric: 'Twice', expression: '$T = $A', variables: { T: 'own:Twice', A: concepts.A } },
        { metric: 'Twice', expression: '$T = $A', variables: { T: 'own:Twice', A: concepts.A } },
        { metric: 'Below', expression: '$B < $A', variables: { B: 'own:Below', A: concepts.A } },
        { metric: 'Sum', expression: '$S + 1 = $A', variables: { S: 'own:Sum', A: concepts.A } },
        { metric: 'Other', expression: '$T = $A', variables: { T: 'own:Twice', A: concepts.A } },
        {
          metric: 'Huge',
          expression: '$H = $A * 1000000000 * 1000000000',
          variables: { H: 'own:Huge', A: concepts.A },
        },
      ],
    });
    const result = await books.compute({ structure_id: structureId });
    expect(valuesOf(result)).toEqual({ Twice: 100 });
    expect(skippedOf(result)).toEqual({
      Previous: ['expression error: [t-1] is allowed only in rules of forecasts at position 7', []],
      Moving: ['expression error: avg($R) needs a balance, and $R is a movement', []],
      Unlisted: ['no target', []],
      Twice: ['another rule computes this metric', []],
      Below: ['expression error: a metric is defined by an equation', []],
      Sum: ['expression error: the left side must be the metric alone', []],
      Other: ['expression error: the left side is not the target of the rule', []],
      Huge: ['evaluation error: the value has more than 18 digits', []],
    });
  });

  it('are skipped without facts, without an earlier period and when they divide by zero (reporting M-8)', async () => {
    expect(await books.compute()).toMatchObject({ fact_set_id: null, computed: [] });
    await books.report({
      start: '2026-04-01',
      end: '2026-04-30',
      values: { ...april, LiabilitiesCurrent: 0, InterestExpense: 0 },
    });
    const result = await books.compute();
    expect(Object.keys(valuesOf(result))).toEqual(['WorkingCapital', 'DebtToEquity', 'NetProfitMargin']);
    const zero = ['evaluation error: division by zero', []];
    expect(skippedOf(result)).toEqual({
      CurrentRatio: zero,
      QuickRatio: zero,
      InterestCoverage: zero,
      ReturnOnEquity: ['missing prior period', ['rs-gaap:StockholdersEquity (prior @ 2026-03-31)']],
      AssetTurnover: ['missing prior period', ['rs-gaap:Assets (prior @ 2026-03-31)']],
      EquityMultiplier: [
        'missing prior period',
        ['rs-gaap:Assets (no prior period)', 'rs-gaap:StockholdersEquity (no prior period)'],
      ],
      ReturnOnEquityDuPont: [
        'operand metric not computed',
        ['rs-metric:AssetTurnover (metric not computed)', 'rs-metric:EquityMultiplier (metric not computed)'],
      ],
    });
    const other = skippedOf(await books.compute({ period_end: '2026-04-29' }));
    expect(other['CurrentRatio']).toEqual([
      'no fact bound for operand(s)',
      ['rs-gaap:AssetsCurrent', 'rs-gaap:LiabilitiesCurrent'],
    ]);
  });
});
