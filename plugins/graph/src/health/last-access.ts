import { sql, type Transaction } from '@pacioli/core';
import type { GraphLastAccess } from '../rows.gen.ts';

/** A graph and the time of a statement on it. */
export interface Access {
  readonly graph_id: string;
  readonly last_at: string;
}

/** Keeps the latest of these times for each graph. In a kernel transaction. */
export async function addAccesses(tx: Transaction, accesses: readonly Access[]): Promise<void> {
  await tx.query(sql`
    INSERT INTO graph_last_access AS a (graph_id, last_at)
    SELECT graph_id, max(last_at)
    FROM jsonb_to_recordset(${JSON.stringify(accesses)}::text::jsonb) AS row (graph_id text, last_at timestamptz)
    GROUP BY graph_id ORDER BY graph_id
    ON CONFLICT (graph_id) DO UPDATE SET last_at = GREATEST(a.last_at, excluded.last_at)`);
}

/** In a kernel transaction. */
export function accessesOf(tx: Transaction, graphIds: readonly string[]): Promise<readonly GraphLastAccess[]> {
  return tx.query(sql<GraphLastAccess>`SELECT graph_id, last_at FROM graph_last_access
    WHERE graph_id = ANY (${graphIds}::text[])`);
}

/** Forgets a graph or subgraph that is gone. In a kernel transaction. */
export async function forgetAccess(tx: Transaction, graphId: string): Promise<void> {
  await tx.query(sql`DELETE FROM graph_last_access WHERE graph_id = ${graphId}`);
}
