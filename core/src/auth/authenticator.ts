import type { RequestFacts } from '../audit/security-audit.ts';
import { createToken, type Token } from '../container/token.ts';
import type { Caller } from '../define/context.ts';
import type { AuthKind } from '../define/route.ts';

/** The credentials of a request. */
export interface Credentials {
  /** The token of `Authorization: Bearer`. */
  readonly bearer?: string;
  /** The value of `X-API-Key`. */
  readonly apiKey?: string;
  /** The value of `?token=`, on the operation stream only. */
  readonly queryToken?: string;
}

/** Authenticates callers; every surface uses it and nothing else. The identity of a deployment provides it. */
export interface Authenticator {
  /**
   * Returns the caller, or undefined without credentials of an accepted kind.
   * Throws 401 for a bad credential and 403 for a valid API key where only a session is accepted. With accounts it
   * makes at most one indexed read of the store, none on a cache hit.
   */
  authenticate(
    credentials: Credentials,
    accepts: readonly AuthKind[],
    request?: RequestFacts,
  ): Promise<Caller | undefined>;
  /** Evicts a user from the cache of this process after their credentials or their organization change. */
  forgetUser(userId: string): void;
}

export const authenticator: Token<Authenticator> = createToken('kernel.authenticator');
