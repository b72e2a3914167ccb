/** @module-tag sessions */
import { sql } from '@pacioli/core';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  april,
  type Loose,
  MetricBooks,
  type MetricService,
  skippedOf,
  startMetrics,
  valuesOf,
} from './metric-books.ts';
import { statementsOf } from './observed-store.ts';

let parts: MetricService;
beforeAll(async () => {
  parts = await startMetrics();
});
afterAll(async () => {
  await parts.service.close();
});

const monthOfApril = { period_start: '2026-04-01', period_end: '2026-04-30' } as const;
const expected = {
  WorkingCapital: 54_600,
  CurrentRatio: 5.232558,
  QuickRatio: 4.20155,
  DebtToEquity: 0.582688,
  InterestCoverage: 27,
  ReturnOnEquity: 0.098039,
  NetProfitMargin: 0.144444,
  AssetTurnover: 0.413034,
  EquityMultiplier: 1.643288,
  ReturnOnEquityDuPont: 0.098039,
} as const;

/** The facts of the standing sets without the ids of the rows. */
const stored = (books: MetricBooks, structureId = books.catalogId): Promise<Loose> =>
  books.inGraph(async (tx) => {
    const { facts } = parts.use;
    const sets = await facts.sets(tx, { scenario: 'all', structureIds: [structureId] });
    const found = await facts.facts(tx, { scenario: 'all', structureIds: [structureId] });
    return { sets, facts: found.map(({ id, ...fact }) => fact) };
  });

describe('compute-metrics on the example of the specification', () => {
  let books: MetricBooks;
  let result: Loose;
  beforeAll(async () => {
    books = await MetricBooks.open(parts);
    await books.writeExample();
    await books.inGraph((tx) =>
      tx.query(sql`update kernel_graph set stale_since = null, stale_reason = null where graph_id = ${books.graphId}`),
    );
    result = await books.compute(monthOfApril);
  });

  it('computes the values of the specification in presentation order (reporting 15.6, M-2, M-9)', async () => {
    expect(result.skipped).toEqual([]);
    expect(valuesOf(result)).toEqual(expected);
    expect(result.computed.map(({ element_qname }: Loose) => element_qname)).toEqual(
      Object.keys(expected).map((name) => `rs-metric:${name}`),
    );
    expect(result.computed[0]).toMatchObject({
      name: 'Working Capital',
      unit: 'USD',
      period_type: 'instant',
      item_type: 'monetary',
    });
    expect(result.computed[5]).toMatchObject({ unit: 'pure', period_type: 'duration', item_type: 'percent' });
  });

  it('stores exact decimals with the ids of the facts that it used (reporting F-5, M-9, 1.3)', async () => {
    const { sets, facts } = await stored(books);
    expect(sets).toMatchObject([
      {
        id: result.fact_set_id,
        entityId: result.entity_id,
        factsetType: 'metric',
        periodStart: '2026-04-01',
        periodEnd: '2026-04-30',
        provenance: { origin: 'derived', computation: 'compute-metrics' },
      },
    ]);
    // Ten facts of April and the two opening balances.
    expect(sets[0].provenance.source_fact_ids).toHaveLength(12);
    const factOf = (name: string) => {
      const id = parts.use.library.elementByQname(`rs-metric:${name}`)?.id;
      return facts.find(({ elementId }: Loose) => elementId === id);
    };
    expect(factOf('WorkingCapital')).toMatchObject({ value: '54600', unit: 'USD', decimals: '2', periodStart: null });
    expect(factOf('NetProfitMargin')).toMatchObject({
      value: '0.144444',
      unit: 'pure',
      decimals: '6',
      periodStart: '2026-04-01',
    });
  });

  it('marks the analytical graph stale (reporting B-0.4)', async () => {
    const [row] = await books.inGraph((tx) =>
      tx.query(sql<Loose>`select stale_reason as reason from kernel_graph where graph_id = ${books.graphId}`),
    );
    expect(row.reason).toBe('metrics_computed');
  });

  it('extends the series of the block, with a panel for each family (reporting B-20, B-25)', async () => {
    const before = await books.compute({ period_start: '2026-03-01', period_end: '2026-03-31' });
    expect(skippedOf(before)['ReturnOnEquity']).toEqual([
      'missing prior period',
      ['rs-gaap:StockholdersEquity (prior @ 2026-02-28)'],
    ]);
    const { informationBlock } = await books.query(`{ informationBlock(id: "${books.catalogId}") {
      blockType factSet { id } facts { value } view {
        rendering { periods { start end label forecast } rows { elementQname values } }
        chart { panels { label itemType kind series { key label } } } } } }`);
    expect(informationBlock).toMatchObject({ blockType: 'metric', factSet: { id: result.fact_set_id } });
    expect(informationBlock.facts).toHaveLength(6 + 10);
    const { rendering, chart } = informationBlock.view;
    expect(rendering.periods).toEqual([
      { start: '2026-03-01', end: '2026-03-31', label: null, forecast: null },
      { start: '2026-04-01', end: '2026-04-30', label: null, forecast: null },
    ]);
    const rows = new Map(rendering.rows.map(({ elementQname, values }: Loose) => [elementQname, values]));
    expect(rows.get('rs-metric:WorkingCapital')).toEqual([44_550, 54_600]);
    expect(rows.get('rs-metric:ReturnOnEquity')).toEqual([null, 0.098039]);
    const shown = chart.panels.map(({ kind, itemType, series }: Loose) => [itemType, kind, series.length]);
    expect(shown).toEqual([
      ['monetary', 'bar', 1],
      ['ratio', 'line', 3],
      ['percent', 'line', 3],
      ['multiple', 'line', 3],
    ]);
  });
});

describe('compute-metrics', () => {
  it('replaces the standing set of a period, and empties it when nothing can be computed (reporting M-9)', async () => {
    const books = await MetricBooks.open(parts);
    await books.writeExample();
    const first = await books.compute(monthOfApril);
    await books.report({
      start: '2026-04-01',
      end: '2026-04-30',
      structure: 'BS-unclassified',
      values: { ...april, LiabilitiesCurrent: 13_500 },
      now: '2026-05-05T12:00:00Z',
    });
    const second = await books.compute(monthOfApril);
    expect(second.fact_set_id).toBe(first.fact_set_id);
    expect(valuesOf(second)).toEqual({ ...expected, WorkingCapital: 54_000, CurrentRatio: 5, QuickRatio: 4.014815 });
    expect((await stored(books)).facts).toHaveLength(10);
    await books.inGraph((tx) => parts.use.facts.deleteSets(tx, { scenario: 'all', factsetTypes: ['report'] }));
    const third = await books.compute(monthOfApril);
    expect(third).toMatchObject({ fact_set_id: first.fact_set_id, computed: [] });
    expect(await stored(books)).toMatchObject({ sets: [{ provenance: { source_fact_ids: [] } }], facts: [] });
  });

  it('replays the answer of an idempotency key, and refuses it for another body (reporting B-0.1)', async () => {
    const books = await MetricBooks.open(parts);
    await books.writeExample();
    const body = { structure_id: books.catalogId, ...monthOfApril };
    const first = await books.post('compute-metrics', body, { key: 'april' });
    const again = await books.post('compute-metrics', body, { key: 'april' });
    expect(again.body).toMatchObject({ result: first.body.result, idempotentReplay: true });
    const other = await books.post('compute-metrics', { ...body, period_end: '2026-03-31' }, { key: 'april' });
    expect(other.status).toBe(409);
  });

  it('lets concurrent runs of a period wait for each other (reporting M-9)', async () => {
    const books = await MetricBooks.open(parts);
    await books.writeExample();
    const results = await Promise.all([1, 2, 3].map(() => books.compute(monthOfApril)));
    expect(new Set(results.map(({ fact_set_id }) => fact_set_id)).size).toBe(1);
    expect((await stored(books)).facts).toHaveLength(10);
  });

  it('gives the same result and facts when repeated, whatever the facts are (reporting M-9)', async () => {
    const books = await MetricBooks.open(parts);
    const names = fc.constantFrom(...Object.keys(april));
    const amounts = fc.dictionary(names, fc.integer({ min: -3, max: 100_000 }));
    await fc.assert(
      fc.asyncProperty(amounts, amounts, fc.boolean(), async (earlier, current, hasStart) => {
        await books.inGraph((tx) =>
          parts.use.facts.deleteSets(tx, { scenario: 'all', factsetTypes: ['report', 'metric'] }),
        );
        await books.report({ start: '2026-03-01', end: '2026-03-31', values: earlier });
        await books.report({ start: '2026-04-01', end: '2026-04-30', values: current });
        const request = hasStart ? monthOfApril : {};
        const first = { result: await books.compute(request), rows: await stored(books) };
        expect({ result: await books.compute(request), rows: await stored(books) }).toEqual(first);
        expect(first.result.computed.length + first.result.skipped.length).toBe(10);
      }),
      { numRuns: 8 },
    );
  });

  it('sends as many statements for one metric as for ten (reporting M-4)', async () => {
    const books = await MetricBooks.open(parts);
    await books.writeExample();
    const own = await books.author({
      metrics: ['Leverage'],
      movements: ['Leverage'],
      rules: [
        {
          metric: 'Leverage',
          expression: '$Leverage = avg($Assets) / $Revenues',
          variables: { Leverage: 'own:Leverage', Assets: 'rs-gaap:Assets', Revenues: 'rs-gaap:Revenues' },
        },
      ],
    });
    const counts: number[] = [];
    for (const structureId of [own, books.catalogId]) {
      counts.push(await statementsOf(parts.service, () => books.compute({ structure_id: structureId })));
    }
    expect(counts[0]).toBeGreaterThan(5);
    expect(counts[1]).toBe(counts[0]);
  });
});
