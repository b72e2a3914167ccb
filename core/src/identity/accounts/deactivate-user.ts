import { sql } from 'kysely';
import userDeactivated from '../../events/user-deactivated.ts';
import { cancelRunsOfUser } from '../../jobs/operations.ts';
import type { EventPublisher } from '../../services/events.ts';
import type { Transaction } from '../../store/store.ts';

/** Counts of what the deactivation ended, for the caller's audit row. */
export interface Deactivated {
  readonly keys: number;
  readonly runs: number;
}

/**
 * Deactivates an account in a kernel transaction: its sessions, keys and apps stop working (platform ), and its
 * runs are cancelled (platform L-21). Deactivating it again changes nothing. The caller must call `forgetUser` on the
 * authenticator after the commit.
 */
export async function deactivateUser(
  tx: Transaction,
  who: { readonly userId: string; readonly reason: string; readonly now: Date },
  events: EventPublisher,
): Promise<Deactivated> {
  const { userId, reason, now } = who;
  const closed = await tx.query(sql`
    UPDATE kernel_user SET is_active = false, session_version = session_version + 1, updated_at = ${now}
    WHERE id = ${userId} AND is_active RETURNING id`);
  const keys = await tx.query(sql`
    UPDATE kernel_api_key SET is_active = false WHERE user_id = ${userId} AND is_active RETURNING id`);
  await tx.query(sql`
    UPDATE kernel_oauth_grant SET revoked_at = ${now} WHERE user_id = ${userId} AND revoked_at IS NULL`);
  const runs = await cancelRunsOfUser(tx, userId, 'user_deactivated', now);
  if (closed.length > 0) await events.publish(tx, userDeactivated, { user_id: userId, reason });
  return { keys: keys.length, runs };
}
