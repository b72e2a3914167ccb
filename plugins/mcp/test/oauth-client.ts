import { createHash, randomBytes } from 'node:crypto';
import type { TestClient } from '@pacioli/testing';

/** A code verifier with its challenge. */
export function pkce(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export const redirect = 'http://127.0.0.1:53122/cb';

/** An AI client that speaks to the authorization server of a service, step by step. */
export class OAuthClient {
  readonly #service: TestClient;
  readonly id: string;
  readonly secret: string | undefined;

  constructor(service: TestClient, id: string, secret?: string) {
    this.#service = service;
    this.id = id;
    this.secret = secret;
  }

  static async register(service: TestClient, metadata: Readonly<Record<string, unknown>> = {}): Promise<OAuthClient> {
    const made = await service.post('/v1/oauth/register', {
      redirect_uris: [redirect],
      client_name: 'Desk',
      ...metadata,
    });
    if (made.status !== 201) throw new Error(`The client was refused: ${JSON.stringify(made.body)}`);
    return new OAuthClient(service, made.body.client_id, made.body.client_secret);
  }

  /** Sends an authorization request and returns the response, whose redirect is not followed. */
  authorize(parameters: Readonly<Record<string, string | undefined>>): Promise<Response> {
    const all = {
      client_id: this.id,
      redirect_uri: redirect,
      response_type: 'code',
      code_challenge_method: 'S256',
      state: 's1',
      ...parameters,
    };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const query = new URLSearchParams(given);
    return fetch(`${this.#service.url}/v1/oauth/authorize?${query}`, { redirect: 'manual' });
  }

  /** Sends an authorization request that must succeed, and returns its id. */
  async begin(parameters: Readonly<Record<string, string | undefined>>): Promise<string> {
    const answer = await this.authorize(parameters);
    const id = new URL(answer.headers.get('location') ?? 'about:blank').searchParams.get('request_id');
    if (id === null) throw new Error(`The request was refused: ${answer.status} ${answer.headers.get('location')}`);
    return id;
  }

  /** Lets a user allow access to a graph, and returns the code with its verifier. */
  async consent(
    user: TestClient,
    graphId: string,
    parameters: Readonly<Record<string, string | undefined>> = {},
  ): Promise<{ readonly code: string; readonly verifier: string }> {
    const { verifier, challenge } = pkce();
    const id = await this.begin({ code_challenge: challenge, ...parameters });
    const decided = await user.post(`/v1/oauth/authorize/${id}/decision`, { approved: true, graph_id: graphId });
    const code = new URL(decided.body.redirect_to).searchParams.get('code');
    if (code === null) throw new Error(`There is no code: ${JSON.stringify(decided.body)}`);
    return { code, verifier };
  }

  /** Calls the token endpoint. */
  token(fields: Readonly<Record<string, string | undefined>>, headers: Readonly<Record<string, string>> = {}) {
    return this.#form('/v1/oauth/token', fields, headers);
  }

  redeem({ code, verifier }: { readonly code: string; readonly verifier: string }) {
    return this.token({ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirect });
  }

  refresh(refreshToken: string, more: Readonly<Record<string, string>> = {}) {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...more });
  }

  revoke(token: string) {
    return this.#form('/v1/oauth/revoke', { token });
  }

  /** Connects a user's graph and returns the tokens. */
  async connect(user: TestClient, graphId: string, parameters: Readonly<Record<string, string | undefined>> = {}) {
    const issued = await this.redeem(await this.consent(user, graphId, parameters));
    if (issued.status !== 200) throw new Error(`There are no tokens: ${JSON.stringify(issued.body)}`);
    return issued.body as { readonly access_token: string; readonly refresh_token: string; readonly scope: string };
  }

  #form(
    path: string,
    fields: Readonly<Record<string, string | undefined>>,
    headers: Readonly<Record<string, string>> = {},
  ) {
    const all = { client_id: this.id, client_secret: this.secret, ...fields };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.#service.request('POST', path, `${new URLSearchParams(given)}`, { ...type, ...headers });
  }
}
