import type { KernelTables } from '../../rows.gen.ts';
import type { Transaction } from '../../store/store.ts';

/** True if a user has registered. For hosts that set up the first account themselves. */
export async function hasAccounts(tx: Transaction): Promise<boolean> {
  const users = tx.tables<KernelTables>().selectFrom('kernel_user');
  return (await users.select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Marks an address as verified without a message to it; no one reads the mail of a demo user (platform A-15). */
export async function trustEmail(tx: Transaction, email: string): Promise<void> {
  const users = tx.tables<KernelTables>().updateTable('kernel_user');
  await users.set({ email_verified: true }).where('email', '=', email).execute();
}
