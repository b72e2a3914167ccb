/** @module-tag sessions */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { april, type Loose, MetricBooks, type MetricService, march, skippedOf, startMetrics } from './metric-books.ts';

let parts: MetricService;
beforeAll(async () => {
  parts = await startMetrics();
});
afterAll(async () => {
  await parts.service.close();
});

const month = { start: '2026-04-01', end: '2026-04-30' } as const;
const shownFacts = async (books: MetricBooks, structureId: string): Promise<Loose> => {
  const { informationBlock } = await books.query(
    `{ informationBlock(id: "${structureId}") { facts { elementQname value unit } } }`,
  );
  return informationBlock.facts;
};
const decimalsOf = (books: MetricBooks, structureId: string): Promise<readonly (string | null)[]> =>
  books.inGraph(async (tx) => {
    const facts = await parts.use.facts.facts(tx, { scenario: 'all', structureIds: [structureId] });
    return facts.map(({ value, unit, decimals }) => `${value} ${unit} ${decimals}`).sort();
  });

describe('metrics of books in another currency', () => {
  it('are computed, stored and shown in the currency of the books (reporting F-4, M-11)', async () => {
    const books = await MetricBooks.open(parts, 'EUR');
    await books.writeExample();
    const { computed } = await books.compute();
    expect(computed).toHaveLength(10);
    expect(computed[0]).toMatchObject({ element_qname: 'rs-metric:WorkingCapital', value: 54_600, unit: 'EUR' });
    expect(computed[1]).toMatchObject({ element_qname: 'rs-metric:CurrentRatio', unit: 'pure' });
    expect(await shownFacts(books, books.catalogId)).toContainEqual({
      elementQname: 'rs-metric:WorkingCapital',
      value: 54_600,
      unit: 'EUR',
    });
    expect(await decimalsOf(books, books.catalogId)).toContain('54600 EUR 2');
  });

  it('are asserted in that currency, with the digits of its minor unit (reporting F-4, F-5, M-10, M-11)', async () => {
    for (const [currency, decimals] of [
      ['EUR', '2'],
      ['JPY', '0'],
      ['KWD', '3'],
    ] as const) {
      const books = await MetricBooks.open(parts, currency);
      const structureId = await books.author({ metrics: ['Pipeline', 'Followers'], money: ['Pipeline'] });
      const { asserted } = await books.done('assert-metrics', {
        structure_id: structureId,
        period_end: month.end,
        source_system: 'crm',
        observations: [
          { qname: 'own:Pipeline', value: 1_250 },
          { qname: 'own:Followers', value: 8 },
        ],
      });
      expect(asserted.map(({ unit }: Loose) => unit)).toEqual([currency, 'pure']);
      expect(await decimalsOf(books, structureId)).toEqual([`1250 ${currency} ${decimals}`, '8 pure 0']);
    }
  });

  it('state six decimals for an amount with a part below the minor unit, however it came (reporting F-5, M-11)', async () => {
    const books = await MetricBooks.open(parts, 'JPY');
    await books.report({ ...month, values: { Assets: 3 } });
    const computed = await books.author({
      metrics: ['Half'],
      money: ['Half'],
      rules: [{ metric: 'Half', expression: '$H = $A / 2', variables: { H: 'own:Half', A: 'rs-gaap:Assets' } }],
    });
    await books.compute({ structure_id: computed });
    expect(await decimalsOf(books, computed)).toEqual(['1.5 JPY 6']);
    const others = await MetricBooks.open(parts, 'JPY');
    const asserted = await others.author({ metrics: ['Pipeline'], money: ['Pipeline'] });
    await others.done('assert-metrics', {
      structure_id: asserted,
      period_end: month.end,
      source_system: 'crm',
      observations: [{ qname: 'own:Pipeline', value: 1.5 }],
    });
    expect(await decimalsOf(others, asserted)).toEqual(['1.5 JPY 6']);
  });
});

describe('operands in several units', () => {
  it('bind only in the currency of the books, however new the others are (reporting M-5)', async () => {
    const books = await MetricBooks.open(parts, 'EUR');
    await books.report({ start: '2026-03-01', end: '2026-03-31', values: march });
    await books.report({ ...month, values: april });
    await books.report({
      ...month,
      structure: 'BS-unclassified',
      unit: 'USD',
      values: { AssetsCurrent: 1, Revenues: 2, Assets: 3 },
      now: '2026-06-01T12:00:00Z',
    });
    const { computed, skipped } = await books.compute();
    expect(skipped).toEqual([]);
    expect(computed[0]).toMatchObject({ value: 54_600, unit: 'EUR' });
  });

  it('are not mixed: a metric is skipped if an operand is only in another currency (reporting M-5, M-8)', async () => {
    const books = await MetricBooks.open(parts, 'EUR');
    const { StockholdersEquity, ...others } = april;
    await books.report({ ...month, values: others });
    await books.report({ ...month, unit: 'USD', structure: 'BS-unclassified', values: { StockholdersEquity } });
    await books.report({ start: '2026-03-01', end: '2026-03-31', unit: 'USD', values: { Assets: 7 } });
    const equity = 'rs-gaap:StockholdersEquity (USD)';
    const reason = 'operands of different units';
    const { computed, skipped } = await books.compute({ period_start: month.start });
    expect(computed.map(({ element_qname }: Loose) => element_qname.replace('rs-metric:', ''))).toEqual([
      'WorkingCapital',
      'CurrentRatio',
      'QuickRatio',
      'InterestCoverage',
      'NetProfitMargin',
    ]);
    expect(skippedOf({ skipped })).toMatchObject({
      DebtToEquity: [reason, [equity]],
      ReturnOnEquity: [reason, [equity]],
      AssetTurnover: [reason, ['rs-gaap:Assets (USD @ 2026-03-31)']],
      EquityMultiplier: [reason, [equity, 'rs-gaap:Assets (USD @ 2026-03-31)']],
    });
  });

  it('choose their window among the movements in the currency of the books (reporting M-5, M-6)', async () => {
    const books = await MetricBooks.open(parts, 'EUR');
    await books.report({ ...month, values: { Revenues: 100, NetIncomeLoss: 50 } });
    await books.report({
      start: '2026-01-01',
      end: month.end,
      structure: 'IS-multistep',
      unit: 'USD',
      values: { Revenues: 400, NetIncomeLoss: 80 },
    });
    const { computed } = await books.compute();
    expect(computed).toMatchObject([{ element_qname: 'rs-metric:NetProfitMargin', value: 0.5 }]);
  });

  it('may be plain numbers beside amounts, such as a number of employees (reporting M-5)', async () => {
    const books = await MetricBooks.open(parts, 'EUR');
    await books.report({ ...month, values: { Assets: 100 } });
    const structureId = await books.author({
      metrics: ['PerHead'],
      unlisted: ['Staff'],
      money: ['PerHead'],
      rules: [
        {
          metric: 'PerHead',
          expression: '$P = $A / $S',
          variables: { P: 'own:PerHead', A: 'rs-gaap:Assets', S: 'own:Staff' },
        },
      ],
    });
    await books.report({ ...month, unit: 'pure', structure: 'IS-multistep', values: { 'own:Staff': 8 } });
    const { computed } = await books.compute({ structure_id: structureId });
    expect(computed).toMatchObject([{ value: 12.5, unit: 'EUR' }]);
  });
});
