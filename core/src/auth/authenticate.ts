import type { RequestFacts } from '../audit/security-audit.ts';
import type { Caller, Graph } from '../define/context.ts';
import type { RequiredRole } from '../define/required-role.ts';
import type { AuthKind } from '../define/route.ts';
import { createToken, type Token } from '../services/token.ts';

/** What a request carries to say who it is. */
export interface Credentials {
  /** The token of `Authorization: Bearer`. */
  readonly bearer?: string;
  /** The value of `X-API-Key`. */
  readonly apiKey?: string;
  /** The value of `?token=`, on the operation stream only. */
  readonly queryToken?: string;
}

/** Who calls and what he may do. Every surface asks here and nowhere else (platform P-9). */
export interface Authenticator {
  /**
   * The caller behind the credentials; undefined when there are none that the list accepts.
   * At most one indexed read of the store, none while the answer is fresh. Throws 401 for a bad credential and
   * 403 for a valid API key where only a session is accepted.
   */
  authenticate(
    credentials: Credentials,
    accepts: readonly AuthKind[],
    request?: RequestFacts,
  ): Promise<Caller | undefined>;
  /**
   * The graph with the caller's role on it. Throws 422 for an id outside the grammar, 403 without a role whether or
   * not the graph exists, 403 `KEY_SCOPE` for a key bound elsewhere, 404 when it was deleted, 403 when suspended.
   */
  enterGraph(caller: Caller, graphId: string, request?: RequestFacts): Promise<Graph>;
  /** Throws 403 unless the caller's role on the graph is enough. */
  requireRole(caller: Caller, graph: Graph, role: RequiredRole, request?: RequestFacts): void;
  /** Throws 403 `KEY_SCOPE` for a key bound to a graph on a route that has none (platform K-3). */
  requireAccountWide(caller: Caller, request?: RequestFacts): void;
  /** Throws 403 unless the caller's role in his organisation is enough for what no graph is involved in. */
  requireOrgRole(caller: Caller, role: RequiredRole, message?: string, request?: RequestFacts): void;
  /** Drops what this process remembers of a user, after his rights or credentials changed. */
  forgetUser(userId: string): void;
  /** Drops what this process remembers of a graph, after its name, state or members changed. */
  forgetGraph(graphId: string): void;
}

export const authenticator: Token<Authenticator> = createToken('kernel.authenticator');
