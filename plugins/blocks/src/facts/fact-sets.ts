import { columnsOf, type Ids, type RowOf, ServiceError, StoreError, sql, type Transaction } from '@pacioli/core';
import type { FactSetFilter, NewFactSet, StoredFactSet } from '../models/facts.ts';
import type { BlocksFactSet } from '../rows.gen.ts';
import { countDeleted } from './count-deleted.ts';
import { setConditions } from './fact-conditions.ts';
import { refuseFinal } from './final-sets.ts';

const maxSetsPerCall = 1_000;
const maxSetsRead = 5_000;

/** Inserts the sets with one statement; a second one of which its type allows only one is a conflict (F-10). */
export async function insertSets(tx: Transaction, sets: readonly NewFactSet[], ids: Ids): Promise<readonly string[]> {
  if (sets.length > maxSetsPerCall) throw new Error(`At most ${maxSetsPerCall} fact sets are written at once.`);
  const rows = sets.map((set) => ({
    id: ids.make('fs'),
    structure_id: set.structureId,
    entity_id: set.entityId,
    period_start: set.periodStart,
    period_end: set.periodEnd,
    factset_type: set.factsetType,
    report_id: set.reportId ?? null,
    scenario_id: set.scenarioId,
    provenance: set.provenance,
    created_by: set.createdBy,
    created_at: set.now.toISOString(),
  }));
  if (rows.length === 0) return [];
  try {
    await tx.query(sql`
      insert into blocks_fact_set (graph_id, id, structure_id, entity_id, period_start, period_end, factset_type,
        report_id, scenario_id, provenance, created_by, created_at)
      select ${tx.graphId}, r.* from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id text,
        structure_id text, entity_id text, period_start date, period_end date, factset_type text, report_id text,
        scenario_id text, provenance jsonb, created_by text, created_at timestamptz)`);
  } catch (error) {
    throw error instanceof StoreError && error.code === 'unique' ? setExists(error) : error;
  }
  return rows.map(({ id }) => id);
}

/**
 * Creates the disclosure set of a structure, entity and period, or updates its provenance, and returns its id.
 * Concurrent bindings to the same set wait until this transaction ends (T-4).
 */
export async function upsertDisclosureSet(
  tx: Transaction,
  set: Omit<NewFactSet, 'factsetType' | 'reportId' | 'scenarioId'>,
  ids: Ids,
): Promise<string> {
  const [row] = await tx.query(sql<Pick<BlocksFactSet, 'id'>>`
    insert into blocks_fact_set (graph_id, id, structure_id, entity_id, period_start, period_end, factset_type,
      provenance, created_by, created_at)
    values (${tx.graphId}, ${ids.make('fs')}, ${set.structureId}, ${set.entityId}, ${set.periodStart}::date,
      ${set.periodEnd}::date, 'disclosure', ${JSON.stringify(set.provenance)}::text::jsonb, ${set.createdBy},
      ${set.now.toISOString()}::timestamptz)
    on conflict (graph_id, structure_id, entity_id, period_start, period_end)
      where factset_type = 'disclosure' and report_id is null
    do update set provenance = excluded.provenance returning id`);
  if (row === undefined) throw new Error('A disclosure set was written without an id.');
  return row.id;
}

/** The matching sets, newest first, canonical before snapshots of the same period (B-7, F-13). */
export async function readSets(tx: Transaction, filter: FactSetFilter): Promise<readonly StoredFactSet[]> {
  const rows = await tx.query(sql<FactSetRow>`select ${setColumns} from blocks_fact_set s
    where ${setConditions(tx, filter)} order by ${newestFirst} limit ${maxSetsRead}`);
  return rows.map(setOf);
}

/** Deletes the matching sets; their facts and results are deleted with them (F-9). */
export async function deleteSets(tx: Transaction, filter: FactSetFilter): Promise<number> {
  return countDeleted(tx, sql`delete from blocks_fact_set s where ${setConditions(tx, filter)}`).catch(refuseFinal);
}

export const setColumns = columnsOf<BlocksFactSet>('s')(
  'id',
  'structure_id',
  'entity_id',
  'period_start',
  'period_end',
  'factset_type',
  'report_id',
  'scenario_id',
  'provenance',
  'created_at',
);

export type FactSetRow = RowOf<typeof setColumns> & { readonly provenance: Readonly<Record<string, unknown>> | null };

/** Reporting B-7 and F-13; the id breaks ties between sets created at the same instant. */
export const newestFirst = sql`s.period_end desc, s.report_id is not null, s.created_at desc, s.id desc`;

/** Converts a row to camelCase names. */
export function setOf(row: FactSetRow): StoredFactSet {
  return {
    id: row.id,
    structureId: row.structure_id,
    entityId: row.entity_id,
    periodStart: row.period_start,
    periodEnd: row.period_end,
    factsetType: row.factset_type,
    reportId: row.report_id,
    scenarioId: row.scenario_id,
    provenance: row.provenance,
    createdAt: row.created_at,
  };
}

function setExists(cause: unknown): ServiceError {
  return new ServiceError(
    'conflict',
    'FACT_SET_EXISTS',
    'A fact set for this subject and period already exists. Delete or replace it first.',
    { cause },
  );
}
