/** @module-tag sessions */
// Goal: rules written by a taxonomy’s author are evaluated over facts, and a taxonomy with facts cannot be deleted.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BlockGraph, type BlocksService, type Loose, openGraph, startBlocks } from './blocks-service.ts';

const now = new Date('2026-05-04T12:00:00Z');
let blocks: BlocksService;
let graph: BlockGraph;
let taxonomyId: string;
let noteId: string;
let elementIds: ReadonlyMap<string, string>;
beforeAll(async () => {
  blocks = await startBlocks();
  graph = await openGraph(blocks);
  const { body } = await blocks.user.graphql('library', '{ libraryTaxonomy(standard: "rs-gaap") { id } }');
  const answer = await graph.operation('create-taxonomy-block', {
    name: 'Own concepts',
    taxonomy_type: 'reporting_extension',
    parent_taxonomy_id: body.data.libraryTaxonomy.id,
    elements: ['Fleet', 'FleetVans', 'FleetCars'].map((name) => ({
      qname: `acme:${name}`,
      name,
      trait: 'asset',
      balance_type: 'debit',
    })),
    structures: [{ name: 'Fleet', block_type: 'regulatory_disclosure', concept_arrangement: 'roll_up' }],
    associations: ['FleetVans', 'FleetCars'].flatMap((child, at) =>
      (['presentation', 'calculation'] as const).map((kind) => ({
        structure_ref: 'Fleet',
        from_ref: 'acme:Fleet',
        to_ref: `acme:${child}`,
        association_type: kind,
        order_value: at + 1,
        ...(kind === 'calculation' ? { weight: 1 } : {}),
      })),
    ),
    rules: [
      {
        name: 'More vans than cars',
        rule_category: 'ReportingSystemSpecificRule',
        rule_pattern: 'GreaterThan',
        expression: '$FleetVans > $FleetCars',
        variables: [
          { variable_name: 'FleetVans', variable_qname: 'acme:FleetVans' },
          { variable_name: 'FleetCars', variable_qname: 'acme:FleetCars' },
        ],
        target_element_qname: 'acme:FleetVans',
        severity: 'warning',
      },
    ],
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { result } = answer.body;
  taxonomyId = result.id;
  noteId = result.structures[0].id;
  elementIds = new Map(result.elements.map(({ qname, id }: Loose) => [qname, id]));
});
afterAll(() => blocks.service.close());

/** Writes a canonical month of the note, as a close does. */
const write = (values: Readonly<Record<string, string>>) =>
  blocks.inGraph(graph.id, async (tx) => {
    const { factStore } = blocks.use;
    const period = { periodStart: '2026-04-01', periodEnd: '2026-04-30' } as const;
    await factStore.deleteSets(tx, { structureIds: [noteId], scenario: 'all' });
    const setId = await factStore.createSet(tx, {
      ...period,
      structureId: noteId,
      entityId: 'ent_1',
      factsetType: 'disclosure',
      scenarioId: null,
      provenance: null,
      createdBy: 'user_1',
      now,
    });
    const facts = Object.entries(values).map(([name, value]) => ({
      ...period,
      elementId: elementIds.get(`acme:${name}`) ?? name,
      periodType: 'instant' as const,
      value,
      unit: 'USD',
    }));
    await factStore.addFacts(tx, setId, facts, now);
  });

const judged = async (): Promise<Loose> => {
  const answer = await graph.operation('evaluate-rules', { structure_id: noteId });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.result;
};
const messagesOf = (results: Loose[]) => results.flatMap(({ message }) => message ?? []).sort();

describe('taxonomy rules', () => {
  it('are evaluated: footing by the arcs and authored rules, with structural checks skipped (reporting R-3, R-6)', async () => {
    await write({ Fleet: '30', FleetVans: '20', FleetCars: '10' });
    const good = await judged();
    expect(good.summary).toMatchObject({ pass: 2, fail: 0, error: 0 });
    expect(good.summary.skipped).toBeGreaterThan(0);
    expect(new Set(messagesOf(good.results))).toEqual(new Set(['structural check; evaluated at taxonomy write']));
    await write({ Fleet: '31', FleetVans: '10', FleetCars: '20' });
    const bad = await judged();
    expect(messagesOf(bad.results)).toEqual(
      expect.arrayContaining(['greater than failed; residual = -10', 'rollup failed; residual = 1']),
    );
  });

  it('are listed with the block, except those about the taxonomy (reporting B-9)', async () => {
    const { informationBlock } = await graph.query(`{ informationBlock(id: "${noteId}") {
      blockType rules { rulePattern ruleCheckKind ruleSeverity ruleTarget { targetKind } } view { rendering { rows {
        elementQname values isSubtotal depth } } } } }`);
    expect(informationBlock.blockType).toBe('regulatory_disclosure');
    expect(informationBlock.rules).toContainEqual({
      rulePattern: 'GreaterThan',
      ruleCheckKind: null,
      ruleSeverity: 'warning',
      ruleTarget: { targetKind: 'element' },
    });
    expect(informationBlock.rules.map(({ ruleTarget }: Loose) => ruleTarget.targetKind)).not.toContain('taxonomy');
    expect(informationBlock.view.rendering.rows).toEqual([
      { elementQname: 'acme:Fleet', values: [31], isSubtotal: true, depth: 0 },
      { elementQname: 'acme:FleetVans', values: [10], isSubtotal: false, depth: 1 },
      { elementQname: 'acme:FleetCars', values: [20], isSubtotal: false, depth: 1 },
    ]);
  });
});

describe('a taxonomy with facts', () => {
  const remove = (more: object = {}) =>
    graph.operation('delete-taxonomy-block', { taxonomy_id: taxonomyId, reason: 'Not needed.', ...more });
  const stored = () =>
    blocks.inGraph(graph.id, (tx) => blocks.use.factStore.facts(tx, { structureIds: [noteId], scenario: 'all' }));

  it('keeps its elements and structures until the caller allows deleting their facts (taxonomy T-31, T-37)', async () => {
    const refused = await remove();
    expect(refused.status).toBe(422);
    expect(refused.body.detail).toContain('3 fact(s)');
    const update = { taxonomy_id: taxonomyId, elements_to_remove: ['acme:FleetCars'] };
    expect((await graph.operation('update-taxonomy-block', update)).status).toBe(422);
    const removal = { taxonomy_id: taxonomyId, structures_to_remove: [noteId] };
    const structureKept = await graph.operation('update-taxonomy-block', removal);
    expect(structureKept.status, JSON.stringify(structureKept.body)).toBe(422);
    expect(structureKept.body.detail).toContain('structure_has_facts');
    expect(await stored()).toHaveLength(3);
  });

  it('cannot be deleted while a closed month depends on it, whatever the caller allows (taxonomy T-40)', async () => {
    await blocks.inGraph(graph.id, async (tx) => {
      const { factStore } = blocks.use;
      const period = { periodStart: '2026-03-01', periodEnd: '2026-03-31' } as const;
      const month = { ...period, structureId: noteId, entityId: 'ent_1', scenarioId: null, provenance: null, now };
      const setId = await factStore.createSet(tx, { ...month, factsetType: 'report', createdBy: 'user_1' });
      const elementId = elementIds.get('acme:Fleet') ?? '';
      const fact = { ...period, elementId, periodType: 'instant', value: '1', unit: 'USD' } as const;
      await factStore.addFacts(tx, setId, [fact], now);
    });
    const refused = await remove({ cascade_facts: true });
    expect(refused.status).toBe(422);
    expect(refused.body.detail).toContain('2026-03');
    expect(await stored()).toHaveLength(4);
    await blocks.inGraph(graph.id, (tx) =>
      blocks.use.factStore.deleteSets(tx, {
        structureIds: [noteId],
        factsetTypes: ['report'],
        entityId: 'ent_1',
        scenario: 'all',
      }),
    );
  });

  it('is deleted with its facts, rules and results when the caller allows it (taxonomy T-38)', async () => {
    const answer = await remove({ cascade_facts: true });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.result).toMatchObject({ deleted: true, facts_deleted: 3 });
    expect(await stored()).toEqual([]);
    expect(await graph.query(`{ informationBlock(id: "${noteId}") { id } }`)).toEqual({ informationBlock: null });
  });
});
