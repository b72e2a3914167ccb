import { sql } from 'kysely';
import type { Caller } from '../define/context.ts';
import type { KernelGraph } from '../rows.gen.ts';
import type { Transaction } from '../store/store.ts';
import type { NewGraph } from './new-graph-rules.ts';

/** Registers a graph that cannot be used yet, with its creator as admin. Idempotent. */
export async function registerGraph(
  tx: Transaction,
  {
    graphId,
    orgId,
    graph,
    caller,
    now,
  }: { graphId: string; orgId: string; graph: NewGraph; caller: Caller; now: Date },
): Promise<void> {
  await tx.query(sql`
    INSERT INTO kernel_graph (graph_id, org_id, name, description, tags, graph_type, tier, status, extensions,
      created_by, created_at, updated_at)
    VALUES (${graphId}, ${orgId}, ${graph.name}, ${graph.description}, ${[...graph.tags]}::text[], ${graph.schema === null ? 'entity' : 'generic'},
      ${graph.tier}, 'creating', ${[...graph.domains]}::text[], ${caller.userId}, ${now}, ${now})
    ON CONFLICT (graph_id) DO NOTHING`);
  await tx.query(sql`
    INSERT INTO kernel_graph_user (graph_id, user_id, role, created_at)
    VALUES (${graphId}, ${caller.userId}, 'admin', ${now}) ON CONFLICT (graph_id, user_id) DO NOTHING`);
}

/** Activates a graph in its own transaction; false if an earlier attempt already did. */
export async function activateGraph(tx: Transaction, graphId: string, now: Date): Promise<boolean> {
  const rows = await tx.query<Pick<KernelGraph, 'graph_id'>>(sql`
    UPDATE kernel_graph SET status = 'active', updated_at = ${now}
    WHERE graph_id = ${graphId} AND status = 'creating' RETURNING graph_id`);
  return rows.length > 0;
}

/** Undoes `registerGraph`, unless the graph has been activated (graphs G-31). */
export async function withdrawGraph(tx: Transaction, graphId: string): Promise<void> {
  const [row] = await tx.query<Pick<KernelGraph, 'graph_id'>>(sql`
    SELECT graph_id FROM kernel_graph WHERE graph_id = ${graphId} AND status = 'creating' FOR UPDATE`);
  if (row === undefined) return;
  await tx.query(sql`DELETE FROM kernel_graph_schema WHERE graph_id = ${graphId}`);
  await tx.query(sql`DELETE FROM kernel_graph_user WHERE graph_id = ${graphId}`);
  await tx.query(sql`DELETE FROM kernel_graph WHERE graph_id = ${graphId}`);
}
