import { sql } from 'kysely';
import type { Caller } from '../define/context.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { KernelOrg, KernelOrgUser } from '../rows.gen.ts';
import type { Transaction } from '../store/store.ts';
import { placesOf } from './graph-places.ts';

export type OrgType = 'enterprise' | 'personal' | 'team';

/** An organization as one of its members sees it. */
export type OrgRow = Pick<KernelOrg, 'id' | 'name' | 'org_type' | 'graphs_max' | 'created_at' | 'updated_at'> &
  Pick<KernelOrgUser, 'joined_at'> & {
    /** The role of the calling member. */
    readonly role: KernelOrgUser['role'];
    readonly member_count: number;
    /** Top-level graphs that count against the quota, including pending and reserved ones (platform U-9). */
    readonly graph_count: number;
  };

/** Lists the organizations of a user: one or none (platform U-1). */
export function orgsOf(tx: Transaction, userId: string): Promise<readonly OrgRow[]> {
  return tx.query<OrgRow>(sql`
    SELECT o.id, o.name, o.org_type, m.role, o.graphs_max, o.created_at, o.updated_at, m.joined_at,
      (SELECT count(*) FROM kernel_org_user c WHERE c.org_id = o.id) AS member_count,
      (SELECT count(*) FROM (${placesOf(sql`o.id`)}) place) AS graph_count
    FROM kernel_org_user m JOIN kernel_org o ON o.id = m.org_id WHERE m.user_id = ${userId}`);
}

/** Returns the organization to its members; a non-member does not even learn that it exists (platform U-4). */
export async function requireMembership(tx: Transaction, caller: Caller, orgId: string): Promise<OrgRow> {
  const org = (await orgsOf(tx, caller.userId)).find((candidate) => candidate.id === orgId);
  if (org !== undefined) return org;
  throw new ServiceError('forbidden', 'FORBIDDEN', 'You are not a member of this organization');
}

/**
 * Locks the organization's row until the transaction ends, then reads the caller's role: the second of two concurrent
 * changes of members sees the result of the first (platform U-8).
 */
export async function lockOrganization(tx: Transaction, caller: Caller, orgId: string): Promise<OrgRow> {
  await requireMembership(tx, caller, orgId);
  await tx.query(sql`SELECT 1 FROM kernel_org WHERE id = ${orgId} FOR UPDATE`);
  return requireMembership(tx, caller, orgId);
}

/** Throws 403 for plain members; `action` completes the message. */
export function requireManager(org: OrgRow, action: string): void {
  if (org.role !== 'member') return;
  throw new ServiceError('forbidden', 'FORBIDDEN', `Only owners and admins of the organization may ${action}`);
}
