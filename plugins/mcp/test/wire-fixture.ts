import mcp from '@pacioli/mcp';
import { type Answer, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll } from 'vitest';
import { fixturePlugin } from './fixture-plugin.ts';

/** The service of the importing test file, a user with a graph, and a key with the address of its endpoint. */
export let service: TestService;
export let user: TestClient;
export let graphId: string;
export let key: string;
export let path: string;

/** Starts the service before the tests of the calling file, and closes it after them. */
export function useEndpoint(): void {
  beforeAll(async () => {
    service = await startTestService({
      plugins: [mcp.with({ allowedOrigins: ['https://app.example.org'] }), fixturePlugin],
    });
    user = await service.newUser('Ann');
    graphId = await user.createGraph('Books of Ann', ['fixture']);
    key = (await user.post('/v1/user/api-keys', { name: 'mcp' })).body.key;
    path = `/v1/graphs/${graphId}/mcp`;
  });
  afterAll(() => service.close());
}

export interface Sent {
  /** JSON, unless it is text or bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly to?: string;
  readonly method?: string;
  readonly isAnonymous?: boolean;
  /** The address of another process of the service. */
  readonly at?: string;
}

export const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** Sends one message to the endpoint. */
export async function send({
  body = ping,
  headers = {},
  to = path,
  method = 'POST',
  isAnonymous = false,
  at = service.url,
}: Sent = {}): Promise<Answer & { readonly text: string }> {
  const answer = await fetch(`${at}${to}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(isAnonymous ? {} : { 'X-API-Key': key }),
      ...headers,
    },
    ...(method === 'POST'
      ? { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) }
      : {}),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: text.startsWith('{') ? JSON.parse(text) : undefined,
  };
}
