import { sql } from 'kysely';
import type { OrgRole } from '../../define/context.ts';
import type { KernelOrg, KernelOrgUser, KernelTables, KernelUser } from '../../rows.gen.ts';
import type { Transaction } from '../../store/store.ts';

/** A user with the organization they belong to. */
export type AccountRow = Pick<
  KernelUser,
  'email' | 'name' | 'password_hash' | 'is_active' | 'email_verified' | 'session_version'
> & {
  readonly user_id: KernelUser['id'];
  readonly org_id: KernelOrg['id'] | null;
  readonly org_name: KernelOrg['name'] | null;
  readonly org_type: KernelOrg['org_type'] | null;
  readonly org_role: KernelOrgUser['role'] | null;
};

const accounts = sql`
  SELECT u.id AS user_id, u.email, u.name, u.password_hash, u.is_active, u.email_verified, u.session_version,
    o.id AS org_id, o.name AS org_name, o.org_type, m.role AS org_role
  FROM kernel_user u
  LEFT JOIN kernel_org_user m ON m.user_id = u.id
  LEFT JOIN kernel_org o ON o.id = m.org_id`;

/** Finds an account by normalized email address, in a kernel transaction. */
export async function accountByEmail(tx: Transaction, email: string): Promise<AccountRow | undefined> {
  const rows = await tx.query<AccountRow>(sql`${accounts} WHERE u.is_account AND u.email = ${email}`);
  return rows[0];
}

/** Finds an account by user id, in a kernel transaction. */
export async function accountById(tx: Transaction, userId: string): Promise<AccountRow | undefined> {
  const rows = await tx.query<AccountRow>(sql`${accounts} WHERE u.id = ${userId}`);
  return rows[0];
}

/** The columns of a new account. */
export interface NewAccount {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly isVerified: boolean;
  readonly now: Date;
}

/** The organization that a new account starts in. */
export interface FirstOrg {
  readonly orgId: string;
  readonly orgName: string;
  readonly orgType: KernelOrg['org_type'];
  readonly role: OrgRole;
}

/** Inserts a user without an organization; the caller's transaction adds one (platform A-14). */
export async function insertUser(tx: Transaction, account: NewAccount): Promise<void> {
  const { now } = account;
  await tx.query(sql`
    INSERT INTO kernel_user (id, email, name, password_hash, email_verified, created_at, updated_at)
    VALUES (${account.userId}, ${account.email}, ${account.name}, ${account.passwordHash}, ${account.isVerified},
      ${now}, ${now})`);
}

/** Creates the personal organization of a user who registers without an invitation, and makes them its owner. */
export async function insertPersonalOrg(
  tx: Transaction,
  org: { readonly orgId: string; readonly graphs_max: number; readonly ownerId: string; readonly now: Date },
): Promise<FirstOrg> {
  const { orgId, now } = org;
  const personal = { orgId, orgName: 'My Organization', orgType: 'personal', role: 'owner' } as const;
  await tx.query(sql`
    INSERT INTO kernel_org (id, name, org_type, graphs_max, created_at, updated_at)
    VALUES (${orgId}, ${personal.orgName}, ${personal.orgType}, ${org.graphs_max}, ${now}, ${now})`);
  await insertMember(tx, { userId: org.ownerId, orgId, role: personal.role, now });
  return personal;
}

/** Makes a user without an organization a member of one. */
export async function insertMember(
  tx: Transaction,
  member: { readonly userId: string; readonly orgId: string; readonly role: OrgRole; readonly now: Date },
): Promise<void> {
  await tx.query(sql`
    INSERT INTO kernel_org_user (user_id, org_id, role, joined_at)
    VALUES (${member.userId}, ${member.orgId}, ${member.role}, ${member.now})`);
}

/** Ends every session of a user and invalidates the tokens derived from them (platform A-7). */
export async function endSessionsOf(tx: Transaction, userId: string, now: Date): Promise<void> {
  await tx.query(sql`
    UPDATE kernel_user SET session_version = session_version + 1, updated_at = ${now} WHERE id = ${userId}`);
}

/** Stores a new password, which ends every session and OAuth grant of the user (platform A-7, ai-surface O-37). */
export async function storePassword(tx: Transaction, userId: string, hash: string, now: Date): Promise<void> {
  await tx.query(sql`UPDATE kernel_user SET password_hash = ${hash} WHERE id = ${userId}`);
  await tx.query(sql`
    UPDATE kernel_oauth_grant SET revoked_at = ${now} WHERE user_id = ${userId} AND revoked_at IS NULL`);
  await endSessionsOf(tx, userId, now);
}

/** True if a user has registered. For hosts that set up the first account themselves. */
export async function hasAccounts(tx: Transaction): Promise<boolean> {
  const users = tx.tables<KernelTables>().selectFrom('kernel_user');
  return (await users.select('id').where('is_account', '=', true).limit(1).executeTakeFirst()) !== undefined;
}

/** Marks an address as verified without a message to it; no one reads the mail of a demo user (platform A-15). */
export async function trustEmail(tx: Transaction, email: string): Promise<void> {
  const users = tx.tables<KernelTables>().updateTable('kernel_user');
  await users.set({ email_verified: true }).where('is_account', '=', true).where('email', '=', email).execute();
}
