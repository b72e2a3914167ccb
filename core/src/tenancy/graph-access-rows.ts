import { sql } from 'kysely';
import type { GraphRole, OrgRole, WriteBlock } from '../define/context.ts';
import type { Store } from '../store/store.ts';

export interface GraphAccessRow {
  readonly graph_id: string;
  readonly org_id: string;
  readonly name: string;
  readonly graph_type: string;
  readonly tier: string;
  readonly status: string;
  readonly parent_status: string | null;
  readonly parent_id: string | null;
  readonly extensions: readonly string[];
  readonly grant_role: GraphRole | null;
  readonly org_role: OrgRole | null;
  readonly write_block: WriteBlock | null;
  readonly is_past_due: boolean;
}

/** Reads a graph with the user's role on it; a subgraph inherits the grants of its parent (platform P-1). */
export async function readGraphAccess(
  store: Store,
  userId: string,
  graphId: string,
): Promise<GraphAccessRow | undefined> {
  const rows = await store.transaction(
    'kernel',
    (tx) =>
      tx.query<GraphAccessRow>(sql`
        SELECT g.graph_id, g.org_id, g.name, g.graph_type, g.tier, g.status, p.status AS parent_status, g.parent_id,
          g.extensions, a.role AS grant_role, m.role AS org_role,
          COALESCE(p.write_block, g.write_block) AS write_block, COALESCE(p.is_past_due, g.is_past_due) AS is_past_due
        FROM kernel_graph g
        LEFT JOIN kernel_graph p ON p.graph_id = g.parent_id
        LEFT JOIN kernel_graph_user a ON a.graph_id = COALESCE(g.parent_id, g.graph_id) AND a.user_id = ${userId}
        LEFT JOIN kernel_org_user m ON m.user_id = ${userId} AND m.org_id = g.org_id
        WHERE g.graph_id = ${graphId}`),
    { readOnly: true },
  );
  return rows[0];
}
