import { sql } from 'kysely';
import type { RequestFacts, SecurityAudit, SecurityEvent } from '../../audit/security-audit.ts';
import { createToken, type Token } from '../../container/token.ts';
import type { Caller, OrgRole } from '../../define/context.ts';
import { notFound, ServiceError } from '../../errors/service-error.ts';
import { normalEmail } from '../../schema/email-address.ts';
import type { Clock, Ids } from '../../services/kernel-tokens.ts';
import type { KernelSettings } from '../../settings/kernel-settings.ts';
import type { Store, Transaction } from '../../store/store.ts';
import { lockOrganization, type OrgRow, requireManager, requireMembership } from '../../tenancy/org-access.ts';
import type { EmailVerification } from '../accounts/email-verification.ts';
import type { MailQueue } from '../mails/mail-queue.ts';
import {
  findOpenInvitation,
  type InvitationRow,
  type InvitedRole,
  invitationDays,
  invitationRows,
  newInvitationToken,
} from './invitation-rows.ts';

/** The most pending invitations per organization. */
const maxPendingPerOrg = 200;

/** An invitation as the managers of the organization see it. */
export interface InvitationInfo {
  readonly id: string;
  readonly org_id: string;
  readonly email: string;
  readonly role: InvitedRole;
  readonly status: string;
  readonly invited_by_user_id: string;
  readonly invited_by_name: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly is_expired: boolean;
  /** Only if a test setting enables it (platform U-24). */
  readonly token: string | null;
}

interface InvitationServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: KernelSettings;
  readonly audit: SecurityAudit;
  readonly mail: MailQueue;
  readonly verification: EmailVerification;
}

export const invitations: Token<Invitations> = createToken('kernel.invitations');

/** Invites people without an account into an organization (platform U-20 to U-24). */
export class Invitations {
  readonly #use: InvitationServices;

  constructor(use: InvitationServices) {
    this.#use = use;
  }

  /** Invites an address. Throws 409 if it has an account or a pending invitation, 501 if the feature is off. */
  async create(
    caller: Caller,
    input: { readonly orgId: string; readonly email: string; readonly role?: OrgRole | undefined },
    request: RequestFacts,
  ): Promise<InvitationInfo> {
    const { orgId } = input;
    return this.#use.store.transaction('kernel', async (tx) => {
      const org = await this.#lockForInvitation(tx, caller, orgId);
      const role = input.role ?? 'member';
      if (role === 'owner') throw refused('Nobody can be invited as owner. Invite an admin or a member.');
      const email = normalEmail(input.email);
      if (email === undefined) throw refused('Invalid email format');
      await refuseAccount(tx, email);
      const now = this.#use.clock.now();
      await refusePending(tx, orgId, email);
      const { token, tokenHash, expiresAt } = newInvitationToken(now);
      const id = this.#use.ids.make('orginv');
      await tx.query(sql`
        INSERT INTO kernel_org_invitation (id, org_id, email, role, status, token_hash, invited_by, created_at, expires_at)
        VALUES (${id}, ${orgId}, ${email}, ${role}, 'pending', ${tokenHash}, ${caller.userId}, ${now}, ${expiresAt})`);
      await this.#send(tx, { org, email, caller, token });
      await this.#recordSent(tx, { caller, orgId, request, details: { invitation_id: id, role } });
      return this.#toInfo(await requireInvitation(tx, orgId, id), token);
    });
  }

  /** Sends a new link with a new expiry for a pending invitation; invalidates the old link (platform U-21). */
  async resend(
    caller: Caller,
    target: { readonly orgId: string; readonly invitationId: string },
    request: RequestFacts,
  ): Promise<InvitationInfo> {
    const { orgId, invitationId } = target;
    return this.#use.store.transaction('kernel', async (tx) => {
      const org = await this.#lockForInvitation(tx, caller, orgId);
      const { email, role } = requirePending(await requireInvitation(tx, orgId, invitationId), 'resent');
      await refuseAccount(tx, email);
      const { token, tokenHash, expiresAt } = newInvitationToken(this.#use.clock.now());
      await tx.query(sql`
        UPDATE kernel_org_invitation SET token_hash = ${tokenHash}, expires_at = ${expiresAt} WHERE id = ${invitationId}`);
      await this.#send(tx, { org, email, caller, token });
      const details = { invitation_id: invitationId, role, resent: true };
      await this.#recordSent(tx, { caller, orgId, request, details });
      return this.#toInfo(await requireInvitation(tx, orgId, invitationId), token);
    });
  }

  /** Lists pending invitations, including expired ones, newest first; even if the feature is off (platform U-20). */
  async list(caller: Caller, orgId: string): Promise<InvitationInfo[]> {
    const rows = await this.#use.store.transaction(
      'kernel',
      async (tx) => {
        requireManager(await requireMembership(tx, caller, orgId), 'see its invitations');
        return tx.query<InvitationRow>(sql`
          ${invitationRows} WHERE i.org_id = ${orgId} AND i.status = 'pending'
          ORDER BY i.created_at DESC, i.id DESC LIMIT ${maxPendingPerOrg}`);
      },
      { readOnly: true },
    );
    return rows.map((row) => this.#toInfo(row, null));
  }

  /** Revokes a pending invitation, even if the feature is off (platform U-20). */
  async revoke(
    caller: Caller,
    target: { readonly orgId: string; readonly invitationId: string },
    request: RequestFacts,
  ): Promise<void> {
    const { orgId, invitationId } = target;
    await this.#use.store.transaction('kernel', async (tx) => {
      requireManager(await lockOrganization(tx, caller, orgId), 'revoke its invitations');
      requirePending(await requireInvitation(tx, orgId, invitationId), 'revoked');
      await tx.query(sql`
        UPDATE kernel_org_invitation SET status = 'revoked', settled_at = ${this.#use.clock.now()}
        WHERE id = ${invitationId}`);
      const details = { invitation_id: invitationId };
      await this.#use.audit.append(tx, {
        type: 'org_invitation_revoked',
        risk: 'low',
        caller,
        orgId,
        request,
        details,
      });
    });
  }

  /** Shows an invitation to the holder of its link; any that cannot be accepted is the same 404 (platform U-22). */
  async preview(token: string): Promise<{ org_name: string; email: string; role: InvitedRole; expires_at: string }> {
    const now = this.#use.clock.now();
    const row = await this.#use.store.transaction('kernel', (tx) => findOpenInvitation(tx, token, now), {
      readOnly: true,
    });
    if (row === undefined) throw notFound('Invitation not found or no longer valid');
    return { org_name: row.org_name, email: row.email, role: row.role, expires_at: row.expires_at.toISOString() };
  }

  /** Locks the organization's row, and requires the invitation feature, a manager and a verified email address. */
  async #lockForInvitation(tx: Transaction, caller: Caller, orgId: string): Promise<OrgRow> {
    const org = await lockOrganization(tx, caller, orgId);
    requireManager(org, 'invite people');
    if (!this.#use.settings.orgs.invitations) {
      const message = 'Invitations are disabled in this deployment. Ask its operator for accounts.';
      throw new ServiceError('disabled', 'FEATURE_DISABLED', message);
    }
    // Inviters send mail under their own address, so it must be verified (platform A-15).
    await this.#use.verification.requireVerified(tx, caller.userId);
    return org;
  }

  async #send(
    tx: Transaction,
    invitation: { readonly org: OrgRow; readonly email: string; readonly caller: Caller; readonly token: string },
  ): Promise<void> {
    const { org, email, caller, token } = invitation;
    const link = `${this.#use.settings.publicUrl}/register?invite_token=${token}`;
    await this.#use.mail.queue(tx, {
      to: email,
      subject: `${caller.name} invites you to ${org.name}`,
      text: [
        `${caller.name} (${caller.email}) invites you to join the organization ${org.name}.`,
        `Open this link to choose a password and join. It works once and for ${invitationDays} days:`,
        link,
        'If you do not know the sender, you can ignore this message.',
      ].join('\n\n'),
    });
  }

  #recordSent(tx: Transaction, event: Pick<SecurityEvent, 'caller' | 'orgId' | 'request' | 'details'>): Promise<void> {
    return this.#use.audit.append(tx, { type: 'org_invitation_created', risk: 'low', ...event });
  }

  #toInfo(row: InvitationRow, token: string | null): InvitationInfo {
    return {
      id: row.id,
      org_id: row.org_id,
      email: row.email,
      role: row.role,
      status: row.status,
      invited_by_user_id: row.invited_by,
      invited_by_name: row.invited_by_name,
      created_at: row.created_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
      is_expired: row.expires_at <= this.#use.clock.now(),
      // Never if mail reaches real people: such a deployment is not a test.
      token: this.#use.settings.orgs.showInvitationTokens && !this.#use.mail.reachesPeople ? token : null,
    };
  }
}

async function requireInvitation(tx: Transaction, orgId: string, invitationId: string): Promise<InvitationRow> {
  const [row] = await tx.query<InvitationRow>(sql`
    ${invitationRows} WHERE i.org_id = ${orgId} AND i.id = ${invitationId}`);
  if (row === undefined) throw notFound('Invitation not found');
  return row;
}

function requirePending(row: InvitationRow, verb: string): InvitationRow {
  if (row.status === 'pending') return row;
  throw new ServiceError(
    'conflict',
    'INVALID_STATE',
    `Only a pending invitation can be ${verb}; this one is ${row.status}`,
  );
}

/** Each user belongs to one organization (platform U-1), so only people without an account can be invited. */
async function refuseAccount(tx: Transaction, email: string): Promise<void> {
  const [account] = await tx.query(sql`SELECT 1 FROM kernel_user WHERE is_account AND email = ${email}`);
  if (account === undefined) return;
  const message = 'This email address already has an account. Only people without an account can be invited.';
  throw new ServiceError('conflict', 'ALREADY_EXISTS', message);
}

/** Relies on the lock on the organization's row, so that two requests cannot both pass. */
async function refusePending(tx: Transaction, orgId: string, email: string): Promise<void> {
  const [count] = await tx.query(sql<{ pending: number; same: number }>`
    SELECT count(*) AS pending, count(*) FILTER (WHERE email = ${email}) AS same
    FROM kernel_org_invitation WHERE org_id = ${orgId} AND status = 'pending'`);
  if ((count?.same ?? 0) > 0) {
    const message = 'An invitation for this email address is already pending. Resend or revoke it instead.';
    throw new ServiceError('conflict', 'ALREADY_EXISTS', message);
  }
  if ((count?.pending ?? 0) < maxPendingPerOrg) return;
  const message = `The organization has ${maxPendingPerOrg} pending invitations, which is the limit. Revoke one first.`;
  throw new ServiceError('conflict', 'CONFLICT', message);
}

function refused(message: string): ServiceError {
  return new ServiceError('refused', 'INVALID_INPUT', message);
}
