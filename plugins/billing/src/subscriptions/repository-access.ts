import { sql, type Transaction } from '@pacioli/core';

interface AccessGrant {
  readonly userId: string;
  readonly repository: string;
  readonly orgId: string;
  readonly plan: string;
}

/** Opens a repository to a user; renews the record of an earlier subscription (platform B-13). */
export async function grantAccess(tx: Transaction, grant: AccessGrant, now: Date): Promise<void> {
  await tx.query(sql`
    INSERT INTO billing_repository_access (user_id, repository, org_id, level, plan, is_active, created_at, updated_at)
    VALUES (${grant.userId}, ${grant.repository}, ${grant.orgId}, 'read', ${grant.plan}, true, ${now}, ${now})
    ON CONFLICT (user_id, repository) DO UPDATE SET org_id = excluded.org_id, plan = excluded.plan, is_active = true,
      inactive_reason = NULL, expires_at = NULL, updated_at = excluded.updated_at`);
}

/** Ends access at an instant (platform B-15). */
export async function expireAccess(
  tx: Transaction,
  { userId, repository }: { userId: string; repository: string },
  expiresAt: Date,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    UPDATE billing_repository_access SET expires_at = ${expiresAt}, updated_at = ${now}
    WHERE user_id = ${userId} AND repository = ${repository}`);
}

/** Ends access immediately. */
export async function revokeAccess(
  tx: Transaction,
  { userId, repository }: { userId: string; repository: string },
  reason: string,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    UPDATE billing_repository_access SET is_active = false, inactive_reason = ${reason}, updated_at = ${now}
    WHERE user_id = ${userId} AND repository = ${repository} AND is_active`);
}
