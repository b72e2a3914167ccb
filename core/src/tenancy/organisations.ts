import { sql } from 'kysely';
import type { Caller, OrgRole } from '../define/context.ts';
import { ServiceError } from '../errors/service-error.ts';
import { createToken, type Token } from '../services/token.ts';
import type { Store, Transaction } from '../store/store.ts';

const members_max = 1000;
const graphs_max = 1000;

export type OrgType = 'enterprise' | 'personal' | 'team';

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

/** What the graph quota of an organisation leaves (platform U-9); a `max_graphs` of -1 is without limit. */
export interface OrgLimits extends Readonly<Record<string, unknown>> {
  readonly max_graphs: number;
  readonly current_graphs: number;
  readonly can_create_graph: boolean;
}

interface OrgRow {
  readonly id: string;
  readonly name: string;
  readonly org_type: OrgType;
  readonly role: OrgRole;
  readonly graphs_max: number;
  readonly member_count: number;
  readonly graph_count: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly joined_at: Date;
}

export const organisations: Token<Organisations> = createToken('kernel.organisations');

/** What members read about their organisation. A stranger learns nothing, not even that it exists (platform U-4). */
export class Organisations {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The organisations of a user: one or none (platform U-1). */
  async list(caller: Caller): Promise<readonly OrgRow[]> {
    return this.#store.transaction('kernel', (tx) => orgsOf(tx, caller.userId), { readOnly: true });
  }

  /** One organisation with its members, the graphs that the caller may see, and what is left of the quota. */
  async find(
    caller: Caller,
    orgId: string,
  ): Promise<{ org: OrgRow; members: OrgMember[]; graphs: OrgGraph[]; limits: OrgLimits }> {
    return this.#inside(caller, orgId, async (tx, org) => ({
      org,
      members: await membersOf(tx, orgId),
      graphs: await graphsOf(tx, orgId, caller.userId),
      limits: limitsOf(org),
    }));
  }

  /** Owner, admins, members, each group in the order of joining (platform U-5). */
  async members(caller: Caller, orgId: string): Promise<OrgMember[]> {
    return this.#inside(caller, orgId, (tx) => membersOf(tx, orgId));
  }

  /** The graphs of the organisation on which the caller has a role (platform U-5). */
  async graphs(caller: Caller, orgId: string): Promise<OrgGraph[]> {
    return this.#inside(caller, orgId, (tx) => graphsOf(tx, orgId, caller.userId));
  }

  async #inside<T>(caller: Caller, orgId: string, read: (tx: Transaction, org: OrgRow) => Promise<T>): Promise<T> {
    return this.#store.transaction(
      'kernel',
      async (tx) => {
        const org = (await orgsOf(tx, caller.userId)).find((candidate) => candidate.id === orgId);
        if (org === undefined) {
          throw new ServiceError('forbidden', 'FORBIDDEN', 'You are not a member of this organization');
        }
        return read(tx, org);
      },
      { readOnly: true },
    );
  }
}

function orgsOf(tx: Transaction, userId: string): Promise<readonly OrgRow[]> {
  return tx.query<OrgRow>(sql`
    SELECT o.id, o.name, o.org_type, m.role, o.graphs_max, o.created_at, o.updated_at, m.joined_at,
      (SELECT count(*) FROM kernel_org_user c WHERE c.org_id = o.id) AS member_count,
      (SELECT count(*) FROM kernel_graph g WHERE g.org_id = o.id AND g.parent_id IS NULL
        AND g.status IN ('creating', 'active', 'suspended')) AS graph_count
    FROM kernel_org_user m JOIN kernel_org o ON o.id = m.org_id WHERE m.user_id = ${userId}`);
}

async function membersOf(tx: Transaction, orgId: string): Promise<OrgMember[]> {
  const rows = await tx.query<Omit<OrgMember, 'joined_at'> & { joined_at: Date }>(sql`
    SELECT u.id AS user_id, u.name, u.email, m.role, m.joined_at, u.is_active
    FROM kernel_org_user m JOIN kernel_user u ON u.id = m.user_id WHERE m.org_id = ${orgId}
    ORDER BY array_position(ARRAY['owner', 'admin', 'member'], m.role), m.joined_at, u.id LIMIT ${members_max}`);
  return rows.map((row) => ({ ...row, joined_at: row.joined_at.toISOString() }));
}

async function graphsOf(tx: Transaction, orgId: string, userId: string): Promise<OrgGraph[]> {
  const rows = await tx.query<OrgGraph & { created_at: Date }>(sql`
    SELECT g.graph_id, g.name AS graph_name,
      CASE WHEN m.role IN ('owner', 'admin') THEN 'admin' ELSE a.role END AS role,
      g.status, g.graph_type, g.tier, g.created_at
    FROM kernel_graph g
    JOIN kernel_org_user m ON m.org_id = g.org_id AND m.user_id = ${userId}
    LEFT JOIN kernel_graph_user a ON a.graph_id = g.graph_id AND a.user_id = ${userId}
    WHERE g.org_id = ${orgId} AND g.parent_id IS NULL AND g.status IN ('active', 'suspended')
      AND (m.role IN ('owner', 'admin') OR a.role IS NOT NULL)
    ORDER BY g.created_at, g.graph_id LIMIT ${graphs_max}`);
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}

function limitsOf(org: OrgRow): OrgLimits {
  const hasRoom = org.graphs_max < 0 || org.graph_count < org.graphs_max;
  return {
    max_graphs: org.graphs_max,
    current_graphs: org.graph_count,
    can_create_graph: hasRoom && org.role !== 'member',
  };
}
