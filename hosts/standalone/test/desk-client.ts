import type { OAuthClientProvider } from '@modelcontextprotocol/client';

/** The state that the official client stores between its steps. */
export class Desk implements OAuthClientProvider {
  readonly redirectUrl: string;
  authorizationUrl: URL | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: the client's own values are only kept.
  stored: Record<string, any> = {};

  constructor(redirectUrl: string) {
    this.redirectUrl = redirectUrl;
  }

  get clientMetadata() {
    return { client_name: 'Desk', redirect_uris: [this.redirectUrl], client_uri: 'https://desk.example.org/' };
  }

  state = () => 'state-of-desk';
  clientInformation = () => this.stored['client'];
  tokens = () => this.stored['tokens'];
  codeVerifier = () => this.stored['verifier'];
  saveClientInformation(client: unknown): void {
    this.stored['client'] = client;
  }
  saveTokens(tokens: unknown): void {
    this.stored['tokens'] = tokens;
  }
  saveCodeVerifier(verifier: string): void {
    this.stored['verifier'] = verifier;
  }
  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }
}

/** Lists the tools of the connected graph with a bearer, and returns the status of the response. */
export async function statusOfToolsAt(origin: string, token: string): Promise<number> {
  const answer = await fetch(`${origin}/v1/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
  await answer.text();
  return answer.status;
}
