import { sql } from 'kysely';
import type {
  KernelApiKey,
  KernelGraph,
  KernelGraphUser,
  KernelOrgUser,
  KernelRevokedSession,
  KernelUser,
} from '../rows.gen.ts';
import { columnsOf, type RowOf } from '../store/columns.ts';
import type { Store } from '../store/store.ts';

/** The columns of a user that every request checks. */
export type PrincipalRow = Pick<KernelUser, 'email' | 'name' | 'is_active' | 'session_version'> & {
  readonly user_id: KernelUser['id'];
  readonly org_id: KernelOrgUser['org_id'] | null;
  readonly org_role: KernelOrgUser['role'] | null;
};

export interface SessionRow extends PrincipalRow {
  /** The instant until which a revoked session is still accepted; null if it was not revoked. */
  readonly usable_until: KernelRevokedSession['usable_until'] | null;
}

export type KeyRow = PrincipalRow &
  Pick<KernelApiKey, 'prefix' | 'graph_id' | 'expires_at' | 'last_used_at'> & {
    readonly key_id: KernelApiKey['id'];
    readonly key_is_active: KernelApiKey['is_active'];
  };

const graphColumns = columnsOf<KernelGraph>('g')(
  'graph_id',
  'org_id',
  'name',
  'graph_type',
  'tier',
  'status',
  'parent_id',
  'extensions',
);

export type GraphAccessRow = RowOf<typeof graphColumns> & {
  readonly parent_status: KernelGraph['status'] | null;
  readonly grant_role: KernelGraphUser['role'] | null;
  readonly org_role: KernelOrgUser['role'] | null;
  readonly write_block: KernelGraph['write_block'];
  readonly is_past_due: KernelGraph['is_past_due'];
};

const principalColumns = sql`
  u.id AS user_id, u.email, u.name, u.is_active, u.session_version, m.org_id, m.role AS org_role`;

/** Reads the user of a session and its revocation in one query by primary key. */
export async function readSession(store: Store, userId: string, jti: string): Promise<SessionRow | undefined> {
  const rows = await store.transaction(
    'kernel',
    (tx) =>
      tx.query<SessionRow>(sql`
        SELECT ${principalColumns}, r.usable_until
        FROM kernel_user u
        LEFT JOIN kernel_org_user m ON m.user_id = u.id
        LEFT JOIN kernel_revoked_session r ON r.jti = ${jti}
        WHERE u.id = ${userId}`),
    { readOnly: true },
  );
  return rows[0];
}

/** Reads the user of an API key in one query by its fingerprint. */
export async function readKey(store: Store, fingerprint: string): Promise<KeyRow | undefined> {
  const rows = await store.transaction(
    'kernel',
    (tx) =>
      tx.query<KeyRow>(sql`
        SELECT ${principalColumns}, k.id AS key_id, k.prefix, k.graph_id, k.is_active AS key_is_active, k.expires_at,
          k.last_used_at
        FROM kernel_api_key k
        JOIN kernel_user u ON u.id = k.user_id
        LEFT JOIN kernel_org_user m ON m.user_id = u.id
        WHERE k.fingerprint = ${fingerprint}`),
    { readOnly: true },
  );
  return rows[0];
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

/** Records the use of a key, unless one was recorded since `before` (platform K-6). */
export async function noteKeyUse(store: Store, use: { keyId: string; now: Date; before: Date }): Promise<void> {
  await store.transaction('kernel', (tx) =>
    tx.query(sql`
      UPDATE kernel_api_key SET last_used_at = ${use.now}
      WHERE id = ${use.keyId} AND (last_used_at IS NULL OR last_used_at < ${use.before})`),
  );
}
