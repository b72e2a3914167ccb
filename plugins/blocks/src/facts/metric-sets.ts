import { type Ids, sql, type Transaction } from '@pacioli/core';
import type { NewFact, NewMetricSet, ReplacedSet } from '../models/facts.ts';
import type { BlocksFactSet } from '../rows.gen.ts';
import { deleteFacts, insertFacts } from './facts.ts';

/**
 * Replaces the facts of the metric set of a structure, entity, date and scenario, and its provenance; a missing set is
 * created unless there are no facts (M-9). The row of the set is locked first, so that concurrent runs wait.
 */
export async function replaceMetricSet(
  tx: Transaction,
  set: NewMetricSet,
  facts: readonly NewFact[],
  ids: Ids,
): Promise<ReplacedSet> {
  const { id: setId, isNew } = facts.length === 0 ? await restampSet(tx, set) : await upsertSet(tx, set, ids);
  if (setId === null) return { setId: null, isReplaced: false };
  if (!isNew) await deleteFacts(tx, { scenario: 'all', factSetIds: [setId] });
  await insertFacts(tx, [{ setId, facts }], { ids, now: set.now });
  return { setId, isReplaced: !isNew };
}

interface StampedSet {
  readonly id: string | null;
  readonly isNew: boolean;
}

async function restampSet(tx: Transaction, set: NewMetricSet): Promise<StampedSet> {
  const [row] = await tx.query(sql<Pick<BlocksFactSet, 'id'>>`
    update blocks_fact_set set provenance = ${JSON.stringify(set.provenance)}::text::jsonb,
      period_start = ${set.periodStart}::date
    where graph_id = ${tx.graphId} and structure_id = ${set.structureId} and entity_id = ${set.entityId}
      and period_end = ${set.periodEnd}::date and scenario_id is not distinct from ${set.scenarioId}::text
      and factset_type = 'metric' and report_id is null
    returning id`);
  return { id: row?.id ?? null, isNew: false };
}

async function upsertSet(tx: Transaction, set: NewMetricSet, ids: Ids): Promise<StampedSet> {
  // A row without an updating transaction (xmax) was inserted by this statement.
  const [row] = await tx.query(sql<Pick<BlocksFactSet, 'id'> & { readonly isNew: boolean }>`
    insert into blocks_fact_set (graph_id, id, structure_id, entity_id, period_start, period_end, factset_type,
      scenario_id, provenance, created_by, created_at)
    values (${tx.graphId}, ${ids.make('fs')}, ${set.structureId}, ${set.entityId}, ${set.periodStart}::date,
      ${set.periodEnd}::date, 'metric', ${set.scenarioId}, ${JSON.stringify(set.provenance)}::text::jsonb,
      ${set.createdBy}, ${set.now.toISOString()}::timestamptz)
    on conflict (graph_id, structure_id, entity_id, period_end, scenario_id)
      where factset_type = 'metric' and report_id is null
    do update set provenance = excluded.provenance, period_start = excluded.period_start
    returning id, xmax = 0 as "isNew"`);
  if (row === undefined) throw new Error('A metric set was written without an id.');
  return row;
}
