import type { RequestFacts, SecurityAudit } from '../audit/security-audit.ts';
import { AccessCache, accessCacheBounds } from '../auth/access-cache.ts';
import { outsideKeyScope } from '../auth/refusals.ts';
import { createToken, type Token } from '../container/token.ts';
import type { Caller, Graph } from '../define/context.ts';
import type { RequiredRole } from '../define/required-role.ts';
import { notFound, ServiceError } from '../errors/service-error.ts';
import type { Clock } from '../services/kernel-tokens.ts';
import type { Store } from '../store/store.ts';
import { type GraphAccessRow, readGraphAccess } from './graph-access-rows.ts';
import { isInKeyScope, libraryGraphId, repositoryOf, requireGraphId } from './graph-id.ts';
import type { OfferedRepository } from './offered-repositories.ts';
import { effectiveRole, graphDenied, orgRefusalOf, refusalOf, repositoryDenied } from './roles.ts';

/** Authorizes callers on graphs and in their organization; every surface uses it and nothing else (platform P-9). */
export interface GraphAccess {
  /**
   * Returns the graph with the caller's role on it. Throws 422 for a malformed id, 403 without a role whether or not
   * the graph exists, 403 `KEY_SCOPE` for a key of another graph, 404 when it was deleted, 403 when suspended. With
   * `isFormerAllowed`, owners and admins of the organization enter a deleted graph for 90 days (graphs B-15).
   */
  enterGraph(
    caller: Caller,
    graphId: string,
    request?: RequestFacts,
    options?: { readonly isFormerAllowed?: boolean },
  ): Promise<Graph>;
  /** Throws 403, with the message if one is given, unless the caller's role on the graph is sufficient. */
  requireRole(caller: Caller, graph: Graph, role: RequiredRole, request?: RequestFacts, message?: string): void;
  /** Throws 403 `KEY_SCOPE` for a key bound to a graph on a route that has none (platform K-3). */
  requireAccountWide(caller: Caller, request?: RequestFacts): void;
  /** Throws 403 unless the caller's role in their organization is sufficient, for routes without a graph. */
  requireOrgRole(caller: Caller, role: RequiredRole, message?: string, request?: RequestFacts): void;
  /** Evicts a user from the cache of this process after their rights change. */
  forgetUser(userId: string): void;
  /** Evicts a graph from the cache of this process after its name, state or members change. */
  forgetGraph(graphId: string): void;
}

export const graphAccess: Token<GraphAccess> = createToken('kernel.graph-access');

interface GraphAccessServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly audit: SecurityAudit;
  readonly repositories: readonly OfferedRepository[];
}

/** Reads roles from the store, with a short-lived cache. */
export class StoredGraphAccess implements GraphAccess {
  readonly #use: GraphAccessServices;
  readonly #repositories: ReadonlySet<string>;
  readonly #graphs: AccessCache<{ readonly userId: string; readonly row: GraphAccessRow }>;

  constructor(use: GraphAccessServices) {
    this.#use = use;
    this.#repositories = new Set(use.repositories.map(({ key }) => key.toLowerCase()));
    this.#graphs = new AccessCache(use.clock, accessCacheBounds);
  }

  async enterGraph(
    caller: Caller,
    graphId: string,
    request: RequestFacts = {},
    options: { readonly isFormerAllowed?: boolean } = {},
  ): Promise<Graph> {
    const repository = repositoryOf(graphId, this.#repositories);
    if (repository !== undefined) throw this.#denied(repositoryDenied(repository), { caller, request, graphId });
    requireGraphId(graphId);
    if (caller.scopeGraphId !== undefined && !isInKeyScope(caller.scopeGraphId, graphId)) {
      throw this.#denied(outsideKeyScope(), { caller, request, graphId });
    }
    if (graphId === libraryGraphId) return libraryGraph;
    const found = await this.#graphs.get(`${caller.userId} ${graphId}`, async () => {
      const row = await readGraphAccess(this.#use.store, caller.userId, graphId);
      return row === undefined ? undefined : { userId: caller.userId, row };
    });
    const role = found === undefined ? undefined : effectiveRole(found.row.grant_role, found.row.org_role);
    if (found === undefined || role === undefined) throw this.#denied(graphDenied(), { caller, request, graphId });
    const isFormer = options.isFormerAllowed === true && isOpenForExport(found.row, this.#use.clock.now());
    if (!isFormer) refuseByState(found.row);
    return {
      id: found.row.graph_id,
      orgId: found.row.org_id,
      name: found.row.name,
      type: found.row.graph_type,
      tier: found.row.tier,
      extensions: found.row.extensions,
      role,
      ...(found.row.parent_id === null ? {} : { parentId: found.row.parent_id }),
      ...(found.row.write_block === null ? {} : { writeBlock: found.row.write_block }),
      ...(found.row.is_past_due ? { isPastDue: true } : {}),
      ...(isFormer ? { isFormer } : {}),
    };
  }

  requireRole(caller: Caller, graph: Graph, role: RequiredRole, request: RequestFacts = {}, message?: string): void {
    const refusal = refusalOf(caller, graph, role, message);
    if (refusal !== undefined) throw this.#denied(refusal, { caller, request, graphId: graph.id, role });
  }

  requireAccountWide(caller: Caller, request: RequestFacts = {}): void {
    if (caller.scopeGraphId !== undefined) throw this.#denied(outsideKeyScope(), { caller, request });
  }

  requireOrgRole(caller: Caller, role: RequiredRole, message?: string, request: RequestFacts = {}): void {
    const refusal = orgRefusalOf(caller, role, message);
    if (refusal !== undefined) throw this.#denied(refusal, { caller, request, role });
  }

  forgetUser(userId: string): void {
    this.#graphs.forget((entry) => entry.userId === userId);
  }

  forgetGraph(graphId: string): void {
    this.#graphs.forget(({ row }) => row.graph_id === graphId || row.parent_id === graphId);
  }

  #denied(refusal: ServiceError, denial: Denial): ServiceError {
    const { caller, request, graphId, role } = denial;
    this.#use.audit.recordInBackground({
      type: 'authorization_denied',
      risk: 'medium',
      caller,
      request,
      ...(graphId === undefined ? {} : { graphId }),
      details: { resource: graphId ?? 'account', action: role ?? 'enter' },
    });
    return refusal;
  }
}

interface Denial {
  readonly caller: Caller;
  readonly request: RequestFacts;
  readonly graphId?: string;
  readonly role?: RequiredRole;
}

/** Every signed-in user can read the library; nobody can write to it (platform P-1, graphs G-4). */
const libraryGraph: Graph = Object.freeze({
  id: libraryGraphId,
  orgId: '',
  name: 'Library',
  type: 'library',
  tier: '',
  extensions: Object.freeze([]),
  role: 'viewer' as const,
});

/** States in which a graph does not exist for its members: deleted, being deleted, or not created yet. */
const hidden: ReadonlySet<string> = new Set(['creating', 'deleting', 'deleted', 'deprovisioned']);

/** The days for which owners and admins of the organization can still download the backups of a deleted graph. */
const exportDays = 90;

/** True for a deleted graph whose backups this caller may still download (graphs B-15). */
function isOpenForExport(row: GraphAccessRow, now: Date): boolean {
  const isManager = row.org_role === 'owner' || row.org_role === 'admin';
  const until = row.updated_at.getTime() + exportDays * 86_400_000;
  return row.status === 'deprovisioned' && isManager && now.getTime() < until;
}

/** Throws 404 for a deleted graph and 403 with the reason for a suspended one (platform P-7). */
function refuseByState(row: GraphAccessRow): void {
  const states = [row.status, row.parent_status ?? 'active'];
  if (states.some((state) => hidden.has(state))) throw notFound('Graph not found.');
  if (states.includes('suspended')) {
    throw new ServiceError('forbidden', 'FORBIDDEN', 'Subscription has ended. Resubscribe to access this graph.');
  }
}
