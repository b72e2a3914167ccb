import { sql } from 'kysely';
import type { KernelRevokedSession } from '../../rows.gen.ts';
import type { Transaction } from '../../store/store.ts';

/** The entry of a session on the revocation list. */
export type RevocationRow = Pick<KernelRevokedSession, 'usable_until'>;

/** Returns the session's entry on the revocation list, if there is one. */
export async function revocationOf(tx: Transaction, jti: string): Promise<RevocationRow | undefined> {
  const rows = await tx.query<RevocationRow>(sql`SELECT usable_until FROM kernel_revoked_session WHERE jti = ${jti}`);
  return rows[0];
}

/** Adds a session to the revocation list; an existing entry can only become stricter. */
export async function revokeSession(
  tx: Transaction,
  entry: { readonly jti: string; readonly reason: string; readonly usableUntil: Date; readonly expiresAt: Date },
): Promise<void> {
  await tx.query(sql`
    INSERT INTO kernel_revoked_session AS r (jti, reason, usable_until, expires_at)
    VALUES (${entry.jti}, ${entry.reason}, ${entry.usableUntil}, ${entry.expiresAt})
    ON CONFLICT (jti) DO UPDATE SET usable_until = LEAST(r.usable_until, excluded.usable_until)`);
}
