/** @module-tag sessions */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MetricBooks, type MetricService, march, skippedOf, startMetrics, valuesOf } from './metric-books.ts';

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

describe('facts that end on one date', () => {
  it('are read up to the limit; above it a start of the period leaves out the longer movements (reporting M-9)', async () => {
    // It reads 10,000 facts and looks for a window among them, which takes more than a second.
    const setId = await books.report({ start: null, end: '2026-04-30', values: {} });
    await books.addRevenues(setId, 10_000);
    const request = { structure_id: books.catalogId, period_end: '2026-04-30' };
    expect((await books.post('compute-metrics', request)).status).toBe(200);
    await books.report({ start: null, end: '2026-04-30', structure: 'IS-multistep', values: { Assets: 1 } });
    const { status, body } = await books.post('compute-metrics', request);
    expect([status, body.code, body.detail]).toEqual([
      413,
      'TOO_MANY_FACTS',
      'More than 10000 facts would be read at once. Start the period later, or delete reports that end on its last day.',
    ]);
    expect((await books.post('compute-metrics', { ...request, period_start: '2026-04-28' })).status).toBe(200);
  });
});

const marginOf = async (body: object = {}): Promise<number | undefined> =>
  valuesOf(await books.compute(body))['NetProfitMargin'];

describe('operands of metrics', () => {
  it('bind to facts of the scenario first, then to actuals, and never to a plan otherwise (reporting M-5, F-11)', async () => {
    const scenarioId = await books.scenario('Plan');
    const other = await books.scenario('Other plan');
    await books.writeExample();
    await books.report({
      start: '2026-04-01',
      end: '2026-04-30',
      values: { NetIncomeLoss: 9_000 },
      scenarioId: scenarioId,
    });
    await books.report({ start: '2026-04-01', end: '2026-04-30', values: { NetIncomeLoss: 1 }, scenarioId: other });
    expect(await marginOf()).toBe(0.144444);
    const planned = await books.compute({ scenario_id: scenarioId });
    expect(valuesOf(planned)).toMatchObject({ NetProfitMargin: 0.2, CurrentRatio: 5.232558 });
    // The actuals keep their own set.
    const sets = await books.inGraph((tx) =>
      parts.use.facts.sets(tx, { scenario: 'all', factsetTypes: ['metric'], structureIds: [books.catalogId] }),
    );
    expect(new Set(sets.map(({ scenarioId }) => scenarioId))).toEqual(new Set([null, scenarioId]));
    const { informationBlock } = await books.query(`{ informationBlock(id: "${books.catalogId}",
      scenarioId: "${scenarioId}") { view { rendering { periods { end label forecast } } } } }`);
    expect(informationBlock.view.rendering.periods).toEqual([{ end: '2026-04-30', label: null, forecast: null }]);
  });

  it('extend the series with the months of a scenario (reporting B-20, B-24, F-15)', async () => {
    const scenarioId = await books.scenario('Plan');
    await books.writeExample();
    await books.report({ start: '2026-05-01', end: '2026-05-31', values: march, scenarioId: scenarioId });
    await books.compute();
    const { fact_set_id } = await books.compute({ scenario_id: scenarioId, period_end: '2026-05-31' });
    const periodsOf = async (args: string) => {
      const { informationBlock } = await books.query(
        `{ informationBlock(id: "${books.catalogId}" ${args}) { view { rendering { periods { end label forecast } } } } }`,
      );
      return informationBlock.view.rendering.periods;
    };
    const actual = { end: '2026-04-30', label: null, forecast: null };
    const planned = { end: '2026-05-31', label: 'May 2026 (forecast)', forecast: true };
    expect(await periodsOf('')).toEqual([actual]);
    expect(await periodsOf(`scenarioId: "${scenarioId}"`)).toEqual([actual, planned]);
    expect(await periodsOf(`scenarioId: "${scenarioId}", seriesHistory: 0`)).toEqual([planned]);
    expect(fact_set_id).not.toBeNull();
  });

  it('take the newest set that ends on the date before comparative columns and other sets (reporting M-5)', async () => {
    const window = { start: '2026-04-01', end: '2026-04-30' };
    await books.report({ ...window, values: { Revenues: 100, NetIncomeLoss: 10 } });
    expect(await marginOf()).toBe(0.1);
    // A later report shows April for comparison, as it was then.
    await books.report({
      start: '2026-05-01',
      end: '2026-05-31',
      factWindow: window,
      values: { Revenues: 100, NetIncomeLoss: 20 },
      now: '2026-06-02T12:00:00Z',
    });
    expect(await marginOf()).toBe(0.1);
    // A snapshot of a report does not precede the closed month, however new it is.
    await books.report({
      ...window,
      reportId: 'rpt_1',
      values: { Revenues: 100, NetIncomeLoss: 30 },
      now: '2026-06-03T12:00:00Z',
    });
    expect(await marginOf()).toBe(0.1);
    await books.report({
      ...window,
      structure: 'IS-multistep',
      values: { NetIncomeLoss: 40 },
      now: '2026-06-04T12:00:00Z',
    });
    expect(await marginOf()).toBe(0.4);
  });

  it('bind metrics of other structures, asserted ones included (reporting M-5)', async () => {
    const asserted = await books.author({ metrics: ['Headcount'] });
    await books.done('assert-metrics', {
      structure_id: asserted,
      period_end: '2026-04-30',
      source_system: 'payroll',
      observations: [{ qname: 'own:Headcount', value: 8 }],
    });
    await books.report({ start: '2026-04-01', end: '2026-04-30', values: { Revenues: 100 } });
    const { structures } = await books.done('create-taxonomy-block', {
      name: 'Productivity',
      taxonomy_type: 'custom_ontology',
      elements: [
        ['more:Heading', 'abstract'],
        ['more:PerHead', 'concept'],
      ].map(([qname, elementType]) => ({
        qname,
        name: qname,
        element_type: elementType,
        trait: 'metric',
        balance_type: 'debit',
        period_type: 'duration',
        is_monetary: true,
      })),
      structures: [{ name: 'More', block_type: 'metric' }],
      associations: [
        { structure_ref: 'More', from_ref: 'more:Heading', to_ref: 'more:PerHead', association_type: 'presentation' },
      ],
      rules: [],
    });
    const by = { createdBy: 'user_1', now: new Date('2026-05-04T12:00:00Z') };
    await books.inGraph(async (tx) => {
      const variables = ['more:PerHead', 'rs-gaap:Revenues', 'own:Headcount'].map((qname, index) => {
        return { name: 'PRH'.charAt(index), elementId: null, qname };
      });
      await parts.use.rules.add(tx, [
        {
          structureId: structures[0].id,
          name: 'Revenue per head',
          category: 'ReportingSystemSpecificRule',
          pattern: 'Derive',
          checkKind: null,
          expression: '$P = $R / $H',
          variables,
          target: { kind: 'structure', id: structures[0].id },
          ...by,
        },
      ]);
    });
    const result = await books.compute({ structure_id: structures[0].id });
    expect(result.computed).toMatchObject([
      { element_qname: 'more:PerHead', value: 12.5, unit: 'USD', item_type: 'monetary' },
    ]);
  });
});

describe('windows of metrics', () => {
  it('are the longest that the movements of a formula have in common (reporting M-6)', async () => {
    const month = { start: '2026-04-01', end: '2026-04-30' };
    await books.report({ ...month, values: { Revenues: 100, NetIncomeLoss: 50, Assets: 1_000 } });
    await books.report({
      start: '2026-01-01',
      end: '2026-04-30',
      structure: 'IS-multistep',
      values: { Revenues: 400, NetIncomeLoss: 80 },
    });
    expect(await marginOf()).toBe(0.2);
    expect(await marginOf({ period_start: '2026-04-01' })).toBe(0.5);
    // The year has no net income, so the margin uses the window that both have.
    await books.report({
      start: '2025-05-01',
      end: '2026-04-30',
      structure: 'CF-indirect',
      values: { Revenues: 1_000 },
    });
    expect(await marginOf()).toBe(0.2);
    expect(await marginOf({ period_start: '2026-02-01' })).toBe(0.5);
  });

  it('are never mixed: without a common one a metric is skipped (reporting M-6, M-8)', async () => {
    await books.report({ start: '2026-04-01', end: '2026-04-30', values: { Revenues: 100 } });
    await books.report({
      start: '2026-01-01',
      end: '2026-04-30',
      structure: 'IS-multistep',
      values: { NetIncomeLoss: 80 },
    });
    const skipped = skippedOf(await books.compute());
    expect(skipped['NetProfitMargin']).toEqual([
      'no common window of operands',
      ['rs-gaap:NetIncomeLoss', 'rs-gaap:Revenues'],
    ]);
  });

  it('label a metric that covers less than the requested period (reporting M-9)', async () => {
    await books.report({
      start: '2026-04-01',
      end: '2026-04-30',
      values: { Revenues: 100, NetIncomeLoss: 50, StockholdersEquity: 40 },
    });
    await books.report({ start: '2026-01-01', end: '2026-01-31', values: { StockholdersEquity: 20 } });
    const structureId = await books.author({
      metrics: ['Margin', 'Level'],
      movements: ['Margin', 'Level'],
      rules: [
        {
          metric: 'Margin',
          expression: '$M = $N / $R',
          variables: { M: 'own:Margin', N: 'rs-gaap:NetIncomeLoss', R: 'rs-gaap:Revenues' },
        },
        {
          metric: 'Level',
          expression: '$L = avg($E)',
          variables: { L: 'own:Level', E: 'rs-gaap:StockholdersEquity' },
        },
      ],
    });
    await books.compute({ structure_id: structureId, period_start: '2026-02-01' });
    const facts = await books.inGraph((tx) =>
      parts.use.facts.facts(tx, { scenario: 'all', structureIds: [structureId] }),
    );
    expect(facts.map(({ value, periodStart }) => [value, periodStart]).sort()).toEqual([
      ['0.5', '2026-04-01'],
      ['30', '2026-02-01'],
    ]);
  });

  it('open on the day before their start, or at the end of the report before (reporting M-7)', async () => {
    await books.report({ start: '2026-02-01', end: '2026-02-28', values: { StockholdersEquity: 10, Assets: 20 } });
    await books.report({ start: '2026-03-01', end: '2026-03-31', values: { StockholdersEquity: 30, Assets: 60 } });
    await books.report({
      start: '2026-04-01',
      end: '2026-04-30',
      values: { StockholdersEquity: 50, Assets: 140, NetIncomeLoss: 20 },
    });
    // Net income starts in April, and the multiplier has no movement.
    expect(valuesOf(await books.compute())).toMatchObject({ ReturnOnEquity: 0.5, EquityMultiplier: 2.5 });
    const quarter = await books.compute({ period_start: '2026-03-01' });
    expect(valuesOf(quarter)).toMatchObject({ ReturnOnEquity: 0.666667, EquityMultiplier: 2.666667 });
  });
});
