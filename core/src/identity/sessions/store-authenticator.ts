import type { BackgroundWrites, RequestFacts, SecurityAudit, SecurityEvent } from '../../audit/security-audit.ts';
import { AccessCache } from '../../auth/access-cache.ts';
import type { Authenticator, Credentials } from '../../auth/authenticator.ts';
import type { Caller, Graph } from '../../define/context.ts';
import type { RequiredRole } from '../../define/required-role.ts';
import type { AuthKind } from '../../define/route.ts';
import { notFound, ServiceError } from '../../errors/service-error.ts';
import type { Clock } from '../../services/kernel-tokens.ts';
import type { Store } from '../../store/store.ts';
import { isInKeyScope, libraryGraphId, repositoryOf, requireGraphId } from '../../tenancy/graph-id.ts';
import type { OfferedRepository } from '../../tenancy/offered-repositories.ts';
import { effectiveRole, graphDenied, orgRefusalOf, refusalOf, repositoryDenied } from '../../tenancy/roles.ts';
import { badKey, badToken, outsideKeyScope, sessionRequired } from '../accounts/refusals.ts';
import { isKey, keyFingerprint, keyPrefix } from '../keys/api-key.ts';
import {
  type GraphAccessRow,
  type KeyRow,
  noteKeyUse,
  type PrincipalRow,
  readGraphAccess,
  readKey,
  readSession,
  type SessionRow,
} from './principal-reads.ts';
import type { Session, SessionTokens } from './session-token.ts';

/** Another process may honor a revoked right this much longer (platform A-4 allows 5 s). */
const maxAnswerMs = 2000;
const maxAnswers = 20_000;
const minKeyUseSeconds = 60;

interface AuthenticatorServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly tokens: SessionTokens;
  readonly audit: SecurityAudit;
  readonly background: BackgroundWrites;
  readonly repositories: readonly OfferedRepository[];
}

/** Checks credentials and roles against the store, with a short-lived cache. */
export class StoreAuthenticator implements Authenticator {
  readonly #use: AuthenticatorServices;
  readonly #repositories: ReadonlySet<string>;
  readonly #sessions: AccessCache<{ readonly session: Session; readonly row: SessionRow }>;
  readonly #keys: AccessCache<KeyRow>;
  readonly #graphs: AccessCache<{ readonly userId: string; readonly row: GraphAccessRow }>;

  constructor(use: AuthenticatorServices) {
    this.#use = use;
    this.#repositories = new Set(use.repositories.map(({ key }) => key.toLowerCase()));
    const bounds = { maxEntries: maxAnswers, maxAgeMs: maxAnswerMs };
    this.#sessions = new AccessCache(use.clock, bounds);
    this.#keys = new AccessCache(use.clock, bounds);
    this.#graphs = new AccessCache(use.clock, bounds);
  }

  async authenticate(
    credentials: Credentials,
    accepts: readonly AuthKind[],
    request: RequestFacts = {},
  ): Promise<Caller | undefined> {
    if (accepts.length === 0) return undefined;
    // A bad bearer token is refused even if the API key is valid (platform A-2).
    if (credentials.bearer !== undefined) {
      if (!accepts.includes('bearer')) throw badToken();
      return this.#fromSession(credentials.bearer, request);
    }
    if (credentials.apiKey !== undefined) {
      const caller = await this.#fromKey(credentials.apiKey, request);
      // A leaked key must not be able to make further keys or change a password (platform A-3).
      if (!accepts.includes('api-key')) throw sessionRequired();
      return caller;
    }
    if (credentials.queryToken !== undefined && accepts.includes('token-in-query')) {
      return this.#fromSession(credentials.queryToken, request);
    }
    return undefined;
  }

  async enterGraph(caller: Caller, graphId: string, request: RequestFacts = {}): Promise<Graph> {
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
    refuseByState(found.row);
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
    };
  }

  requireRole(caller: Caller, graph: Graph, role: RequiredRole, request: RequestFacts = {}): void {
    const refusal = refusalOf(caller, graph, role);
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
    this.#sessions.forget((entry) => entry.session.userId === userId);
    this.#keys.forget((row) => row.user_id === userId);
    this.#graphs.forget((entry) => entry.userId === userId);
  }

  forgetGraph(graphId: string): void {
    this.#graphs.forget(({ row }) => row.graph_id === graphId || row.parent_id === graphId);
  }

  async #fromSession(token: string, request: RequestFacts): Promise<Caller> {
    const found = await this.#sessions.get(token, async () => {
      const check = await this.#use.tokens.read(token);
      if (!check.ok) {
        if (check.reason === 'wrong-type') this.#suspect(check.userId, request);
        throw badToken();
      }
      const { session } = check;
      const row = await readSession(this.#use.store, session.userId, session.jti);
      return row === undefined ? undefined : { session, row };
    });
    // Deactivation and a higher session version end every session at once (platform ).
    if (found === undefined || !found.row.is_active || found.row.session_version !== found.session.sessionVersion) {
      throw badToken();
    }
    const now = this.#use.clock.now();
    if (found.session.expiresAt <= now) throw badToken();
    if (found.row.usable_until !== null && found.row.usable_until <= now) throw badToken('Token has been revoked');
    return { ...principal(found.row), credential: 'jwt', sessionId: found.session.jti };
  }

  async #fromKey(key: string, request: RequestFacts): Promise<Caller> {
    const prefix = keyPrefix(key);
    if (!isKey(key)) throw badKey();
    const fingerprint = keyFingerprint(key);
    const row = await this.#keys.get(fingerprint, () => readKey(this.#use.store, fingerprint));
    if (row === undefined || !row.key_is_active || !row.is_active) {
      const userId = row === undefined ? {} : { userId: row.user_id };
      throw this.#refusedKey({ type: 'api_key_invalid', risk: 'medium', keyPrefix: prefix, request, ...userId });
    }
    const now = this.#use.clock.now();
    if (row.expires_at !== null && row.expires_at <= now) {
      throw this.#refusedKey({ type: 'api_key_expired', risk: 'low', userId: row.user_id, keyPrefix: prefix, request });
    }
    this.#noteUse(row, now);
    return {
      ...principal(row),
      credential: 'api_key',
      keyPrefix: row.prefix,
      keyId: row.key_id,
      ...(row.graph_id === null ? {} : { scopeGraphId: row.graph_id }),
    };
  }

  /** Records the use of a key at most once a minute, in the background (platform K-6). */
  #noteUse(row: KeyRow, now: Date): void {
    const before = new Date(now.getTime() - minKeyUseSeconds * 1000);
    if (row.last_used_at !== null && row.last_used_at >= before) return;
    this.#use.background.start('api-key-use', () => noteKeyUse(this.#use.store, { keyId: row.key_id, now, before }));
  }

  #refusedKey(event: SecurityEvent): ServiceError {
    this.#use.audit.recordInBackground(event);
    return badKey(event.type === 'api_key_expired' ? 'API key has expired' : 'Invalid API key');
  }

  #suspect(userId: string | undefined, request: RequestFacts): void {
    // A token issued for another purpose is never sent here by accident (platform A-6).
    const details = { reason: 'non_access_token_as_bearer' };
    const who = userId === undefined ? {} : { userId };
    this.#use.audit.recordInBackground({ type: 'suspicious_activity', risk: 'high', ...who, request, details });
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

function principal(row: PrincipalRow): Pick<Caller, 'userId' | 'email' | 'name' | 'orgId' | 'orgRole'> {
  return {
    userId: row.user_id,
    email: row.email,
    name: row.name,
    ...(row.org_id === null ? {} : { orgId: row.org_id }),
    ...(row.org_role === null ? {} : { orgRole: row.org_role }),
  };
}

/** States in which a graph does not exist for its members: deleted, or not created yet. */
const hidden: ReadonlySet<string> = new Set(['creating', 'deleted', 'deprovisioned']);

/** Throws 404 for a deleted graph and 403 with the reason for a suspended one (platform P-7). */
function refuseByState(row: GraphAccessRow): void {
  const states = [row.status, row.parent_status ?? 'active'];
  if (states.some((state) => hidden.has(state))) throw notFound('Graph not found.');
  if (states.includes('suspended')) {
    throw new ServiceError('forbidden', 'FORBIDDEN', 'Subscription has ended. Resubscribe to access this graph.');
  }
}
