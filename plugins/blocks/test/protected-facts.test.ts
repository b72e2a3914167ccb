// Goal: facts of filed reports and closed months protect the elements and structures that they depend on (taxonomy
// T-40).
// Method: a real service; fact sets are written through the fact store, and a plugin of the test owns reports.
import { contribute } from '@pacioli/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type NewFactSet, reportFilings } from '../src/index.ts';
import { type BlockGraph, type BlocksService, type Loose, monthOf, openGraph, startBlocks } from './blocks-service.ts';

const now = new Date('2026-05-04T12:00:00Z');
const filed = new Set<string>();
let blocks: BlocksService;
let graph: BlockGraph;
let gaapId: string;
let own: Loose;

beforeAll(async () => {
  const owner = contribute(reportFilings, 'test-reports', {
    create: () => ({ immutable: async (_tx, ids) => ids.filter((id) => filed.has(id)) }),
  });
  blocks = await startBlocks([owner]);
  const { body } = await blocks.user.graphql('library', '{ libraryTaxonomy(standard: "rs-gaap") { id } }');
  gaapId = body.data.libraryTaxonomy.id;
});
beforeEach(async () => {
  filed.clear();
  graph = await openGraph(blocks);
  const answer = await graph.operation('create-taxonomy-block', {
    name: 'Own concepts',
    taxonomy_type: 'reporting_extension',
    parent_taxonomy_id: gaapId,
    elements: ['Fleet', 'Crew'].map((name) => ({
      qname: `acme:${name}`,
      name,
      trait: 'asset',
      period_type: 'instant',
    })),
    structures: ['Fleet note', 'Crew note'].map((name) => ({ name, block_type: 'regulatory_disclosure' })),
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  own = answer.body.result;
});
afterAll(() => blocks.service.close());

const named = (list: Loose[], name: string): string => list.find((each) => each.name === name).id;

/** Writes one fact on the element Fleet in the structure of its note. */
const write = (month: string, more: Partial<NewFactSet> = {}) =>
  blocks.inGraph(graph.id, async (tx) => {
    const { start, end } = monthOf(month);
    const period = { periodStart: start, periodEnd: end } as const;
    const structureId = named(own.structures, 'Fleet note');
    const head = { ...period, structureId, entityId: 'ent_1', factsetType: 'report', scenarioId: null } as const;
    const setId = await blocks.use.factStore.createSet(tx, { ...head, provenance: null, createdBy: 'u', now, ...more });
    const elementId = named(own.elements, 'Fleet');
    const fact = { ...period, elementId, periodType: 'instant', value: '1', unit: 'USD' } as const;
    await blocks.use.factStore.addFacts(tx, setId, [fact], now);
  });

/** All rows that a refused request must leave unchanged. */
const everything = async (): Promise<Loose> => ({
  ...(await graph.query(`{ taxonomyBlock(id: "${own.id}") { elements { id balanceType periodType trait }
    structures { id } } }`)),
  facts: await blocks.inGraph(graph.id, (tx) =>
    blocks.use.factStore.facts(tx, { structureIds: [named(own.structures, 'Fleet note')], scenario: 'all' }),
  ),
});

const refusedFor = async (name: string, body: object): Promise<string> => {
  const before = await everything();
  const answer = await graph.operation(name, { taxonomy_id: own.id, ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(422);
  expect(await everything()).toEqual(before);
  return answer.body.detail;
};
const done = async (name: string, body: object): Promise<Loose> => {
  const answer = await graph.operation(name, { taxonomy_id: own.id, ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.result;
};

const patches: readonly [string, object][] = [
  ['its balance side', { balance_type: 'debit' }],
  ['its period type', { period_type: 'duration' }],
  ['its trait', { trait: 'liability' }],
];

describe('an element with facts of a closed month', () => {
  it.each(patches)('rejects a change of %s and names the sets and months (taxonomy T-40 b)', async (_what, patch) => {
    await write('2026-01');
    await write('2026-03');
    const message = await refusedFor('update-taxonomy-block', {
      elements_to_update: [{ qname: 'acme:Fleet', ...patch }],
    });
    expect(message).toContain('[delta_validation/protected_facts]');
    expect(message).toContain('2 protected fact set(s), 2026-01–2026-03');
    expect(message).toContain('Reopen the latest closed month first, down to 2026-01');
  });

  it('can be renamed, and another element can change its balance side (taxonomy T-40 b)', async () => {
    await write('2026-01');
    await done('update-taxonomy-block', {
      elements_to_update: [
        { qname: 'acme:Fleet', name: 'All vans' },
        { qname: 'acme:Crew', balance_type: 'debit' },
      ],
    });
  });

  it.each<[string, Partial<NewFactSet>]>([
    ['a plan', { scenarioId: 'scn_1' }],
    ['a schedule', { factsetType: 'schedule' }],
    ['a draft report', { reportId: 'rpt_draft' }],
    ['a filed report, which the change does not destroy', { reportId: 'rpt_filed' }],
  ])('can change while the fact belongs to %s (taxonomy T-40)', async (_what, more) => {
    filed.add('rpt_filed');
    await write('2026-01', more);
    await done('update-taxonomy-block', { elements_to_update: [{ qname: 'acme:Fleet', balance_type: 'debit' }] });
  });
});

describe('deleting what facts depend on', () => {
  it.each<[string, Partial<NewFactSet>, RegExp]>([
    [
      'a closed month',
      {},
      /1 protected fact set\(s\), 2026-02\. Reopen the latest closed month first, down to 2026-02/,
    ],
    ['a filed report', { reportId: 'rpt_filed' }, /1 protected fact set\(s\), 2026-02\. A report that is filed/],
  ])('is rejected for %s: structure, element or taxonomy (taxonomy T-40 a, b)', async (_what, more, message) => {
    filed.add('rpt_filed');
    await write('2026-02', more);
    const structure = { structures_to_remove: [named(own.structures, 'Fleet note')] };
    expect(await refusedFor('update-taxonomy-block', structure)).toMatch(message);
    expect(await refusedFor('update-taxonomy-block', { elements_to_remove: ['acme:Fleet'] })).toMatch(message);
    expect(await refusedFor('delete-taxonomy-block', { reason: 'x', cascade_facts: true })).toMatch(message);
    await done('update-taxonomy-block', { structures_to_remove: [named(own.structures, 'Crew note')] });
  });

  it('deletes the facts of a draft report when the caller allows it (taxonomy T-37)', async () => {
    await write('2026-02', { reportId: 'rpt_draft' });
    const deleted = await done('delete-taxonomy-block', { reason: 'x', cascade_facts: true });
    expect(deleted).toMatchObject({ deleted: true, facts_deleted: 1 });
  });
});
