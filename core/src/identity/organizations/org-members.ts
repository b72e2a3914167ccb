import { sql } from 'kysely';
import type { RequestFacts, SecurityAudit } from '../../audit/security-audit.ts';
import type { Authenticator } from '../../auth/authenticator.ts';
import { createToken, type Token } from '../../container/token.ts';
import type { Caller, OrgRole } from '../../define/context.ts';
import { notFound, ServiceError } from '../../errors/service-error.ts';
import orgMemberRemoved from '../../events/org-member-removed.ts';
import type { EventPublisher } from '../../services/events.ts';
import type { Clock } from '../../services/kernel-tokens.ts';
import type { Store, Transaction } from '../../store/store.ts';
import type { GraphAccess } from '../../tenancy/graph-access.ts';
import type { MemberDeparture } from '../../tenancy/member-departure.ts';
import { lockOrganization, type OrgRow, requireManager } from '../../tenancy/org-access.ts';
import { deactivateUser } from '../accounts/deactivate-user.ts';
import { findMember, type OrgMember } from './organizations.ts';

interface OrgMemberServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly audit: SecurityAudit;
  readonly events: EventPublisher;
  readonly authenticator: Authenticator;
  readonly access: GraphAccess;
  readonly departures: readonly MemberDeparture[];
}

export const orgMembers: Token<OrgMembers> = createToken('kernel.org-members');

/** Changes the roles of members and removes them. Ownership never changes here (platform U-3). */
export class OrgMembers {
  readonly #use: OrgMemberServices;

  constructor(use: OrgMemberServices) {
    this.#use = use;
  }

  /** Makes a member an admin or an admin a member (platform U-6). */
  async changeRole(
    caller: Caller,
    target: { readonly orgId: string; readonly userId: string; readonly role: OrgRole },
    request: RequestFacts,
  ): Promise<OrgMember> {
    const { orgId, userId, role } = target;
    const changed = await this.#use.store.transaction('kernel', async (tx) => {
      requireManager(await lockOrganization(tx, caller, orgId), 'change the roles of members');
      if (userId === caller.userId) throw refused('You cannot change your own role');
      const member = await requireMember(tx, orgId, userId);
      if (member.role === 'owner' || role === 'owner') {
        throw refused('Ownership cannot be granted as a role. Ask the operator of this service to transfer it.');
      }
      if (member.role === role) return member;
      await tx.query(sql`UPDATE kernel_org_user SET role = ${role} WHERE org_id = ${orgId} AND user_id = ${userId}`);
      await this.#use.audit.append(tx, {
        type: 'org_member_role_changed',
        risk: 'medium',
        caller,
        orgId,
        request,
        details: { member: userId, from: member.role, to: role },
      });
      return { ...member, role };
    });
    this.#forget(userId);
    return changed;
  }

  /**
   * Removes a member with their grants, keys and runs, and deactivates the account, because users have no other
   * organization (platform U-7). All or nothing, also if an outside party refuses a departure.
   */
  async remove(
    caller: Caller,
    target: { readonly orgId: string; readonly userId: string },
    request: RequestFacts,
  ): Promise<void> {
    const { orgId, userId } = target;
    await this.#use.store.transaction('kernel', async (tx) => {
      const org = await lockOrganization(tx, caller, orgId);
      await this.#refuseRemoval(tx, { caller, org, userId });
      const now = this.#use.clock.now();
      const ended: Record<string, number> = {};
      for (const departure of this.#use.departures) {
        ended[departure.counts] = (ended[departure.counts] ?? 0) + (await departure.depart({ tx, orgId, userId, now }));
      }
      const grants = await withdrawGrants(tx, orgId, userId);
      await tx.query(sql`DELETE FROM kernel_org_user WHERE org_id = ${orgId} AND user_id = ${userId}`);
      const account = await deactivateUser(tx, { userId, reason: 'left_organization', now }, this.#use.events);
      const payload = { org_id: orgId, user_id: userId, removed_by: caller.userId };
      await this.#use.events.publish(tx, orgMemberRemoved, payload);
      await this.#use.audit.append(tx, {
        type: 'org_member_removed',
        risk: 'medium',
        caller,
        orgId,
        request,
        details: { member: userId, ...ended, graph_grants: grants, api_keys: account.keys, operations: account.runs },
      });
    });
    this.#forget(userId);
  }

  /** Makes a change of the organization effective at once in this process (platform P-4). */
  #forget(userId: string): void {
    this.#use.authenticator.forgetUser(userId);
    this.#use.access.forgetUser(userId);
  }

  async #refuseRemoval(tx: Transaction, removal: { caller: Caller; org: OrgRow; userId: string }): Promise<void> {
    const { caller, org, userId } = removal;
    if (userId === caller.userId) {
      if (org.role === 'member') return;
      if (org.role === 'owner' && (await ownersOf(tx, org.id)) === 1) {
        throw refused('Organization must have at least one owner');
      }
      throw refused('You cannot remove yourself. Ask another owner or admin of the organization.');
    }
    requireManager(org, 'remove members');
    const member = await requireMember(tx, org.id, userId);
    if (member.role === 'owner' && org.role !== 'owner') {
      throw new ServiceError('forbidden', 'FORBIDDEN', 'Only an owner may remove an owner');
    }
  }
}

async function requireMember(tx: Transaction, orgId: string, userId: string): Promise<OrgMember> {
  const member = await findMember(tx, orgId, userId);
  if (member === undefined) throw notFound('User is not a member of this organization');
  return member;
}

async function ownersOf(tx: Transaction, orgId: string): Promise<number> {
  const [count] = await tx.query(sql<{ owners: number }>`
    SELECT count(*) AS owners FROM kernel_org_user WHERE org_id = ${orgId} AND role = 'owner'`);
  return count?.owners ?? 0;
}

/** Deletes a user's grants and selection on the graphs of an organization; returns the number of grants. */
async function withdrawGrants(tx: Transaction, orgId: string, userId: string): Promise<number> {
  const graphs = sql`SELECT graph_id FROM kernel_graph WHERE org_id = ${orgId}`;
  await tx.query(sql`DELETE FROM kernel_selected_graph WHERE user_id = ${userId} AND graph_id IN (${graphs})`);
  const grants = await tx.query(sql`
    DELETE FROM kernel_graph_user WHERE user_id = ${userId} AND graph_id IN (${graphs}) RETURNING graph_id`);
  return grants.length;
}

function refused(message: string): ServiceError {
  return new ServiceError('refused', 'INVALID_INPUT', message);
}
