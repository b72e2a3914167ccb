import { sql } from 'kysely';
import type { KernelGraph, KernelGraphUser, KernelOrgUser } from '../rows.gen.ts';
import { columnsOf, type RowOf } from '../store/columns.ts';
import type { Store } from '../store/store.ts';

const graphColumns = columnsOf<KernelGraph>('g')(
  'graph_id',
  'org_id',
  'name',
  'graph_type',
  'tier',
  'status',
  'parent_id',
  'extensions',
  'updated_at',
);

export type GraphAccessRow = RowOf<typeof graphColumns> & {
  readonly parent_status: KernelGraph['status'] | null;
  readonly grant_role: KernelGraphUser['role'] | null;
  readonly org_role: KernelOrgUser['role'] | null;
  readonly write_block: KernelGraph['write_block'];
  readonly is_past_due: KernelGraph['is_past_due'];
};

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
        SELECT ${graphColumns}, p.status AS parent_status, a.role AS grant_role, m.role AS org_role,
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
