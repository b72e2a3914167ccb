import { sql } from 'kysely';
import type { RequestFacts, SecurityAudit } from '../audit/security-audit.ts';
import { createToken, type Token } from '../container/token.ts';
import type { Caller, Graph, GraphRole } from '../define/context.ts';
import { notFound, ServiceError } from '../errors/service-error.ts';
import graphMemberChanged from '../events/graph-member-changed.ts';
import type { KernelGraphUser, KernelOrgUser, KernelUser } from '../rows.gen.ts';
import type { EventPublisher } from '../services/events.ts';
import type { Clock } from '../services/kernel-tokens.ts';
import { type Store, StoreError, type Transaction } from '../store/store.ts';
import type { GraphAccess } from './graph-access.ts';
import { memberGraphId } from './graph-id.ts';
import { hasRoleOnGraph, membersInOrder } from './graph-rows.ts';

const maxMembers = 1000;

/** A user with access to a graph; field names are those of the wire. */
export interface GraphMember {
  readonly user_id: string;
  readonly name: string;
  readonly email: string;
  readonly role: GraphRole;
  /** `org_role` for owners and admins of the organization, who are admins without a grant. */
  readonly source: 'explicit' | 'org_role';
  readonly granted_at: string | null;
}

type MemberRow = Pick<KernelUser, 'name' | 'email'> & {
  readonly user_id: KernelUser['id'];
  readonly org_role: KernelOrgUser['role'];
  readonly role: KernelGraphUser['role'] | null;
  readonly granted_at: KernelGraphUser['created_at'] | null;
};

interface GraphMemberServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly audit: SecurityAudit;
  readonly events: EventPublisher;
  readonly access: GraphAccess;
}

export const graphMembers: Token<GraphMembers> = createToken('kernel.graph-members');

/** Grants on a graph, in addition to organization roles (platform P-3). Callers have checked the rights before. */
export class GraphMembers {
  readonly #use: GraphMemberServices;

  constructor(use: GraphMemberServices) {
    this.#use = use;
  }

  /** Lists grants in the order they were given, then the admins by role. A subgraph has its parent's members. */
  async list(graph: Graph): Promise<GraphMember[]> {
    const rows = await this.#use.store.transaction(
      'kernel',
      (tx) =>
        tx.query<MemberRow>(sql`
          ${memberRows(graph)} WHERE m.org_id = ${graph.orgId} AND ${hasRoleOnGraph}
          ORDER BY a.role IS NULL, a.created_at, ${membersInOrder}, u.id LIMIT ${maxMembers}`),
      { readOnly: true },
    );
    return rows.map(toMember);
  }

  /** Gives a member of the owning organization a role on the graph (platform P-3). */
  async add(
    caller: Caller,
    graph: Graph,
    grant: { readonly userId: string; readonly role: GraphRole },
    request: RequestFacts,
  ): Promise<GraphMember> {
    requireParentGraph(graph);
    const { userId, role } = grant;
    try {
      return await this.#change(
        caller,
        { graph, userId, role, type: 'graph_member_added', request },
        async (tx, now) => {
          // Serializes with a member's removal: a grant written later would outlive the membership (platform U-7).
          await tx.query(sql`SELECT 1 FROM kernel_org WHERE id = ${graph.orgId} FOR SHARE`);
          const user = await findRow(tx, graph, userId);
          if (user === undefined) {
            const message = 'User is not a member of the organization that owns this graph. Invite the user first.';
            throw new ServiceError('refused', 'INVALID_INPUT', message);
          }
          if (user.role !== null) throw alreadyGranted(user.role);
          await tx.query(sql`
          INSERT INTO kernel_graph_user (graph_id, user_id, role, created_at, granted_by)
          VALUES (${graph.id}, ${userId}, ${role}, ${now}, ${caller.userId})`);
          return { to: toMember({ ...user, role, granted_at: now }), from: null };
        },
      );
    } catch (error) {
      // Two requests may race; the primary key accepts one.
      if (error instanceof StoreError && error.code === 'unique') throw alreadyGranted();
      throw error;
    }
  }

  /** Changes a grant. Throws 404 for a user without one, including an admin by organization role. */
  async changeRole(
    caller: Caller,
    graph: Graph,
    grant: { readonly userId: string; readonly role: GraphRole },
    request: RequestFacts,
  ): Promise<GraphMember> {
    requireParentGraph(graph);
    const { userId, role } = grant;
    return this.#change(caller, { graph, userId, role, type: 'graph_member_changed', request }, async (tx) => {
      const { user, from } = await holdGrant(tx, graph, userId);
      await tx.query(sql`
        UPDATE kernel_graph_user SET role = ${role} WHERE graph_id = ${graph.id} AND user_id = ${userId}`);
      return { to: toMember({ ...user, role }), from };
    });
  }

  /** Removes a grant, and the user's selection of the graph if no organization role gives access. */
  async remove(caller: Caller, graph: Graph, userId: string, request: RequestFacts): Promise<void> {
    requireParentGraph(graph);
    await this.#change(caller, { graph, userId, role: null, type: 'graph_member_removed', request }, async (tx) => {
      const { user, from } = await holdGrant(tx, graph, userId);
      await tx.query(sql`DELETE FROM kernel_graph_user WHERE graph_id = ${graph.id} AND user_id = ${userId}`);
      if (user.org_role === 'member') {
        await tx.query(sql`
          DELETE FROM kernel_selected_graph WHERE user_id = ${userId} AND graph_id IN (
            SELECT graph_id FROM kernel_graph WHERE graph_id = ${graph.id} OR parent_id = ${graph.id})`);
      }
      return { to: toMember(user), from };
    });
  }

  /** Makes one change with its audit row and event, effective at once: the cache is evicted (platform P-4). */
  async #change(caller: Caller, change: GrantChange, write: GrantWrite): Promise<GraphMember> {
    const { graph, userId, role, type, request } = change;
    const { store, clock, audit, events, access } = this.#use;
    const member = await store.transaction('kernel', async (tx) => {
      const { to, from } = await write(tx, clock.now());
      await audit.append(tx, {
        type,
        risk: 'medium',
        caller,
        orgId: graph.orgId,
        graphId: graph.id,
        request,
        details: { member: userId, from, to: role },
      });
      await events.publish(tx, graphMemberChanged, { graph_id: graph.id, user_id: userId, role });
      return to;
    });
    access.forgetUser(userId);
    return member;
  }
}

interface GrantChange {
  readonly graph: Graph;
  readonly userId: string;
  readonly role: GraphRole | null;
  readonly type: 'graph_member_added' | 'graph_member_changed' | 'graph_member_removed';
  readonly request: RequestFacts;
}

type GrantWrite = (tx: Transaction, now: Date) => Promise<{ to: GraphMember; from: GraphRole | null }>;

/** Members of the organization with their grants on the graph, or on the parent of a subgraph. */
function memberRows(graph: Graph) {
  return sql`
    SELECT u.id AS user_id, u.name, u.email, m.role AS org_role, a.role, a.created_at AS granted_at
    FROM kernel_org_user m JOIN kernel_user u ON u.id = m.user_id
    LEFT JOIN kernel_graph_user a ON a.user_id = m.user_id AND a.graph_id = ${memberGraphId(graph.id)}`;
}

async function findRow(tx: Transaction, graph: Graph, userId: string): Promise<MemberRow | undefined> {
  const [row] = await tx.query<MemberRow>(sql`
    ${memberRows(graph)} WHERE m.org_id = ${graph.orgId} AND m.user_id = ${userId}`);
  return row;
}

/** Locks the grant until the transaction ends. */
async function holdGrant(
  tx: Transaction,
  graph: Graph,
  userId: string,
): Promise<{ readonly user: MemberRow; readonly from: GraphRole }> {
  await tx.query(sql`SELECT 1 FROM kernel_graph_user WHERE graph_id = ${graph.id} AND user_id = ${userId} FOR UPDATE`);
  const user = await findRow(tx, graph, userId);
  if (user?.role != null) return { user, from: user.role };
  if (user !== undefined && user.org_role !== 'member') {
    const message = `This user is an admin of the graph as ${user.org_role} of the organization. Change the role there.`;
    throw notFound(message);
  }
  throw notFound('User has no access to this graph');
}

/** Subgraphs have the members of their parent (platform P-1). */
function requireParentGraph(graph: Graph): void {
  if (graph.parentId === undefined) return;
  const message = `A subgraph has the members of its parent. Change the members of ${graph.parentId}.`;
  throw new ServiceError('refused', 'INVALID_INPUT', message);
}

function alreadyGranted(role?: GraphRole): ServiceError {
  const as = role === undefined ? '' : ` as ${role}`;
  const message = `User already has access to this graph${as}. Change the role of the member instead.`;
  return new ServiceError('conflict', 'ALREADY_EXISTS', message);
}

function toMember(row: MemberRow): GraphMember {
  const person = { user_id: row.user_id, name: row.name, email: row.email };
  if (row.role === null) return { ...person, role: 'admin', source: 'org_role', granted_at: null };
  return { ...person, role: row.role, source: 'explicit', granted_at: row.granted_at?.toISOString() ?? null };
}
