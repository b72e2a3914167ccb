import type { BackgroundWrites, RequestFacts, SecurityAudit, SecurityEvent } from '../../audit/security-audit.ts';
import { AccessCache, accessCacheBounds } from '../../auth/access-cache.ts';
import type { Authenticator, Credentials } from '../../auth/authenticator.ts';
import { badKey, badToken, sessionRequired } from '../../auth/refusals.ts';
import type { Caller } from '../../define/context.ts';
import type { AuthKind } from '../../define/route.ts';
import type { ServiceError } from '../../errors/service-error.ts';
import type { Clock } from '../../services/kernel-tokens.ts';
import type { Store } from '../../store/store.ts';
import { isKey, keyFingerprint, keyPrefix } from '../keys/api-key.ts';
import { callerOf, type KeyRow, noteKeyUse, readKey, readSession, type SessionRow } from './principal-reads.ts';
import type { Session, SessionTokens } from './session-token.ts';

const minKeyUseSeconds = 60;

interface AuthenticatorServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly tokens: SessionTokens;
  readonly audit: SecurityAudit;
  readonly background: BackgroundWrites;
}

/** Checks credentials against the store, with a short-lived cache. */
export class StoreAuthenticator implements Authenticator {
  readonly #use: AuthenticatorServices;
  readonly #sessions: AccessCache<{ readonly session: Session; readonly row: SessionRow }>;
  readonly #keys: AccessCache<KeyRow>;

  constructor(use: AuthenticatorServices) {
    this.#use = use;
    this.#sessions = new AccessCache(use.clock, accessCacheBounds);
    this.#keys = new AccessCache(use.clock, accessCacheBounds);
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

  forgetUser(userId: string): void {
    this.#sessions.forget((entry) => entry.session.userId === userId);
    this.#keys.forget((row) => row.user_id === userId);
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
    return { ...callerOf(found.row), credential: 'jwt', sessionId: found.session.jti };
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
      ...callerOf(row),
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
}
