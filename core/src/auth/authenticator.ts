import type { RequestFacts } from '../audit/security-audit.ts';
import type { Caller, Graph } from '../define/context.ts';
import type { RequiredRole } from '../define/required-role.ts';
import type { AuthKind } from '../define/route.ts';
import { createToken, type Token } from '../services/token.ts';

/** The credentials of a request. */
export interface Credentials {
  /** The token of `Authorization: Bearer`. */
  readonly bearer?: string;
  /** The value of `X-API-Key`. */
  readonly apiKey?: string;
  /** The value of `?token=`, on the operation stream only. */
  readonly queryToken?: string;
}

/** Authenticates and authorizes callers; every surface uses it and nothing else (platform P-9). */
export interface Authenticator {
  /**
   * Returns the caller, or undefined without credentials of an accepted kind.
   * Makes at most one indexed read of the store, none on a cache hit. Throws 401 for a bad credential and
   * 403 for a valid API key where only a session is accepted.
   */
  authenticate(
    credentials: Credentials,
    accepts: readonly AuthKind[],
    request?: RequestFacts,
  ): Promise<Caller | undefined>;
  /**
   * Returns the graph with the caller's role on it. Throws 422 for a malformed id, 403 without a role whether or not
   * the graph exists, 403 `KEY_SCOPE` for a key of another graph, 404 when it was deleted, 403 when suspended.
   */
  enterGraph(caller: Caller, graphId: string, request?: RequestFacts): Promise<Graph>;
  /** Throws 403 unless the caller's role on the graph is sufficient. */
  requireRole(caller: Caller, graph: Graph, role: RequiredRole, request?: RequestFacts): void;
  /** Throws 403 `KEY_SCOPE` for a key bound to a graph on a route that has none (platform K-3). */
  requireAccountWide(caller: Caller, request?: RequestFacts): void;
  /** Throws 403 unless the caller's role in their organization is sufficient, for routes without a graph. */
  requireOrgRole(caller: Caller, role: RequiredRole, message?: string, request?: RequestFacts): void;
  /** Evicts a user from the cache of this process after their rights or credentials change. */
  forgetUser(userId: string): void;
  /** Evicts a graph from the cache of this process after its name, state or members change. */
  forgetGraph(graphId: string): void;
}

export const authenticator: Token<Authenticator> = createToken('kernel.authenticator');
