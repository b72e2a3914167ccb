import type { AppGrants, Clock, Ids, RequestFacts, SecurityAudit, Store, Transaction } from '@pacioli/core';
import { noteSuspicion, type Suspicion } from './audit.ts';
import { type Client, keepClient } from './clients.ts';
import type { Form } from './form.ts';
import { OAuthError } from './oauth-error.ts';
import { isVerified } from './pkce.ts';
import { isSameRedirect } from './redirects.ts';
import { findResource } from './resources.ts';
import { narrowedScope } from './scopes.ts';
import { digestOf, isAccessToken, isRefreshToken } from './secrets.ts';
import {
  type CodeRow,
  familyOfCode,
  insertFamily,
  isSuccessorUnused,
  replacePair,
  revokeFamily,
  revokeToken,
  type TokenPair,
  type TokenRow,
  takeCode,
  tokenByDigest,
  useRefreshToken,
} from './token-rows.ts';

const graceMs = 10_000;

/** The client and the circumstances of a call to the token endpoint. */
export interface TokenCall {
  readonly client: Client;
  readonly issuer: string;
  readonly request: RequestFacts;
}

interface ExchangeServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: SecurityAudit;
  readonly grants: AppGrants;
  /** Refuses an immediate repetition of a refresh without revoking the family (O-34). */
  readonly hasGrace: boolean;
}

/**
 * Exchanges codes and refresh tokens for new tokens (ai-surface 6.3, 6.4). A refusal that consumes or revokes something
 * must commit, so the transactions return it instead of throwing.
 */
export class TokenExchange {
  readonly #use: ExchangeServices;

  constructor(use: ExchangeServices) {
    this.#use = use;
  }

  /** Exchanges what the form of the token endpoint has (O-30). */
  run(form: Form, call: TokenCall): Promise<TokenPair> {
    switch (form.get('grant_type')) {
      case 'authorization_code':
        return this.#redeem(form, call);
      case 'refresh_token':
        return this.#refresh(form, call);
      case undefined:
        throw new OAuthError('invalid_request', 'Send the grant_type.');
      default:
        throw new OAuthError('unsupported_grant_type', 'Use authorization_code or refresh_token.');
    }
  }

  /** Exchanges a code. It is consumed before it is checked, so a failed exchange burns it (O-25). */
  async #redeem(given: Form, call: TokenCall): Promise<TokenPair> {
    const code = given.get('code');
    if (code === undefined) throw new OAuthError('invalid_request', 'Send the code.');
    const codeDigest = digestOf(code);
    return unwrapped(
      this.#use.store.transaction('kernel', async (tx) => {
        const now = this.#use.clock.now();
        const row = await takeCode(tx, codeDigest, now);
        if (row === undefined) return this.#reusedCode(tx, codeDigest, call);
        const refusal = await this.#codeRefusal(tx, row, { given, call });
        if (refusal !== undefined) return refusal;
        await keepClient(tx, row.clientId);
        return insertFamily(tx, { ...row, id: this.#use.ids.make('mcpf'), codeDigest }, now);
      }),
    );
  }

  /** Exchanges a refresh token for a new pair (O-34, O-35). */
  async #refresh(given: Form, call: TokenCall): Promise<TokenPair> {
    const refreshToken = given.get('refresh_token');
    if (refreshToken === undefined) throw new OAuthError('invalid_request', 'Send the refresh_token.');
    if (!isRefreshToken(refreshToken)) throw badRefreshToken();
    const digest = digestOf(refreshToken);
    return unwrapped(
      this.#use.store.transaction('kernel', async (tx) => {
        const row = await tokenByDigest(tx, digest);
        if (row?.kind !== 'refresh') return badRefreshToken();
        if (row.clientId !== call.client.id) {
          await this.#suspect(tx, 'oauth_refresh_token_of_another_client', row, call);
          return badRefreshToken();
        }
        if (row.usedAt !== null) return this.#replayed(tx, row, call);
        return this.#rotate(tx, { digest, row, given, call });
      }),
    );
  }

  /** Ends a token: a refresh token with its family. Unknown tokens and those of other clients are ignored (O-36). */
  async revoke(token: string, client: Client): Promise<void> {
    if (!isAccessToken(token) && !isRefreshToken(token)) return;
    const digest = digestOf(token);
    await this.#use.store.transaction('kernel', async (tx) => {
      const row = await tokenByDigest(tx, digest);
      if (row?.clientId !== client.id) return;
      const now = this.#use.clock.now();
      if (row.kind === 'refresh') await revokeFamily(tx, row.familyId, now);
      else await revokeToken(tx, digest, now);
    });
  }

  async #codeRefusal(
    tx: Transaction,
    row: CodeRow,
    { given, call }: { readonly given: Form; readonly call: TokenCall },
  ): Promise<OAuthError | undefined> {
    if (row.clientId !== call.client.id) {
      await this.#suspect(tx, 'oauth_code_of_another_client', row, call);
      return badCode();
    }
    if (!isVerified(row.challenge, given.get('code_verifier'))) {
      await this.#suspect(tx, 'oauth_pkce_failed', row, call);
      return new OAuthError('invalid_grant', 'The code_verifier does not match. Start the authorization again.');
    }
    if (row.expiresAt <= this.#use.clock.now()) return badCode();
    const redirect = given.get('redirect_uri');
    if (redirect !== undefined && !isSameRedirect(row.redirectUri, redirect)) {
      return new OAuthError('invalid_grant', 'The redirect_uri is not that of the authorization.');
    }
    if (!isResource(row.resource, given.get('resource'), call.issuer)) return badTarget();
    // The user may have revoked the grant since.
    return (await this.#use.grants.find(tx, row.grantId)) === undefined ? badCode() : undefined;
  }

  async #rotate(
    tx: Transaction,
    of: { readonly digest: string; readonly row: TokenRow; readonly given: Form; readonly call: TokenCall },
  ): Promise<TokenPair | OAuthError> {
    const { digest, row, given, call } = of;
    const now = this.#use.clock.now();
    if (row.familyRevokedAt !== null || row.revokedAt !== null || row.expiresAt <= now) return badRefreshToken();
    // These errors leave the token usable, so that a client can correct its request (O-34).
    if (!isResource(row.resource, given.get('resource'), call.issuer)) return badTarget();
    const scope = narrowedScope(row.scope, given.get('scope'));
    if ((await this.#use.grants.find(tx, row.grantId)) === undefined) return badRefreshToken();
    if (!(await useRefreshToken(tx, digest, now))) {
      const current = await tokenByDigest(tx, digest);
      return this.#replayed(tx, current ?? row, call);
    }
    return replacePair(tx, { familyId: row.familyId, scope, now });
  }

  /** A second use means that two parties have the token, so none of them keeps access (O-34). */
  async #replayed(tx: Transaction, row: TokenRow, call: TokenCall): Promise<OAuthError> {
    const now = this.#use.clock.now();
    const { usedAt } = row;
    const isRecent = usedAt !== null && now.getTime() - usedAt.getTime() <= graceMs;
    if (this.#use.hasGrace && isRecent && (await isSuccessorUnused(tx, row.familyId, usedAt))) return badRefreshToken();
    await revokeFamily(tx, row.familyId, now);
    await this.#suspect(tx, 'oauth_refresh_token_reused', row, call);
    return badRefreshToken();
  }

  async #reusedCode(tx: Transaction, codeDigest: string, call: TokenCall): Promise<OAuthError> {
    const family = await familyOfCode(tx, codeDigest);
    if (family === undefined) return badCode();
    await revokeFamily(tx, family.familyId, this.#use.clock.now());
    await this.#suspect(tx, 'oauth_code_reused', family, call);
    return badCode();
  }

  #suspect(
    tx: Transaction,
    reason: Suspicion,
    of: { readonly userId: string; readonly grantId: string },
    { client, request }: TokenCall,
  ): Promise<void> {
    const { userId, grantId } = of;
    return noteSuspicion(this.#use.audit, tx, { reason, userId, grantId, clientId: client.id, request });
  }
}

async function unwrapped<T>(outcome: Promise<T | OAuthError>): Promise<T> {
  const value = await outcome;
  if (value instanceof OAuthError) throw value;
  return value;
}

/** A token is for one resource; the client may repeat it, but not choose another one (O-33). */
function isResource(resource: string, given: string | undefined, issuer: string): boolean {
  return (
    given === undefined ||
    findResource(issuer, given, { isProfile: () => true, isGraphName: () => true })?.url === resource
  );
}

function badCode(): OAuthError {
  return new OAuthError('invalid_grant', 'The code is invalid, expired or used. Start the authorization again.');
}

function badRefreshToken(): OAuthError {
  const description = 'The refresh token is invalid, expired or revoked. Start the authorization again.';
  return new OAuthError('invalid_grant', description);
}

function badTarget(): OAuthError {
  return new OAuthError('invalid_target', 'The resource is not that of the authorization.');
}
