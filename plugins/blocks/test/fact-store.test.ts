/** @module-tag sessions */
// Goal: facts are stored exactly and only once, and reads return only the requested scenario.
import { ServiceError, sql, type Transaction } from '@pacioli/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewFact, NewFactSet } from '../src/index.ts';
import type { BlocksDimension, BlocksFact } from '../src/rows.gen.ts';
import { type BlocksService, openGraph, startBlocks } from './blocks-service.ts';

const now = new Date('2026-05-04T12:00:00Z');
let blocks: BlocksService;
beforeAll(async () => {
  blocks = await startBlocks();
});
afterAll(() => blocks.service.close());

const set = (more: Partial<NewFactSet> = {}): NewFactSet => ({
  structureId: 'struct_bs',
  entityId: 'ent_1',
  periodStart: '2026-04-01',
  periodEnd: '2026-04-30',
  factsetType: 'report',
  scenarioId: null,
  provenance: { origin: 'pivot' },
  createdBy: 'user_1',
  now,
  ...more,
});
const fact = (more: Partial<NewFact> = {}): NewFact => ({
  elementId: 'elem_cash',
  periodStart: '2026-04-01',
  periodEnd: '2026-04-30',
  periodType: 'instant',
  value: '10.5',
  unit: 'USD',
  ...more,
});

/** Runs the work in a new graph. */
async function inNewGraph<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { id } = await openGraph(blocks);
  return blocks.inGraph(id, work);
}

/** The error code of a refused write. */
async function codeOf(write: Promise<unknown>): Promise<string> {
  const error = await write.then(
    () => undefined,
    (problem: unknown) => problem,
  );
  if (error instanceof ServiceError) return error.code;
  throw new Error(`It was not refused: ${String(error)}`);
}

describe('facts', () => {
  it('are read back exactly as written, to the sixth decimal place (reporting B-0.7, F-2, F-15)', async () => {
    const facts = await inNewGraph(async (tx) => {
      const { factStore } = blocks.use;
      const id = await factStore.createSet(tx, set());
      await factStore.addFacts(
        tx,
        id,
        [
          fact({ value: '123456789012345678.123456' }),
          fact({ elementId: 'elem_rent', value: '-0.000001', decimals: 'INF' }),
          fact({
            elementId: 'elem_note',
            value: null,
            unit: null,
            text: { value: 'Rent is paid **early**.', contentType: 'text/markdown' },
            provenance: { origin: 'document', document_id: 'doc_1' },
          }),
        ],
        now,
      );
      return factStore.facts(tx, { factSetIds: [id], scenario: 'actuals' });
    });
    expect(facts).toMatchObject([
      { elementId: 'elem_cash', value: '123456789012345678.123456', entityId: 'ent_1', factScope: 'in_scope' },
      { elementId: 'elem_note', factType: 'Nonnumeric', value: null, unit: null, contentType: 'text/markdown' },
      { elementId: 'elem_rent', value: '-0.000001', decimals: 'INF' },
    ]);
    expect(facts[1]).toMatchObject({ textValue: 'Rent is paid **early**.', provenance: { document_id: 'doc_1' } });
  });

  it('that are texts are read up to a number, and those that begin within a number of characters', async () => {
    const { factStore } = blocks.use;
    await inNewGraph(async (tx) => {
      const id = await factStore.createSet(tx, set());
      const text = (value: string) => ({ value: null, unit: null, text: { value, contentType: 'text/markdown' } });
      const given = ['aaaa', 'bbb', 'cc'].map((value, at) => fact({ elementId: `elem_${at}`, ...text(value) }));
      await factStore.addFacts(tx, id, [fact(), ...given], now);
      const read = async (facts: number, characters: number) => {
        const found = await factStore.textFacts(tx, [id], { facts, characters });
        return [found.facts.map(({ textValue }) => textValue).join(' '), found.total];
      };
      expect(await read(3, 8)).toEqual(['aaaa bbb cc', 3]);
      expect(await read(2, 8)).toEqual(['aaaa bbb', 3]);
      expect(await read(3, 7)).toEqual(['aaaa bbb', 3]);
      expect(await read(3, 4)).toEqual(['aaaa', 3]);
      expect(await factStore.textFacts(tx, [], { facts: 3, characters: 8 })).toEqual({ facts: [], total: 0 });
    });
  });

  it('occur once per set, with axis members making a different fact (reporting F-1, F-15)', async () => {
    const { factStore } = blocks.use;
    const member = (value: string) => ({
      members: [{ dimensionType: 'axis', axisElementId: 'elem_axis', value, displayName: value }],
    });
    const { id: graphId } = await openGraph(blocks);
    const setId = await blocks.inGraph(graphId, async (tx) => {
      const id = await factStore.createSet(tx, set());
      await factStore.addFacts(tx, id, [fact(), fact(member('north')), fact(member('south'))], now);
      return id;
    });
    const again = (each: NewFact) => blocks.inGraph(graphId, (tx) => factStore.addFacts(tx, setId, [each], now));
    expect(await codeOf(again(fact({ value: '11' })))).toBe('FACT_EXISTS');
    expect(await codeOf(again(fact({ ...member('north'), value: '11' })))).toBe('FACT_EXISTS');
    const stored = await blocks.inGraph(graphId, (tx) => factStore.facts(tx, { factSetIds: [setId], scenario: 'all' }));
    expect(stored.map(({ value }) => value)).toEqual(['10.5', '10.5', '10.5']);
  });

  it('distinguish the same member on two axes and store each axis once (reporting F-15)', async () => {
    const { factStore } = blocks.use;
    const on = (axisElementId: string) => ({
      members: [{ dimensionType: 'axis', axisElementId, value: 'north', displayName: 'North' }],
    });
    const axes = await inNewGraph(async (tx) => {
      const id = await factStore.createSet(tx, set());
      await factStore.addFacts(tx, id, [fact(on('elem_origin')), fact(on('elem_destination'))], now);
      await factStore.addFacts(tx, id, [fact({ ...on('elem_origin'), elementId: 'elem_rent' })], now);
      return tx.query(sql<{
        readonly element: BlocksFact['element_id'];
        readonly axis: BlocksDimension['axis_element_id'];
      }>`select f.element_id as element, d.axis_element_id as axis
        from blocks_fact f join blocks_fact_dimension l on l.graph_id = f.graph_id and l.fact_id = f.id
        join blocks_dimension d on d.graph_id = l.graph_id and d.id = l.dimension_id
        where f.fact_set_id = ${id} order by element, axis`);
    });
    expect(axes).toEqual([
      { element: 'elem_cash', axis: 'elem_destination' },
      { element: 'elem_cash', axis: 'elem_origin' },
      { element: 'elem_rent', axis: 'elem_origin' },
    ]);
  });

  it('are inserted 5,000 per statement and filtered by element, scope and period (reporting F-6)', async () => {
    const { factStore } = blocks.use;
    const scopeOf = (at: number) => (at === 7 || at === 8 ? 'historical' : 'in_scope');
    const many = Array.from({ length: 5_001 }, (_each, at) =>
      fact({ elementId: `elem_${at}`, value: String(at), factScope: scopeOf(at) }),
    );
    await inNewGraph(async (tx) => {
      const setId = await factStore.createSet(tx, set());
      await factStore.addFacts(tx, setId, many, now);
      const filter = { factSetIds: [setId], scenario: 'actuals' } as const;
      expect(await factStore.facts(tx, filter)).toHaveLength(5_001);
      expect(await factStore.facts(tx, { ...filter, scope: 'historical' })).toHaveLength(2);
      expect(await factStore.facts(tx, { ...filter, endingFrom: '2026-05-01' })).toEqual([]);
      expect(await factStore.deleteFacts(tx, { ...filter, elementIds: ['elem_7'] })).toBe(1);
      expect(await factStore.facts(tx, { ...filter, endingThrough: '2026-04-30' })).toHaveLength(5_000);
    });
  });
});

describe('fact sets', () => {
  it('of plans are excluded from actuals (reporting F-11)', async () => {
    await inNewGraph(async (tx) => {
      const { factStore } = blocks.use;
      const [actual = '', planned = ''] = await factStore.createSets(tx, [set(), set({ scenarioId: 'struct_plan' })]);
      await factStore.addFacts(tx, actual, [fact({ value: '1' })], now);
      await factStore.addFacts(tx, planned, [fact({ value: '2' })], now);
      const values = async (scenario: Parameters<typeof factStore.facts>[1]['scenario']) =>
        (await factStore.facts(tx, { structureIds: ['struct_bs'], scenario })).map(({ value }) => value).sort();
      expect(await values('actuals')).toEqual(['1']);
      expect(await values({ id: 'struct_plan' })).toEqual(['2']);
      expect(await values('all')).toEqual(['1', '2']);
    });
  });

  it.each([
    ['month of the books', {}],
    ['month of a plan', { scenarioId: 'struct_plan' }],
    ['schedule', { factsetType: 'schedule' as const }],
    ['metric', { factsetType: 'metric' as const }],
    ['disclosure', { factsetType: 'disclosure' as const }],
    ['reconciliation', { factsetType: 'reconciliation' as const }],
    ['page of a report', { reportId: 'rpt_1' }],
  ])('conflict with a second standing %s (reporting F-10)', async (_name, more) => {
    const { id } = await openGraph(blocks);
    const create = (each: NewFactSet) => blocks.inGraph(id, (tx) => blocks.use.factStore.createSet(tx, each));
    await create(set(more));
    await create(set({ ...more, structureId: 'struct_other' }));
    expect(await codeOf(create(set(more)))).toBe('FACT_SET_EXISTS');
    const sets = await blocks.inGraph(id, (tx) =>
      blocks.use.factStore.sets(tx, { structureIds: ['struct_bs', 'struct_other'], scenario: 'all' }),
    );
    expect(sets).toHaveLength(2);
  });

  it('are listed newest first, canonical before a report of the same period (reporting F-13)', async () => {
    await inNewGraph(async (tx) => {
      const { factStore } = blocks.use;
      const later = new Date('2026-05-05T12:00:00Z');
      const ids = await factStore.createSets(tx, [
        set({ periodStart: '2026-03-01', periodEnd: '2026-03-31', now: later }),
        set(),
        set({ reportId: 'rpt_1', now: later }),
      ]);
      const found = await factStore.sets(tx, { structureIds: ['struct_bs'], scenario: 'actuals' });
      expect(found.map(({ id }) => id)).toEqual([ids[1], ids[2], ids[0]]);
    });
  });

  it('are deleted with their facts, separately for the close and for reports (reporting F-9, F-12)', async () => {
    await inNewGraph(async (tx) => {
      const { factStore } = blocks.use;
      const [month = '', page = ''] = await factStore.createSets(tx, [set(), set({ reportId: 'rpt_1' })]);
      await factStore.addFacts(tx, month, [fact()], now);
      await factStore.addFacts(tx, page, [fact()], now);
      const window = { start: '2026-04-01', end: '2026-04-30' };
      const ofClose = { structureIds: ['struct_bs'], window, reportId: null, scenario: 'actuals' } as const;
      expect(await factStore.deleteSets(tx, ofClose)).toBe(1);
      const left = await factStore.facts(tx, { factSetIds: [month, page], scenario: 'all' });
      expect(left.map(({ factSetId }) => factSetId)).toEqual([page]);
      expect(await factStore.deleteSets(tx, { reportId: 'rpt_1', scenario: 'all' })).toBe(1);
      await expect(factStore.deleteSets(tx, { scenario: 'all' })).rejects.toThrow('other than the scenario');
    });
  });

  it('that are final refuse changes, also by SQL, and take none of their neighbors with them (reporting P-16)', async () => {
    const { factStore } = blocks.use;
    const { id } = await openGraph(blocks);
    const inGraph = <T>(work: (tx: Transaction) => Promise<T>) => blocks.inGraph(id, work);
    const [filed = '', open = ''] = await inGraph((tx) =>
      factStore.createSets(tx, [set({ reportId: 'rpt_1' }), set({ reportId: 'rpt_2' })]),
    );
    const factsOf = (setId: string, elementId = 'elem_cash') => ({ setId, facts: [fact({ elementId })] });
    await inGraph((tx) => factStore.addFactsToSets(tx, [factsOf(filed), factsOf(open)], now));
    const report = { reportId: 'rpt_1', scenario: 'all' } as const;
    expect(await inGraph((tx) => factStore.finalizeSets(tx, report))).toBe(1);
    expect(await inGraph((tx) => factStore.finalizeSets(tx, report))).toBe(0);
    const refusals: readonly ((tx: Transaction) => Promise<unknown>)[] = [
      (tx) => factStore.addFacts(tx, filed, [fact({ elementId: 'elem_rent' })], now),
      (tx) => factStore.addFactsToSets(tx, [factsOf(open, 'elem_rent'), factsOf(filed, 'elem_rent')], now),
      (tx) => factStore.deleteFacts(tx, { factSetIds: [filed], scenario: 'all' }),
      (tx) => factStore.deleteSets(tx, report),
    ];
    for (const refused of refusals) expect(await codeOf(inGraph(refused))).toBe('FACT_SET_FINAL');
    const statements = [
      sql`update blocks_fact set value = 2 where fact_set_id = ${filed}`,
      sql`update blocks_fact set fact_set_id = ${filed}, element_id = 'elem_rent' where fact_set_id = ${open}`,
      sql`update blocks_fact_set set is_final = false where id = ${filed}`,
    ];
    for (const statement of statements) {
      await expect(inGraph((tx) => tx.query(statement))).rejects.toMatchObject({ constraint: 'blocks_fact_set_final' });
    }
    const left = await inGraph((tx) => factStore.facts(tx, { factSetIds: [filed, open], scenario: 'all' }));
    expect(left.map(({ factSetId, elementId, value }) => [factSetId, elementId, value]).sort()).toEqual(
      [filed, open].map((setId) => [setId, 'elem_cash', left[0]?.value]).sort(),
    );
    expect(await inGraph((tx) => factStore.deleteSets(tx, { reportId: 'rpt_2', scenario: 'all' }))).toBe(1);
  });

  it('are visible only in their own graph', async () => {
    const [one, other] = [await openGraph(blocks), await openGraph(blocks)];
    const id = await blocks.inGraph(one.id, (tx) => blocks.use.factStore.createSet(tx, set()));
    const read = { factSetIds: [id], scenario: 'all' } as const;
    expect(await blocks.inGraph(other.id, (tx) => blocks.use.factStore.sets(tx, read))).toEqual([]);
    expect(await blocks.inGraph(one.id, (tx) => blocks.use.factStore.sets(tx, read))).toHaveLength(1);
  });
});
