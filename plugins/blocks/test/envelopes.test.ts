// Goal: a read returns the complete block with its current fact set.
import { contribute, sql } from '@pacioli/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BlockView, blockViewers, type NewFact } from '../src/index.ts';
import {
  type BlockGraph,
  type BlocksService,
  balances,
  conceptId,
  type Loose,
  openGraph,
  startBlocks,
  type statementsOf,
  structureId,
  writeMonth,
} from './blocks-service.ts';
import { oneEntity, rollforwardType } from './rollforward-type.ts';

const drawnElsewhere: BlockView = {
  rendering: {
    rows: [],
    periods: [],
    validation: { passed: true, status: 'passed', checks: ['accounting_equation'], failures: [], warnings: [] },
    unmapped_count: 3,
  },
  chart: null,
};
const viewer = contribute(blockViewers, 'income_statement', {
  create: () => ({
    draw: async (_tx, subjects) => new Map(subjects.map(({ structure }) => [structure.id, drawnElsewhere])),
  }),
});

let blocks: BlocksService;
let sheet: string;
beforeAll(async () => {
  blocks = await startBlocks([rollforwardType, oneEntity, viewer]);
  sheet = structureId(blocks, 'BS-classified');
});
afterAll(() => blocks.service.close());

const month = (graph: BlockGraph, name: string, value: string, more: object = {}) =>
  blocks.inGraph(graph.id, (tx) =>
    writeMonth(blocks, tx, {
      structureId: sheet,
      month: name,
      facts: balances(blocks, name, { Assets: value }),
      ...more,
    }),
  );

const viewOf = async (graph: BlockGraph, args = ''): Promise<Loose> => {
  const { informationBlock } = await graph.query(`{ informationBlock(id: "${sheet}"${args}) {
    factSet { id scenarioId reportId provenance } facts { value elementQname factSetId periodEnd unit }
    view { chart { panels { kind } } rendering { periods { start end label forecast } validation { passed status }
      rows { elementQname values depth isSubtotal } } } } }`);
  return informationBlock;
};
const endsOf = async (graph: BlockGraph, args: string): Promise<Loose> => {
  const { periods } = (await viewOf(graph, args)).view.rendering;
  return periods.map((each: Loose) => `${each.end}${each.forecast === true ? ' planned' : ''}`);
};

describe('the envelope of a statement', () => {
  it('has the elements, arcs and rules of the library, and no facts before any are written (reporting B-7, B-9)', async () => {
    const graph = await openGraph(blocks);
    const { informationBlock: block } = await graph.query(`{ informationBlock(id: "${sheet}") {
      blockType displayName category taxonomyName informationModel { conceptArrangement memberArrangement }
      artifact { mechanics template } elements { id qname isAbstract } dimensions factSet { id } facts { id }
      connections { associationType fromElementId toElementId classifications { id } } verificationSummary { total }
      rules { rulePattern ruleExpression ruleSeverity ruleTarget { targetKind targetRefId } }
      view { rendering { rows { depth } periods { end } } chart { panels { kind } } } } }`);
    expect(block).toMatchObject({
      blockType: 'balance_sheet',
      displayName: 'Balance Sheet',
      category: 'Reporting',
      informationModel: { conceptArrangement: 'roll_up', memberArrangement: 'whole_part' },
      artifact: { mechanics: { kind: 'statement_renderer' }, template: null },
      dimensions: [],
      factSet: null,
      facts: [],
      verificationSummary: null,
      view: { rendering: { rows: [], periods: [] }, chart: null },
    });
    const ends = new Set(block.connections.flatMap((each: Loose) => [each.fromElementId, each.toElementId]));
    expect(new Set(block.elements.map(({ id }: Loose) => id))).toEqual(ends);
    expect(block.rules.map(({ ruleExpression }: Loose) => ruleExpression)).toContain('$Assets = $LiabilitiesAndEquity');
    const about = new Set([...ends, sheet]);
    expect(block.rules.every(({ ruleTarget }: Loose) => about.has(ruleTarget.targetRefId))).toBe(true);
  });

  it('shows the newest set of actuals, limited to elements of the structure (reporting B-7, B-8, F-11, F-13)', async () => {
    const graph = await openGraph(blocks);
    await month(graph, '2026-03', '98');
    const facts: readonly NewFact[] = [
      ...balances(blocks, '2026-04', { Assets: '100.25' }),
      { ...(balances(blocks, '2026-04', { Assets: '7' })[0] as NewFact), elementId: 'elem_elsewhere' },
    ];
    const april = await month(graph, '2026-04', '0', { facts });
    await month(graph, '2026-04', '55', { reportId: 'rpt_1', now: new Date('2026-05-05T12:00:00Z') });
    await month(graph, '2026-05', '77', { scenarioId: 'struct_plan' });
    const shown = await viewOf(graph);
    expect(shown.factSet).toEqual({
      id: april,
      scenarioId: null,
      reportId: null,
      provenance: { origin: 'pivot', mapping_id: 'struct_map' },
    });
    expect(shown.facts).toEqual([
      { value: 100.25, elementQname: 'rs-gaap:Assets', factSetId: april, periodEnd: '2026-04-30', unit: 'USD' },
    ]);
    const { rows, periods, validation } = shown.view.rendering;
    expect(periods).toEqual([{ start: '2026-04-01', end: '2026-04-30', label: null, forecast: null }]);
    expect(rows.filter(({ values }: Loose) => values[0] !== null)).toMatchObject([
      { elementQname: 'rs-gaap:Assets', values: [100.25], isSubtotal: true },
    ]);
    expect(validation).toEqual({ passed: false, status: 'inconclusive' });
  });

  it('shows the pinned set, and no facts if it belongs to another structure (reporting B-7)', async () => {
    const graph = await openGraph(blocks);
    const march = await month(graph, '2026-03', '98');
    await month(graph, '2026-04', '100');
    const other = structureId(blocks, 'BS-classified-LLC');
    await blocks.inGraph(graph.id, async (tx) => {
      const read = (id: string) => blocks.use.blockEnvelopes.read(tx, [id], { pins: new Map([[id, march]]) });
      expect((await read(sheet)).get(sheet)).toMatchObject({ fact_set: { id: march }, facts: [{ value: 98 }] });
      expect((await read(other)).get(other)).toMatchObject({ fact_set: null, facts: [] });
    });
  });

  it('shows the latest month of the requested scenario and no facts for an unknown one (reporting B-20)', async () => {
    const graph = await openGraph(blocks);
    await month(graph, '2026-04', '100');
    await month(graph, '2026-05', '101', { scenarioId: 'struct_plan' });
    const june = await month(graph, '2026-06', '102', { scenarioId: 'struct_plan' });
    const planned = await viewOf(graph, ', scenarioId: "struct_plan"');
    expect(planned.factSet).toMatchObject({ id: june, scenarioId: 'struct_plan' });
    expect(planned.view.rendering.periods).toMatchObject([{ label: 'Jun 2026 (forecast)', forecast: true }]);
    const unknown = await viewOf(graph, ', scenarioId: "struct_nothing"');
    expect(unknown).toMatchObject({ factSet: null, facts: [], view: { rendering: { rows: [], periods: [] } } });
  });

  it('has a view from the viewer that a plugin contributes for its type', async () => {
    const graph = await openGraph(blocks);
    const income = structureId(blocks, 'IS-multistep');
    const { informationBlock } = await graph.query(`{ informationBlock(id: "${income}") {
      view { rendering { unmappedCount validation { status checks } } } } }`);
    expect(informationBlock.view.rendering).toEqual({
      unmappedCount: 3,
      validation: { status: 'passed', checks: ['accounting_equation'] },
    });
  });

  it('is null for an id that is not a block (reporting B-4)', async () => {
    const graph = await openGraph(blocks);
    const style = blocks.use.library.rows.structures.find(({ blockType }) => blockType === 'reporting_style');
    for (const id of ['struct_none', style?.id]) {
      expect(await graph.query(`{ informationBlock(id: "${id}") { id } }`)).toEqual({ informationBlock: null });
    }
  });
});

describe('a block series', () => {
  let graph: BlockGraph;
  beforeAll(async () => {
    graph = await openGraph(blocks);
    const plan = { scenarioId: 'struct_plan' };
    await month(graph, '2026-02', '96');
    await month(graph, '2026-03', '98');
    await month(graph, '2026-03', '55', { reportId: 'rpt_1', now: new Date('2026-05-05T12:00:00Z') });
    await month(graph, '2026-04', '100', {
      facts: [...balances(blocks, '2026-04', { Assets: '100' }), ...balances(blocks, '2026-03', { Assets: '1' })],
    });
    await month(graph, '2026-04', '44', plan);
    await month(graph, '2026-05', '101', plan);
    await month(graph, '2026-06', '102', plan);
    await blocks.inGraph(graph.id, async (tx) => {
      const now = new Date('2026-05-06T12:00:00Z');
      const setId = await blocks.use.factStore.createSet(tx, {
        structureId: sheet,
        entityId: 'ent_1',
        periodStart: '2026-01-01',
        periodEnd: '2026-04-30',
        factsetType: 'report',
        reportId: 'rpt_2',
        scenarioId: null,
        provenance: null,
        createdBy: 'user_1',
        now,
      });
      await blocks.use.factStore.addFacts(tx, setId, balances(blocks, '2026-04', { Assets: '33' }), now);
    });
  });

  it('has one column per month, actuals before plans, ignoring reports and comparatives (reporting B-21, B-22, B-24)', async () => {
    const { facts, view } = await viewOf(graph, ', series: true, scenarioId: "struct_plan"');
    expect(view.rendering.periods.map(({ end, label }: Loose) => [end, label])).toEqual([
      ['2026-02-28', null],
      ['2026-03-31', null],
      ['2026-04-30', null],
      ['2026-05-31', 'May 2026 (forecast)'],
      ['2026-06-30', 'Jun 2026 (forecast)'],
    ]);
    const assets = view.rendering.rows.find(({ elementQname }: Loose) => elementQname === 'rs-gaap:Assets');
    expect(assets.values).toEqual([96, 98, 100, 101, 102]);
    expect(facts).toHaveLength(5);
  });

  it('shows only actuals without a scenario', async () => {
    expect(await endsOf(graph, ', series: true')).toEqual(['2026-02-28', '2026-03-31', '2026-04-30']);
  });

  it.each([
    [0, 'null', ['2026-05-31 planned', '2026-06-30 planned']],
    [1, 1, ['2026-04-30', '2026-05-31 planned']],
    ['null', 0, ['2026-02-28', '2026-03-31', '2026-04-30']],
    [9, 9, ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31 planned', '2026-06-30 planned']],
  ])('keeps the last %s actual and the first %s forecast columns (reporting B-23)', async (history, forecast, ends) => {
    const args = `, series: true, scenarioId: "struct_plan", seriesHistory: ${history}, seriesForecast: ${forecast}`;
    expect(await endsOf(graph, args)).toEqual(ends);
  });

  it('rejects a negative number of columns (reporting B-23)', async () => {
    for (const field of ['seriesHistory', 'seriesForecast']) {
      const text = `{ informationBlock(id: "${sheet}", series: true, ${field}: -1) { id } }`;
      expect(await graph.refusal(text)).toBe('INVALID_ARGUMENT');
    }
  });
});

describe('metric blocks', () => {
  it('are always a series, with one chart panel per family of item types (reporting B-8, B-25)', async () => {
    const graph = await openGraph(blocks);
    await blocks.inGraph(graph.id, async (tx) => {
      const now = new Date('2026-05-06T12:00:00Z');
      await insertMetricBlock(graph.id, tx);
      for (const [end, value] of [
        ['2026-03-31', '1.5'],
        ['2026-04-30', '1.25'],
      ] as const) {
        const setId = await blocks.use.factStore.createSet(tx, {
          structureId: 'struct_metrics',
          entityId: 'ent_1',
          periodStart: null,
          periodEnd: end,
          factsetType: 'metric',
          scenarioId: null,
          provenance: { origin: 'derived' },
          createdBy: 'user_1',
          now,
        });
        const fact = { periodEnd: end, value, unit: 'USD' } as const;
        await blocks.use.factStore.addFacts(
          tx,
          setId,
          [
            { ...fact, elementId: conceptId(blocks, 'Assets'), periodStart: null, periodType: 'instant' },
            { ...fact, elementId: conceptId(blocks, 'Revenues'), periodStart: '2026-01-01', periodType: 'duration' },
          ],
          now,
        );
      }
    });
    const { informationBlock } = await graph.query(`{ informationBlock(id: "struct_metrics") {
      factSet { periodEnd } facts { value } artifact { mechanics } view {
        rendering { periods { end } rows { values } }
        chart { panels { label itemType kind series { key elementId label } } } } } }`);
    expect(informationBlock.factSet).toEqual({ periodEnd: '2026-04-30' });
    expect(informationBlock.facts.map(({ value }: Loose) => value)).toEqual([1.5, 1.5, 1.25, 1.25]);
    expect(informationBlock.artifact.mechanics).toMatchObject({ kind: 'metric', unit: 'ratio' });
    // The sets have no start, and the movement of a metric starts where its operands start.
    const values = informationBlock.view.rendering.rows.map((row: Loose) => row.values);
    expect(values.slice(-2)).toEqual([
      [1.5, 1.25],
      [1.5, 1.25],
    ]);
    const series = ['Assets', 'Revenues']
      .map((name) => conceptId(blocks, name))
      .map((id) => ({ key: id, elementId: id }));
    expect(informationBlock.view.chart.panels).toMatchObject([{ kind: 'bar', series }]);
  });
});

async function insertMetricBlock(graphId: string, tx: Parameters<typeof statementsOf>[0]): Promise<void> {
  const at = '2026-05-06T12:00:00Z';
  await tx.query(sql`insert into taxonomy_structure (graph_id, id, taxonomy_id, name, block_type, created_by,
      created_at, updated_at)
    values (${graphId}, 'struct_metrics', 'tax_own', 'Key metrics', 'metric', 'user_1', ${at}, ${at})`);
  await tx.query(sql`insert into taxonomy_association (graph_id, id, structure_id, from_element_id, to_element_id,
      association_type, created_by, created_at, updated_at)
    select ${graphId}, n.name, 'struct_metrics', ${conceptId(blocks, 'StatementOfFinancialPositionAbstract')},
      n.id, 'presentation', 'user_1', ${at}::timestamptz, ${at}::timestamptz
    from (values ('assoc_1', ${conceptId(blocks, 'Assets')}), ('assoc_2', ${conceptId(blocks, 'Revenues')}))
      as n (name, id)`);
}
