import { sql } from 'kysely';
import type { RequestFacts, SecurityAudit } from '../../audit/security-audit.ts';
import { createToken, type Token } from '../../container/token.ts';
import type { Caller, OrgRole } from '../../define/context.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { KernelGraph, KernelGraphUser, KernelOrgUser, KernelUser } from '../../rows.gen.ts';
import type { Clock } from '../../services/kernel-tokens.ts';
import type { Store, Transaction } from '../../store/store.ts';
import { hasRoleOnGraph, isTopLevelGraphOf, membersInOrder, roleOnGraph } from '../../tenancy/graph-rows.ts';
import {
  lockOrganization,
  type OrgRow,
  type OrgType,
  orgsOf,
  requireManager,
  requireMembership,
} from '../../tenancy/org-access.ts';
import { normalName } from '../accounts/profile-rules.ts';

const maxMembers = 1000;
const maxGraphs = 1000;

/** The share of the quota from which the limits response warns (platform U-9). */
const warningPercent = 90;

export interface OrgMember {
  readonly user_id: string;
  readonly name: string;
  readonly email: string;
  readonly role: OrgRole;
  readonly joined_at: string;
  readonly is_active: boolean;
}

export interface OrgGraph extends Readonly<Record<string, unknown>> {
  readonly graph_id: string;
  readonly graph_name: string;
  readonly role: string;
}

/** The graph quota of an organization and its use (platform U-9); a `max_graphs` of -1 means unlimited. */
export interface OrgLimits extends Readonly<Record<string, unknown>> {
  readonly max_graphs: number;
  readonly current_graphs: number;
  readonly can_create_graph: boolean;
}

/** An organization with everything in its detail response. */
export interface OrgDetail {
  readonly org: OrgRow;
  readonly members: OrgMember[];
  readonly graphs: OrgGraph[];
  readonly limits: OrgLimits;
}

/** Absent or null leaves a field unchanged. */
export interface OrgChange {
  readonly name?: string | null;
  readonly org_type?: OrgType | null;
}

interface OrganizationServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly audit: SecurityAudit;
}

export const organizations: Token<Organizations> = createToken('kernel.organizations');

/** Reads an organization for its members, and changes its name and type. */
export class Organizations {
  readonly #use: OrganizationServices;

  constructor(use: OrganizationServices) {
    this.#use = use;
  }

  /** Lists the organizations of the caller: one or none (platform U-1). */
  async list(caller: Caller): Promise<readonly OrgRow[]> {
    return this.#use.store.transaction('kernel', (tx) => orgsOf(tx, caller.userId), { readOnly: true });
  }

  /** Returns an organization with its members, the graphs visible to the caller, and the quota. */
  async find(caller: Caller, orgId: string): Promise<OrgDetail> {
    return this.#inside(caller, orgId, (tx, org) => detailOf(tx, caller, org));
  }

  /** Lists owner, admins, then members, each in the order of joining (platform U-5). */
  async members(caller: Caller, orgId: string): Promise<OrgMember[]> {
    return this.#inside(caller, orgId, (tx) => membersOf(tx, orgId));
  }

  /** Lists the graphs of the organization on which the caller has a role (platform U-5). */
  async graphs(caller: Caller, orgId: string): Promise<OrgGraph[]> {
    return this.#inside(caller, orgId, (tx) => graphsOf(tx, orgId, caller.userId));
  }

  /** Returns the graph quota, with a warning if it is nearly used up (platform U-9). */
  async limits(caller: Caller, orgId: string): Promise<OrgLimits & { readonly warnings: string[] }> {
    return this.#inside(caller, orgId, async (_tx, org) => ({ ...limitsOf(org), warnings: warningsOf(org) }));
  }

  /**
   * Renames the organization, for its owners and admins, or changes its type, for its owners (platform U-2).
   * Throws 403 for the others and 400 for a name that is empty, too long or nothing but markup.
   */
  async update(caller: Caller, orgId: string, change: OrgChange, request: RequestFacts): Promise<OrgDetail> {
    return this.#use.store.transaction('kernel', async (tx) => {
      const before = await lockOrganization(tx, caller, orgId);
      requireManager(before, 'change its details');
      const name = change.name == null ? before.name : normalName(change.name);
      if (name === undefined) {
        const message = 'Invalid organization name: give 1 to 100 characters without markup';
        throw new ServiceError('refused', 'INVALID_INPUT', message);
      }
      const type = change.org_type ?? before.org_type;
      if (type !== before.org_type && before.role !== 'owner') {
        throw new ServiceError('forbidden', 'FORBIDDEN', 'Only an owner may change the type of the organization');
      }
      if (name !== before.name || type !== before.org_type) {
        await tx.query(sql`UPDATE kernel_org SET name = ${name}, org_type = ${type},
          updated_at = ${this.#use.clock.now()} WHERE id = ${orgId}`);
        const details = { from: { name: before.name, org_type: before.org_type }, to: { name, org_type: type } };
        await this.#use.audit.append(tx, { type: 'org_updated', risk: 'low', caller, orgId, request, details });
      }
      return detailOf(tx, caller, await requireMembership(tx, caller, orgId));
    });
  }

  async #inside<T>(caller: Caller, orgId: string, read: (tx: Transaction, org: OrgRow) => Promise<T>): Promise<T> {
    return this.#use.store.transaction('kernel', async (tx) => read(tx, await requireMembership(tx, caller, orgId)), {
      readOnly: true,
    });
  }
}

/** The detail response of an organization; field names are those of the wire. */
export function orgDetailOf({ org, members, graphs, limits }: OrgDetail) {
  return {
    id: org.id,
    name: org.name,
    org_type: org.org_type,
    user_role: org.role,
    members,
    graphs,
    limits,
    created_at: org.created_at.toISOString(),
    updated_at: org.updated_at.toISOString(),
  };
}

async function detailOf(tx: Transaction, caller: Caller, org: OrgRow): Promise<OrgDetail> {
  return {
    org,
    members: await membersOf(tx, org.id),
    graphs: await graphsOf(tx, org.id, caller.userId),
    limits: limitsOf(org),
  };
}

type MemberRow = Pick<KernelUser, 'name' | 'email' | 'is_active'> &
  Pick<KernelOrgUser, 'role' | 'joined_at'> & { readonly user_id: KernelUser['id'] };

const memberRows = sql`
    SELECT u.id AS user_id, u.name, u.email, m.role, m.joined_at, u.is_active
    FROM kernel_org_user m JOIN kernel_user u ON u.id = m.user_id`;

async function membersOf(tx: Transaction, orgId: string): Promise<OrgMember[]> {
  const rows = await tx.query<MemberRow>(sql`
    ${memberRows} WHERE m.org_id = ${orgId}
    ORDER BY ${membersInOrder}, u.id LIMIT ${maxMembers}`);
  return rows.map(toMember);
}

/** Finds one member of an organization, in a kernel transaction. */
export async function findMember(tx: Transaction, orgId: string, userId: string): Promise<OrgMember | undefined> {
  const [row] = await tx.query<MemberRow>(sql`
    ${memberRows} WHERE m.org_id = ${orgId} AND m.user_id = ${userId}`);
  return row === undefined ? undefined : toMember(row);
}

function toMember(row: MemberRow): OrgMember {
  return { ...row, joined_at: row.joined_at.toISOString() };
}

async function graphsOf(tx: Transaction, orgId: string, userId: string): Promise<OrgGraph[]> {
  const rows = await tx.query<
    Pick<KernelGraph, 'graph_id' | 'status' | 'graph_type' | 'tier' | 'created_at'> & {
      readonly graph_name: KernelGraph['name'];
      readonly role: KernelGraphUser['role'];
    }
  >(sql`
    SELECT g.graph_id, g.name AS graph_name,
      ${roleOnGraph} AS role,
      g.status, g.graph_type, g.tier, g.created_at
    FROM kernel_graph g
    JOIN kernel_org_user m ON m.org_id = g.org_id AND m.user_id = ${userId}
    LEFT JOIN kernel_graph_user a ON a.graph_id = g.graph_id AND a.user_id = ${userId}
    WHERE ${isTopLevelGraphOf(orgId)} AND ${hasRoleOnGraph}
    ORDER BY g.created_at, g.graph_id LIMIT ${maxGraphs}`);
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}

function limitsOf(org: OrgRow): OrgLimits {
  const hasCapacity = org.graphs_max < 0 || org.graph_count < org.graphs_max;
  return {
    max_graphs: org.graphs_max,
    current_graphs: org.graph_count,
    can_create_graph: hasCapacity && org.role !== 'member',
  };
}

/** A limit of -1 means unlimited, so it never warns. */
function warningsOf(org: OrgRow): string[] {
  if (org.graphs_max < 0 || org.graph_count * 100 < org.graphs_max * warningPercent) return [];
  return [`Approaching graph limit (${org.graph_count}/${org.graphs_max})`];
}
