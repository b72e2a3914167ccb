import { sql, type Transaction } from '@pacioli/core';
import type { GraphBuildFailure } from '../rows.gen.ts';

const maxReasonCharacters = 500;

/** Records why the last build of a graph has failed, until one succeeds (graphs H-4, M-22). */
export async function noteBuildFailure(tx: Transaction, graphId: string, reason: string, now: Date): Promise<void> {
  await tx.query(sql`INSERT INTO graph_build_failure (graph_id, reason, failed_at)
    VALUES (${graphId}, ${reason.slice(0, maxReasonCharacters)}, ${now})
    ON CONFLICT (graph_id) DO UPDATE SET reason = excluded.reason, failed_at = excluded.failed_at`);
}

export async function forgetBuildFailure(tx: Transaction): Promise<void> {
  await tx.query(sql`DELETE FROM graph_build_failure WHERE graph_id = ${tx.graphId}`);
}

/** Why the last build of the graph of the transaction has failed; undefined if it has not. */
export async function lastBuildFailure(tx: Transaction): Promise<string | undefined> {
  const [row] = await tx.query(
    sql<Pick<GraphBuildFailure, 'reason'>>`SELECT reason FROM graph_build_failure WHERE graph_id = ${tx.graphId}`,
  );
  return row?.reason;
}
