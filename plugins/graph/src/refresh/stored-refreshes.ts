import { sql, type Transaction } from '@pacioli/core';
import type { GraphRefresh } from '../rows.gen.ts';

/** A graph is refreshed at most this often (graphs M-33). */
const refreshMs = 300_000;
/** A refresh that fails again and again is tried this often. */
const maxWaitMs = 3_600_000;

type Refresh = Pick<GraphRefresh, 'graph_id'> & {
  readonly operation_id: NonNullable<GraphRefresh['operation_id']>;
};

/** The graphs whose last refresh and last build are at least 5 minutes ago. In a kernel transaction. */
export async function dueRefreshes(
  tx: Transaction,
  graphIds: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const builtAfter = new Date(now.getTime() - refreshMs);
  const rows = await tx.query(sql<
    Pick<GraphRefresh, 'graph_id'>
  >`SELECT graph_id FROM unnest(${graphIds}::text[]) AS stale (graph_id)
    LEFT JOIN graph_refresh r USING (graph_id) LEFT JOIN graph_generation g USING (graph_id)
    WHERE (r.not_before IS NULL OR r.not_before <= ${now})
      AND (g.materialized_at IS NULL OR g.materialized_at <= ${builtAfter}) AND r.operation_id IS NULL`);
  return new Set(rows.map((row) => row.graph_id));
}

/** Claims the refresh of a graph; false if another host has claimed it. In a kernel transaction. */
export async function claimRefresh(tx: Transaction, graphId: string, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`INSERT INTO graph_refresh (graph_id, not_before)
    VALUES (${graphId}, ${new Date(now.getTime() + refreshMs)})
    ON CONFLICT (graph_id) DO UPDATE SET not_before = excluded.not_before
      WHERE graph_refresh.not_before <= ${now} AND graph_refresh.operation_id IS NULL RETURNING 1 AS claimed`);
  return rows.length === 1;
}

export async function noteStarted(tx: Transaction, graphId: string, operationId: string): Promise<void> {
  await tx.query(sql`UPDATE graph_refresh SET operation_id = ${operationId} WHERE graph_id = ${graphId}`);
}

/** Forgets a graph that is gone. In a kernel transaction. */
export async function forgetRefresh(tx: Transaction, graphId: string): Promise<void> {
  await tx.query(sql`DELETE FROM graph_refresh WHERE graph_id = ${graphId}`);
}

/** The refreshes whose end was not seen yet. In a kernel transaction. */
export function startedRefreshes(tx: Transaction, limit: number): Promise<readonly Refresh[]> {
  return tx.query(sql<Refresh>`SELECT graph_id, operation_id FROM graph_refresh
    WHERE operation_id IS NOT NULL ORDER BY graph_id LIMIT ${limit}`);
}

/**
 * Records the end of a refresh. The wait doubles with each failure in a row, because most causes need somebody to act.
 */
export async function noteEnded(
  tx: Transaction,
  graphId: string,
  { hasFailed, now }: { readonly hasFailed: boolean; readonly now: Date },
): Promise<void> {
  if (!hasFailed) {
    await tx.query(sql`UPDATE graph_refresh SET operation_id = NULL, failures = 0 WHERE graph_id = ${graphId}`);
    return;
  }
  await tx.query(sql`UPDATE graph_refresh SET operation_id = NULL, failures = least(failures + 1, 30),
    not_before = ${now}::timestamptz + least(${maxWaitMs}, ${refreshMs} * 2 ^ least(failures, 10)) * interval '1 millisecond'
    WHERE graph_id = ${graphId}`);
}
