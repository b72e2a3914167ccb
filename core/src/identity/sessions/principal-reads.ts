import { sql } from 'kysely';
import type { Caller } from '../../define/context.ts';
import type { KernelApiKey, KernelOrgUser, KernelRevokedSession, KernelUser } from '../../rows.gen.ts';
import type { Store } from '../../store/store.ts';

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

/** The columns of `PrincipalRow`, of a user `u` and their membership `m`. */
export const principalColumns = sql`
  u.id AS user_id, u.email, u.name, u.is_active, u.session_version, m.org_id, m.role AS org_role`;

/** The caller of a row, without the kind of their credential. */
export function callerOf(row: PrincipalRow): Pick<Caller, 'userId' | 'email' | 'name' | 'orgId' | 'orgRole'> {
  return {
    userId: row.user_id,
    email: row.email,
    name: row.name,
    ...(row.org_id === null ? {} : { orgId: row.org_id }),
    ...(row.org_role === null ? {} : { orgRole: row.org_role }),
  };
}

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

/** Records the use of a key, unless one was recorded since `before` (platform K-6). */
export async function noteKeyUse(store: Store, use: { keyId: string; now: Date; before: Date }): Promise<void> {
  await store.transaction('kernel', (tx) =>
    tx.query(sql`
      UPDATE kernel_api_key SET last_used_at = ${use.now}
      WHERE id = ${use.keyId} AND (last_used_at IS NULL OR last_used_at < ${use.before})`),
  );
}
