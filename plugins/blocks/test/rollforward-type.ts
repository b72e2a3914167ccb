import { type Contribution, contribute, invalidInput, kernel, notFound, sql, type Transaction } from '@pacioli/core';
import { type BlockType, type BlockWork, blockTypes, factStore, reportingEntities, ruleStore } from '../src/index.ts';

/**
 * A declarative block type as a plugin would contribute it: turns parameters into a structure with an arc and a rule.
 */
export const rollforwardType: Contribution = contribute(blockTypes, 'rollforward', {
  services: { ids: kernel.ids, ruleStore, factStore },
  create: ({ ids, ruleStore: rules, factStore: facts }): Omit<BlockType, 'key'> => ({
    displayName: 'Rollforward',
    displayPlural: 'Rollforwards',
    category: 'Reporting',
    icon: 'repeat',
    description: 'How a balance came about.',
    mode: 'declarative',
    conceptArrangement: 'roll_forward',
    memberArrangement: null,
    surfacesInLibrary: false,
    factsShown: 'none',
    async create(work, payload) {
      const structureId = ids.make('struct');
      await insertStructure(work, structureId, payload);
      await rules.add(work.tx, [
        {
          structureId,
          name: 'there is a balance',
          category: 'ToDoManualTask',
          pattern: 'Exists',
          checkKind: null,
          expression: '$Source',
          variables: [{ name: 'Source', elementId: null, qname: String(payload['bs_source_qname']) }],
          target: { kind: 'structure', id: structureId },
          createdBy: work.userId,
          now: work.now,
        },
      ]);
      // Refuses late on purpose, so that earlier writes have to be rolled back.
      if (payload['validation_mode'] === 'strict') throw invalidInput('This type is never strict.');
      return { structureId };
    },
    async update(work, payload) {
      const structureId = String(payload['structure_id']);
      await work.tx.query(sql`update taxonomy_structure set name = ${String(payload['name'])}
        where graph_id = ${work.graphId} and id = ${structureId}`);
      return { structureId };
    },
    async remove(work, payload) {
      const structureId = String(payload['structure_id']);
      await rules.removeByStructure(work.tx, [structureId]);
      const [row] = await work.tx.query(sql<{ name: string }>`
        select name from taxonomy_structure where graph_id = ${work.graphId} and id = ${structureId}`);
      // Simulates a missing prerequisite of a block that exists.
      if (row?.name === 'Lost') throw notFound('Element not found: elem_lost');
      await facts.deleteSets(work.tx, { structureIds: [structureId], scenario: 'all' });
      await work.tx.query(sql`delete from taxonomy_structure where graph_id = ${work.graphId} and id = ${structureId}`);
    },
    mechanics: readMechanics,
  }),
});

/** The reporting entity of the tests. */
export const oneEntity: Contribution = contribute(reportingEntities, 'test', {
  create: () => ({ defaultId: async () => 'ent_1', has: async (_tx, id) => id === 'ent_1' }),
});

async function insertStructure(
  { tx, graphId, userId, now }: BlockWork,
  id: string,
  payload: Readonly<Record<string, unknown>>,
): Promise<void> {
  const metadata = JSON.stringify({ bs_source_qname: payload['bs_source_qname'], renderer_note: 'in thousands' });
  await tx.query(sql`insert into taxonomy_structure (graph_id, id, taxonomy_id, name, description, block_type, metadata,
      created_by, created_at, updated_at)
    values (${graphId}, ${id}, 'tax_own', ${String(payload['name'])}, 'How it moved', 'rollforward',
      ${metadata}::text::jsonb, ${userId}, ${now.toISOString()}, ${now.toISOString()})`);
}

async function readMechanics(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, object>> {
  const rows = await tx.query(sql<{ id: string; qname: string }>`
    select id, metadata->>'bs_source_qname' as qname from taxonomy_structure where id = any(${[...ids]}::text[])`);
  return new Map(
    rows.map(({ id, qname }) => [
      id,
      {
        kind: 'rollforward',
        bs_source_element_id: 'elem_source',
        bs_source_qname: qname,
        attribution_filters: [],
        validation_mode: 'residual_as_default',
      },
    ]),
  );
}
