import { columnsOf, type RawBuilder, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { VerificationResult } from '../models/rules.ts';
import type { BlocksVerificationResult } from '../rows.gen.ts';
import type { BlockingFailure } from '../tokens.ts';

const maxRunsKept = 20;
const maxResultsPerStructure = 1_000;
const maxFailuresRead = 100;

export interface ResultStamp {
  readonly runId: string;
  readonly userId: string;
}

/** Inserts the results of one run and deletes all but the newest 20 runs of each structure and set. */
export async function insertResults(
  tx: Transaction,
  results: readonly VerificationResult[],
  { runId, userId }: ResultStamp,
): Promise<void> {
  if (results.length === 0) return;
  const rows = results.map((result) => ({
    id: result.id,
    rule_id: result.ruleId,
    structure_id: result.structureId,
    fact_set_id: result.factSetId,
    period_start: result.periodStart,
    period_end: result.periodEnd,
    status: result.status,
    severity: result.severity,
    message: result.message,
    detail: result.detail,
    evaluated_at: result.evaluatedAt.toISOString(),
  }));
  await tx.query(sql`
    insert into blocks_verification_result (graph_id, run_id, created_by, id, rule_id, structure_id, fact_set_id,
      period_start, period_end, status, severity, message, detail, evaluated_at)
    select ${tx.graphId}, ${runId}, ${userId}, r.* from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as r(id text, rule_id text, structure_id text, fact_set_id text, period_start date, period_end date, status text,
        severity text, message text, detail jsonb, evaluated_at timestamptz)`);
  const structureIds = [...new Set(results.map(({ structureId }) => structureId))];
  await tx.query(sql`
    delete from blocks_verification_result r using (
      select structure_id, fact_set_id, run_id, row_number() over (
        partition by structure_id, fact_set_id order by max(evaluated_at) desc, run_id desc) as place
      from blocks_verification_result
      where graph_id = ${tx.graphId} and structure_id = any(${structureIds}::text[])
      group by structure_id, fact_set_id, run_id) old
    where r.graph_id = ${tx.graphId} and r.structure_id = old.structure_id and r.run_id = old.run_id
      and r.fact_set_id is not distinct from old.fact_set_id and old.place > ${maxRunsKept}`);
}

/** A structure with the set that was checked; null for a check without a set. */
type CheckedSet = Pick<VerificationResult, 'structureId' | 'factSetId'>;

/** The pairs as rows `p`. */
function pairRows(pairs: readonly CheckedSet[]): RawBuilder<unknown> {
  const rows = pairs.map(({ structureId, factSetId }) => ({ structure_id: structureId, fact_set_id: factSetId }));
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as p(structure_id text, fact_set_id text)`;
}

/** Deletes the results of earlier runs for these structures and sets. */
export async function deleteResults(tx: Transaction, pairs: readonly CheckedSet[]): Promise<void> {
  await tx.query(sql`
    delete from blocks_verification_result r using ${pairRows(pairs)}
    where r.graph_id = ${tx.graphId} and r.structure_id = p.structure_id
      and r.fact_set_id is not distinct from p.fact_set_id`);
}

const resultColumns = columnsOf<BlocksVerificationResult>('v')({
  id: 'id',
  ruleId: 'rule_id',
  structureId: 'structure_id',
  factSetId: 'fact_set_id',
  status: 'status',
  severity: 'severity',
  message: 'message',
  periodStart: 'period_start',
  periodEnd: 'period_end',
  detail: 'detail',
  evaluatedAt: 'evaluated_at',
});

const failureColumns = columnsOf<BlocksVerificationResult>('v')({
  ruleId: 'rule_id',
  structureId: 'structure_id',
  message: 'message',
});

type ResultRow = RowOf<typeof resultColumns> & Pick<VerificationResult, 'detail'>;

/** The current results of a block: those of its shown set and those without a set, newest first (B-10). */
export async function readResults(
  tx: Transaction,
  shown: readonly CheckedSet[],
): Promise<readonly VerificationResult[]> {
  return tx.query(sql<ResultRow>`select ${resultColumns}
    from ${pairRows(shown)}
    cross join lateral (select * from blocks_verification_result r
      where r.graph_id = ${tx.graphId} and r.structure_id = p.structure_id
        and (r.fact_set_id is null or r.fact_set_id = p.fact_set_id)
      order by r.evaluated_at desc, r.id desc limit ${maxResultsPerStructure}) v
    order by v.evaluated_at desc, v.id desc`);
}

/** The failed rules of severity error in the newest run over each set, by structure and rule (P-21). */
export async function readBlockingFailures(
  tx: Transaction,
  factSetIds: readonly string[],
): Promise<readonly BlockingFailure[]> {
  return tx.query(sql<BlockingFailure>`select ${failureColumns}
    from blocks_verification_result v
    where v.graph_id = ${tx.graphId} and v.fact_set_id = any(${[...factSetIds]}::text[])
      and v.status = 'fail' and v.severity = 'error'
      and v.run_id = (select n.run_id from blocks_verification_result n
        where n.graph_id = v.graph_id and n.fact_set_id = v.fact_set_id
        order by n.evaluated_at desc, n.run_id desc limit 1)
    order by v.structure_id, v.rule_id limit ${maxFailuresRead}`);
}
