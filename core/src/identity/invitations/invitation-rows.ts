import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { ServiceError } from '../../errors/service-error.ts';
import type { KernelOrg, KernelOrgInvitation, KernelUser } from '../../rows.gen.ts';
import { sha256 } from '../../schema/canonical.ts';
import type { Transaction } from '../../store/store.ts';
import type { OrgType } from '../../tenancy/org-access.ts';
import { insertMember } from '../accounts/account-rows.ts';

const tokenBytes = 32;
export const invitationDays = 7;

export type InvitedRole = 'admin' | 'member';

export type InvitationRow = Pick<
  KernelOrgInvitation,
  'id' | 'org_id' | 'email' | 'role' | 'status' | 'invited_by' | 'created_at' | 'expires_at'
> &
  Pick<KernelOrg, 'org_type'> & {
    readonly invited_by_name: KernelUser['name'] | null;
    readonly org_name: KernelOrg['name'];
  };

/** Selects invitations with the names of organization and inviter. */
export const invitationRows = sql`
  SELECT i.id, i.org_id, i.email, i.role, i.status, i.invited_by, u.name AS invited_by_name, o.name AS org_name,
    o.org_type, i.created_at, i.expires_at
  FROM kernel_org_invitation i JOIN kernel_org o ON o.id = i.org_id LEFT JOIN kernel_user u ON u.id = i.invited_by`;

/** Makes a token for a link, with its stored digest and its expiry (platform U-21). */
export function newInvitationToken(now: Date): { token: string; tokenHash: string; expiresAt: Date } {
  const token = randomBytes(tokenBytes).toString('base64url');
  return { token, tokenHash: sha256(token), expiresAt: new Date(now.getTime() + invitationDays * 86_400_000) };
}

/** Finds the invitation of a token while it can be accepted. */
export async function findOpenInvitation(
  tx: Transaction,
  token: string,
  now: Date,
): Promise<InvitationRow | undefined> {
  const [row] = await tx.query<InvitationRow>(sql`
    ${invitationRows} WHERE i.token_hash = ${sha256(token)} AND i.status = 'pending' AND i.expires_at > ${now}`);
  return row;
}

/** As `findOpenInvitation`, with the organization's row locked: every change of an invitation locks it first. */
async function holdOpenInvitation(tx: Transaction, token: string, now: Date): Promise<InvitationRow | undefined> {
  const found = await findOpenInvitation(tx, token, now);
  if (found === undefined) return undefined;
  await tx.query(sql`SELECT 1 FROM kernel_org WHERE id = ${found.org_id} FOR UPDATE`);
  return findOpenInvitation(tx, token, now);
}

/** The organization that a new account has joined. */
export interface JoinedOrg {
  readonly orgId: string;
  readonly orgName: string;
  readonly orgType: OrgType;
  readonly role: InvitedRole;
}

/**
 * Adds a new user to the organization that invited them, in the transaction of the registration (platform U-23).
 * Throws 400 for a token that is not open and for an address other than the invited one.
 */
export async function joinByInvitation(
  tx: Transaction,
  joining: { readonly token: string; readonly userId: string; readonly email: string; readonly now: Date },
): Promise<JoinedOrg> {
  const { token, userId, email, now } = joining;
  const invitation = await holdOpenInvitation(tx, token, now);
  if (invitation === undefined) throw new ServiceError('refused', 'INVALID_INPUT', 'Invalid or expired invitation');
  if (invitation.email !== email) {
    const message = 'This invitation was issued to a different email address';
    throw new ServiceError('refused', 'INVALID_INPUT', message);
  }
  await insertMember(tx, { userId, orgId: invitation.org_id, role: invitation.role, now });
  await tx.query(sql`
    UPDATE kernel_org_invitation SET status = 'accepted', settled_at = ${now} WHERE id = ${invitation.id}`);
  // A personal organization with a second member becomes a team (platform U-2).
  const orgType = invitation.org_type === 'personal' ? 'team' : invitation.org_type;
  await tx.query(sql`
    UPDATE kernel_org SET org_type = ${orgType}, updated_at = ${now}
    WHERE id = ${invitation.org_id} AND org_type <> ${orgType}`);
  return { orgId: invitation.org_id, orgName: invitation.org_name, orgType, role: invitation.role };
}
