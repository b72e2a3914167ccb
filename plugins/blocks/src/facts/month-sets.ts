import { columnsOf, type Ids, sql, type Transaction } from '@pacioli/core';
import type { NewFact, NewMonthSet } from '../models/facts.ts';
import type { BlocksFactSet } from '../rows.gen.ts';
import { countDeleted } from './count-deleted.ts';
import { deleteFacts, insertFacts } from './facts.ts';

const maxSetsPerCall = 1_000;

const keyColumns = columnsOf<BlocksFactSet>()('id', 'structure_id', 'period_start', 'period_end');

/**
 * Replaces the facts and the provenance of statements that belong to no report, by structure, entity, scenario and
 * window; missing sets are created and existing ones keep their id. The rows are locked in order, so that
 * concurrent calls for the same sets wait. Returns the ids in input order.
 */
export async function replaceMonthSets(
  tx: Transaction,
  sets: readonly { readonly set: NewMonthSet; readonly facts: readonly NewFact[] }[],
  options: { readonly ids: Ids; readonly now: Date },
): Promise<readonly string[]> {
  if (sets.length > maxSetsPerCall) throw new Error(`At most ${maxSetsPerCall} fact sets are written at once.`);
  const rows = sets.map(({ set }) => ({
    id: options.ids.make('fs'),
    structure_id: set.structureId,
    entity_id: set.entityId,
    period_start: set.periodStart,
    period_end: set.periodEnd,
    scenario_id: set.scenarioId,
    provenance: set.provenance,
    created_by: set.createdBy,
    created_at: options.now.toISOString(),
  }));
  const written = await tx.query(sql<Pick<BlocksFactSet, 'id' | 'structure_id' | 'period_start' | 'period_end'>>`
    insert into blocks_fact_set (graph_id, factset_type, id, structure_id, entity_id, period_start, period_end,
      scenario_id, provenance, created_by, created_at)
    select ${tx.graphId}, 'report', r.* from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id text,
      structure_id text, entity_id text, period_start date, period_end date, scenario_id text, provenance jsonb,
      created_by text, created_at timestamptz) order by r.structure_id, r.period_end
    on conflict (graph_id, structure_id, entity_id, scenario_id, period_start, period_end)
      where factset_type = 'report' and report_id is null and structure_id is not null
    do update set provenance = excluded.provenance
    returning ${keyColumns}`);
  const idOf = new Map(written.map((row) => [`${row.structure_id} ${row.period_start} ${row.period_end}`, row.id]));
  const placed = sets.map(({ set, facts }) => {
    const setId = idOf.get(`${set.structureId} ${set.periodStart} ${set.periodEnd}`);
    if (setId === undefined) throw new Error('A month set was written without an id.');
    return { setId, facts };
  });
  const setIds = placed.map(({ setId }) => setId);
  if (setIds.length > 0) await deleteFacts(tx, { scenario: 'all', factSetIds: setIds });
  await insertFacts(tx, placed, options);
  return setIds;
}

/** Deletes the sets of a scenario with their facts and results, and the scenario's dimension. */
export async function removeScenario(tx: Transaction, scenarioId: string): Promise<number> {
  const removed = await countDeleted(
    tx,
    sql`delete from blocks_fact_set where graph_id = ${tx.graphId} and scenario_id = ${scenarioId}`,
  );
  await tx.query(sql`delete from blocks_dimension
    where graph_id = ${tx.graphId} and dimension_type = 'scenario' and value = ${scenarioId}`);
  return removed;
}

/** The number of sets of the structures in each scenario; scenarios without any are absent. */
export async function countScenarioSets(
  tx: Transaction,
  filter: { readonly structureIds: readonly string[]; readonly scenarioIds: readonly string[] },
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query(sql<{
    readonly scenario_id: NonNullable<BlocksFactSet['scenario_id']>;
    readonly sets: number;
  }>`
    select scenario_id, count(*)::int as sets from blocks_fact_set
    where graph_id = ${tx.graphId} and structure_id = any(${[...filter.structureIds]}::text[])
      and scenario_id = any(${[...filter.scenarioIds]}::text[]) and factset_type = 'report' and report_id is null
    group by scenario_id`);
  return new Map(rows.map(({ scenario_id, sets }) => [scenario_id, sets]));
}
