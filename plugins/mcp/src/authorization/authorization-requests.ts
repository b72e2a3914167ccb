import {
  type AppGrants,
  type Caller,
  type Clock,
  columnsOf,
  type RequestFacts,
  type RowOf,
  type Store,
  StoreError,
  sql,
  type Transaction,
} from '@pacioli/core';
import type { McpAuthorizationRequest } from '../rows.gen.ts';
import type { Client, Clients } from './clients.ts';
import type { GraphChoice } from './graph-choice.ts';
import { resembledClient } from './lookalikes.ts';
import { OAuthError } from './oauth-error.ts';
import { isChallenge } from './pkce.ts';
import { isLoopbackRedirect, isSameRedirect, parseUrl, redirectHost, redirectWith } from './redirects.ts';
import { expiredRequest, refusedDecision } from './refusals.ts';
import { findResource } from './resources.ts';
import { grantedScope } from './scopes.ts';
import { digestOf, newSecret } from './secrets.ts';

const requestSeconds = 600;
const codeSeconds = 60;
const maxStateCharacters = 1_024;
const maxParameterCharacters = 4_096;

/** The parameters of an authorization request, as sent (RFC 6749, 4.1.1). */
export interface AuthorizationParameters {
  readonly client_id?: string;
  readonly redirect_uri?: string;
  readonly response_type?: string;
  readonly response_mode?: string;
  readonly code_challenge?: string;
  readonly code_challenge_method?: string;
  readonly scope?: string;
  readonly state?: string;
  readonly resource?: string;
}

/** The facts that the consent page shows (O-22, O-24). */
export interface RequestDetails {
  readonly client_name: string;
  readonly client_uri: string | null;
  readonly logo_uri: string | null;
  readonly is_trusted: boolean;
  /** The well-known client that the name resembles although the response goes to another host. */
  readonly resembles: string | null;
  readonly redirect_host: string;
  readonly is_loopback_redirect: boolean;
  readonly resource: string;
  /** Null if the user chooses the graph. */
  readonly graph_id: string | null;
  /** The extension that the chosen graph must have, by its name in the list of graphs. */
  readonly profile: string | null;
  readonly scope: string;
}

/** The decision of a user. */
export interface Decision {
  readonly approved: boolean;
  readonly graph_id?: string | null;
}

const requestColumns = columnsOf<McpAuthorizationRequest>()(
  'client_id',
  'redirect_uri',
  'challenge',
  'resource',
  'graph_id',
  'profile',
  'scope',
  'state',
);
type PendingRequest = RowOf<typeof requestColumns>;

interface RequestServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly clients: Clients;
  readonly grants: AppGrants;
  readonly graphs: GraphChoice;
  readonly trustedHosts: ReadonlySet<string>;
}

/** Authorization requests, from the redirect of a client to the decision of the user (ai-surface 6.3). */
export class AuthorizationRequests {
  readonly #use: RequestServices;

  constructor(use: RequestServices) {
    this.#use = use;
  }

  /**
   * Stores a request and returns the address to redirect to: the consent page, or the client with an error. Throws while
   * the client and its redirect are not verified, because then nobody may be redirected (O-20).
   */
  async begin(given: AuthorizationParameters, issuer: string): Promise<string> {
    if (Object.values(given).some((value) => value.length > maxParameterCharacters)) {
      throw new OAuthError('invalid_request', `A parameter has at most ${maxParameterCharacters} characters.`);
    }
    const client = await this.#use.clients.resolve(given.client_id);
    const redirect = redirectOf(client, given.redirect_uri);
    try {
      const id = await this.#store(client, redirect, { given, issuer });
      return `${issuer}/oauth/consent?request_id=${id}`;
    } catch (cause) {
      const error = isUnavailable(cause)
        ? new OAuthError('temporarily_unavailable', 'The service cannot be reached at the moment. Try again.', {
            cause,
          })
        : cause;
      if (!(error instanceof OAuthError)) throw error;
      const state = (given.state ?? '').length > maxStateCharacters ? undefined : given.state;
      return redirectWith(redirect, { error: error.code, error_description: error.message, state, iss: issuer });
    }
  }

  /** Returns the details of a request for the consent page, and binds it to the first user who reads it. Throws 404. */
  async details(requestId: string, caller: Caller): Promise<RequestDetails> {
    const now = this.#use.clock.now();
    const request = await this.#use.store.transaction('kernel', async (tx) => {
      const [row] = await tx.query(sql<PendingRequest>`
        UPDATE mcp_authorization_request SET reader_id = ${caller.userId}
        WHERE digest = ${digestOf(requestId)} AND expires_at > ${now}
          AND (reader_id IS NULL OR reader_id = ${caller.userId})
        RETURNING ${requestColumns}`);
      return row;
    });
    if (request === undefined) throw expiredRequest();
    const client = await this.#clientOf(request);
    return {
      client_name: client.name,
      client_uri: client.uri,
      logo_uri: client.logoUri,
      is_trusted: this.#isTrusted(client, request.redirect_uri),
      resembles: resembledClient(client.name, request.redirect_uri) ?? null,
      redirect_host: redirectHost(request.redirect_uri),
      is_loopback_redirect: isLoopbackRedirect(request.redirect_uri),
      resource: request.resource,
      graph_id: request.graph_id,
      profile: request.profile === null ? null : this.#use.graphs.extensionOf(request.profile),
      scope: request.scope,
    };
  }

  /** Consumes the request and returns the address that the browser goes to (O-23). Throws 400, 403 or 404. */
  async decide(requestId: string, decision: Decision, by: Decider): Promise<string> {
    const request = await this.#take(requestId, by.caller);
    const back = { state: request.state ?? undefined, iss: by.issuer };
    if (!decision.approved) {
      const description = 'The user did not allow access.';
      return redirectWith(request.redirect_uri, { error: 'access_denied', error_description: description, ...back });
    }
    const client = await this.#clientOf(request);
    const graphId = chosenGraph(request, decision.graph_id ?? undefined);
    await this.#use.graphs.require(by.caller, { graphId, profile: request.profile ?? undefined, request: by.request });
    const code = await this.#issueCode(request, client, { graphId, by });
    return redirectWith(request.redirect_uri, { code, ...back });
  }

  async #store(
    client: Client,
    redirect: string,
    { given, issuer }: { readonly given: AuthorizationParameters; readonly issuer: string },
  ): Promise<string> {
    if (given.state?.includes('\0') === true) {
      throw new OAuthError('invalid_request', 'state cannot have the character U+0000.');
    }
    if ((given.state ?? '').length > maxStateCharacters) {
      throw new OAuthError('invalid_request', `state has at most ${maxStateCharacters} characters.`);
    }
    if (given.response_type !== 'code') {
      throw new OAuthError('unsupported_response_type', 'The only response type of this server is code.');
    }
    if ((given.response_mode ?? 'query') !== 'query')
      throw new OAuthError('invalid_request', 'The only response mode of this server is query.');
    const { code_challenge: challenge } = given;
    if (given.code_challenge_method !== 'S256' || !isChallenge(challenge)) {
      throw new OAuthError('invalid_request', 'Send a code_challenge of 43 characters with the method S256.');
    }
    const scope = grantedScope(given.scope);
    const resource = findResource(issuer, given.resource, this.#use.graphs);
    if (resource === undefined) throw new OAuthError('invalid_target', 'This server has no such resource.');
    const id = newSecret();
    const expiresAt = new Date(this.#use.clock.now().getTime() + requestSeconds * 1000);
    await this.#use.store.transaction('kernel', (tx) =>
      tx.query(sql`
        INSERT INTO mcp_authorization_request (digest, client_id, redirect_uri, challenge, resource, graph_id, profile,
          scope, state, expires_at)
        VALUES (${digestOf(id)}, ${client.id}, ${redirect}, ${challenge}, ${resource.url}, ${resource.graphId ?? null},
          ${resource.profile ?? null}, ${scope}, ${given.state ?? null}, ${expiresAt})`),
    );
    return id;
  }

  /** Removes the request in one statement, so that it is decided once. */
  async #take(requestId: string, caller: Caller): Promise<PendingRequest> {
    const now = this.#use.clock.now();
    const [row] = await this.#use.store.transaction('kernel', (tx) =>
      tx.query(sql<PendingRequest>`
        DELETE FROM mcp_authorization_request
        WHERE digest = ${digestOf(requestId)} AND expires_at > ${now}
          AND (reader_id IS NULL OR reader_id = ${caller.userId})
        RETURNING ${requestColumns}`),
    );
    if (row === undefined) throw expiredRequest();
    return row;
  }

  async #issueCode(
    request: PendingRequest,
    client: Client,
    { graphId, by }: { readonly graphId: string; readonly by: Decider },
  ): Promise<string> {
    const code = newSecret();
    const expiresAt = new Date(this.#use.clock.now().getTime() + codeSeconds * 1000);
    await this.#use.store.transaction('kernel', async (tx: Transaction) => {
      const grant = {
        caller: by.caller,
        graphId,
        clientId: client.id,
        clientName: client.name,
        clientUri: client.uri,
        isTrusted: this.#isTrusted(client, request.redirect_uri),
        resource: request.resource,
        scope: request.scope,
      };
      const grantId = await this.#use.grants.record(tx, grant, by.request);
      await tx.query(sql`
        INSERT INTO mcp_authorization_code (digest, client_id, user_id, grant_id, redirect_uri, challenge, resource,
          scope, expires_at)
        VALUES (${digestOf(code)}, ${client.id}, ${by.caller.userId}, ${grantId}, ${request.redirect_uri},
          ${request.challenge}, ${request.resource}, ${request.scope}, ${expiresAt})`);
    });
    return code;
  }

  /** Throws 404 for a client that was deactivated while the user decided. */
  async #clientOf(request: PendingRequest): Promise<Client> {
    try {
      return await this.#use.clients.find(request.client_id);
    } catch (error) {
      throw error instanceof OAuthError ? expiredRequest() : error;
    }
  }

  /** Trusts a host, not a name: the response and, for a document, its address must belong to it (O-12). */
  #isTrusted(client: Client, redirect: string): boolean {
    const hosts = client.kind === 'document' ? [redirect, client.id] : [redirect];
    return hosts.every((address) => {
      const url = parseUrl(address);
      return url?.protocol === 'https:' && this.#use.trustedHosts.has(url.host);
    });
  }
}

/** The user who decides, and the circumstances. */
export interface Decider {
  readonly caller: Caller;
  readonly issuer: string;
  readonly request: RequestFacts;
}

/** Returns the redirect of a request. It may be absent if the client has exactly one, which is not loopback (O-14). */
function redirectOf(client: Client, given: string | undefined): string {
  const [only, ...others] = client.redirectUris;
  if (given === undefined) {
    if (only === undefined || others.length > 0 || isLoopbackRedirect(only)) {
      throw new OAuthError('invalid_request', 'Send the redirect_uri of this client.');
    }
    return only;
  }
  if (client.redirectUris.some((registered) => isSameRedirect(registered, given))) return given;
  throw new OAuthError('invalid_request', 'The redirect_uri is not registered for this client.');
}

function chosenGraph(request: PendingRequest, given: string | undefined): string {
  if (request.graph_id === null) {
    if (given === undefined) throw refusedDecision('graph_id is required');
    return given;
  }
  if (given === undefined || given === request.graph_id) return request.graph_id;
  throw refusedDecision('graph_id does not match the requested resource');
}

function isUnavailable(error: unknown): boolean {
  return error instanceof StoreError && (error.code === 'unreachable' || error.code === 'busy');
}
