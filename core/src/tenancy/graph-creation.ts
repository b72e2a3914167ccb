import { sql } from 'kysely';
import type { Caller, OrgRole } from '../define/context.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Transaction } from '../store/store.ts';
import type { NewGraph } from './new-graph-rules.ts';

interface QuotaRow {
  readonly org_id: string;
  readonly role: OrgRole;
  readonly graphs_max: number;
}

/** The graph that is about to be created, once it has an id; `hold` keeps the organisation's row to the end. */
export interface GraphPlace {
  readonly graphId?: string;
  readonly hold: boolean;
}

/**
 * The organisation in which the caller may create one more graph, in a kernel transaction. Where the place is taken,
 * the organisation's row is held, so that of two parallel requests one gets the last place; accepted runs that have
 * not registered their graph yet count as well (platform U-9). A graph that is being created is not counted again.
 * Throws 403 for plain members and 403 `GRAPH_LIMIT_REACHED` at the quota (graphs G-20).
 */
export async function requireGraphQuota(tx: Transaction, caller: Caller, place: GraphPlace): Promise<string> {
  const [org] = await tx.query<QuotaRow>(sql`
    SELECT o.id AS org_id, m.role, o.graphs_max FROM kernel_org_user m JOIN kernel_org o ON o.id = m.org_id
    WHERE m.user_id = ${caller.userId} ${place.hold ? sql`FOR UPDATE OF o` : sql``}`);
  if (org === undefined || org.role === 'member') {
    const message = 'Only organization owners and admins can create graphs';
    throw new ServiceError('forbidden', 'FORBIDDEN', message);
  }
  if (org.graphs_max < 0) return org.org_id;
  const own = place.graphId ?? '';
  const [count] = await tx.query<{ graphs: number; pending: number }>(sql`
    SELECT (SELECT count(*) FROM kernel_graph WHERE org_id = ${org.org_id} AND parent_id IS NULL
        AND graph_id <> ${own} AND status IN ('creating', 'active', 'suspended')) AS graphs,
      (SELECT count(*) FROM kernel_operation r JOIN kernel_org_user m ON m.user_id = r.user_id
        WHERE m.org_id = ${org.org_id} AND r.name = 'create-graph' AND r.finished_at IS NULL
          AND r.task #>> '{accepted,graph_id}' <> ${own}
          AND NOT EXISTS (SELECT 1 FROM kernel_graph g WHERE g.graph_id = r.task #>> '{accepted,graph_id}')) AS pending`);
  if ((count?.graphs ?? 0) + (count?.pending ?? 0) < org.graphs_max) return org.org_id;
  throw new ServiceError(
    'forbidden',
    'GRAPH_LIMIT_REACHED',
    `Your organization has reached its limit of ${org.graphs_max} graphs. Delete a graph or ask for a higher limit.`,
    { details: { max_graphs: org.graphs_max } },
  );
}

/** Registers a graph that nobody can enter yet, with its creator as admin; repeating it changes nothing. */
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
    VALUES (${graphId}, ${orgId}, ${graph.name}, ${graph.description}, ${[...graph.tags]}::text[], 'entity',
      ${graph.tier}, 'creating', ${[...graph.domains]}::text[], ${caller.userId}, ${now}, ${now})
    ON CONFLICT (graph_id) DO NOTHING`);
  await tx.query(sql`
    INSERT INTO kernel_graph_user (graph_id, user_id, role, created_at)
    VALUES (${graphId}, ${caller.userId}, 'admin', ${now}) ON CONFLICT (graph_id, user_id) DO NOTHING`);
}

/** Opens a graph in its own transaction; false when an earlier attempt did it already. */
export async function activateGraph(tx: Transaction, graphId: string, now: Date): Promise<boolean> {
  const rows = await tx.query<{ graph_id: string }>(sql`
    UPDATE kernel_graph SET status = 'active', updated_at = ${now}
    WHERE graph_id = ${graphId} AND status = 'creating' RETURNING graph_id`);
  return rows.length > 0;
}

/** Takes back what `registerGraph` wrote, unless the graph was opened meanwhile (graphs G-31). */
export async function withdrawGraph(tx: Transaction, graphId: string): Promise<void> {
  const [row] = await tx.query<{ graph_id: string }>(sql`
    SELECT graph_id FROM kernel_graph WHERE graph_id = ${graphId} AND status = 'creating' FOR UPDATE`);
  if (row === undefined) return;
  await tx.query(sql`DELETE FROM kernel_graph_user WHERE graph_id = ${graphId}`);
  await tx.query(sql`DELETE FROM kernel_graph WHERE graph_id = ${graphId}`);
}
