import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../define/context.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { KernelGraphReservation, KernelOrg, KernelOrgUser } from '../rows.gen.ts';
import type { Transaction } from '../store/store.ts';
import { isTopLevelGraphOf } from './graph-rows.ts';

type QuotaRow = Pick<KernelOrgUser, 'role'> & Pick<KernelOrg, 'graphs_max'> & { readonly org_id: KernelOrg['id'] };

/** The graph to be created, if it has an id; `hold` locks the organization's row until the transaction ends. */
export interface GraphPlace {
  readonly graphId?: string;
  readonly hold: boolean;
}

/**
 * The ids of the graphs that count against an organization's limit: those that exist, those whose creation was
 * accepted and has not ended, and those that are reserved (platform U-9). A creation that failed or was canceled
 * counts as none of these, whatever rows remain. Subgraphs do not count.
 */
export function placesOf(orgId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT g.graph_id FROM kernel_graph g WHERE ${isTopLevelGraphOf(orgId)}
    UNION SELECT r.task #>> '{accepted,graph_id}' FROM kernel_operation r JOIN kernel_org_user m ON m.user_id = r.user_id
      WHERE m.org_id = ${orgId} AND r.name = 'create-graph' AND r.finished_at IS NULL
    UNION SELECT graph_id FROM kernel_graph_reservation WHERE org_id = ${orgId}`;
}

/**
 * Returns the organization in which the caller may create one more graph, in a kernel transaction. With `hold` its row
 * is locked, so that only one of two concurrent requests gets the last slot. A graph that already counts is not
 * counted again. Throws 403 for plain members and 403 `GRAPH_LIMIT_REACHED` at the quota (graphs G-20).
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
  const orgId = sql`${org.org_id}`;
  const [count] = await tx.query<{ held: number; promised: number }>(sql`
    SELECT (SELECT count(*) FROM (${placesOf(orgId)}) place WHERE graph_id <> ${place.graphId ?? ''}) AS held,
      (SELECT count(*) FROM kernel_graph_reservation WHERE org_id = ${orgId}) AS promised`);
  if ((count?.held ?? 0) < org.graphs_max) return org.org_id;
  const ways = ['Delete a graph', ...(count?.promised === 0 ? [] : ['cancel a checkout that waits for its payment'])];
  throw new ServiceError(
    'forbidden',
    'GRAPH_LIMIT_REACHED',
    `Your organization has reached its limit of ${org.graphs_max} graphs. ${ways.join(', ')} or ask for a higher limit.`,
    { details: { max_graphs: org.graphs_max } },
  );
}

/** Reserves a quota slot for a future graph; the organization's row must be locked. */
export async function holdPlace(
  tx: Transaction,
  promise: { readonly graphId: string; readonly orgId: string; readonly userId: string; readonly now: Date },
): Promise<void> {
  await tx.query(sql`
    INSERT INTO kernel_graph_reservation (graph_id, org_id, reserved_by, created_at)
    VALUES (${promise.graphId}, ${promise.orgId}, ${promise.userId}, ${promise.now})`);
}

/** Releases the slot of a reserved graph. Returns the organization that reserved it, if any. */
export async function freePlace(tx: Transaction, graphId: string): Promise<string | undefined> {
  const [row] = await tx.query<Pick<KernelGraphReservation, 'org_id'>>(
    sql`DELETE FROM kernel_graph_reservation WHERE graph_id = ${graphId} RETURNING org_id`,
  );
  return row?.org_id;
}
