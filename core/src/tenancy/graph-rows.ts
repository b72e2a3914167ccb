/** Conditions that several statements share, on a graph `g`, a membership `m` of its organization and a grant `a` on it. */
import { type RawBuilder, sql } from 'kysely';

/** True for a graph that exists: its creation has ended, and it was not deleted. */
export const isUsable = sql`g.status IN ('active', 'suspended')`;

/** True for a usable graph of the organization; subgraphs belong to their parent. */
export function isTopLevelGraphOf(orgId: string | RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`g.org_id = ${orgId} AND g.parent_id IS NULL AND ${isUsable}`;
}

/** The role of a member on the graph: owners and admins of the organization are admins of all its graphs (platform P-1). */
export const roleOnGraph = sql`CASE WHEN m.role IN ('owner', 'admin') THEN 'admin' ELSE a.role END`;

/** True for a member with a role on the graph. */
export const hasRoleOnGraph = sql`(m.role IN ('owner', 'admin') OR a.role IS NOT NULL)`;

/** Orders memberships by role, then by their start. */
export const membersInOrder = sql`array_position(ARRAY['owner', 'admin', 'member'], m.role), m.joined_at`;

/** The time of the last mark of a stale graph is exact to within this time. */
export const staleMarkPrecisionMs = 5_000;

/**
 * Marks the analytical graph as stale. Later writes update only the time of the mark, at most every 5 seconds, and skip
 * it while another transaction has locked the row, so writers never wait for each other. The shared lock makes a build
 * that takes the mark over wait for this transaction, whose rows it would miss otherwise (graphs M-32).
 */
export function staleMark(graphId: string, reason: string, at: Date, since: Date = at): RawBuilder<unknown> {
  const notMarkedSince = new Date(at.getTime() - staleMarkPrecisionMs);
  return sql`UPDATE kernel_graph SET stale_marked_at = ${at}, stale_since = COALESCE(stale_since, ${since}),
      stale_reason = COALESCE(stale_reason, ${reason})
    WHERE graph_id = ${graphId} AND (SELECT pg_advisory_xact_lock_shared(${staleMarkLock(graphId)})) IS NOT NULL
      AND (stale_since IS NULL OR graph_id = (SELECT graph_id FROM kernel_graph
        WHERE graph_id = ${graphId} AND (stale_marked_at IS NULL OR stale_marked_at <= ${notMarkedSince})
        FOR NO KEY UPDATE SKIP LOCKED))`;
}

/** The lock that writers share from their stale mark to the end of their transaction. */
export function staleMarkLock(graphId: string): RawBuilder<unknown> {
  return sql`hashtextextended(${`kernel.stale-mark.${graphId}`}, 0)`;
}
