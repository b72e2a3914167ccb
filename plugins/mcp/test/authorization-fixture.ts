import { sql } from '@pacioli/core';
import graph from '@pacioli/graph';
import {
  type FixedClock,
  fixedClock,
  startTestService,
  type TestClient,
  type TestService,
  type TestServiceOptions,
} from '@pacioli/testing';
import { afterAll, beforeAll } from 'vitest';
import { mcpTokens } from '../src/authorization/mcp-tokens.ts';
import mcp from '../src/index.ts';
import { OAuthClient } from './oauth-client.ts';

/** The service of the importing test file, a user with a graph, and a registered client. */
export let service: TestService;
export let clock: FixedClock;
export let ann: TestClient;
export let graphId: string;
export let client: OAuthClient;

/** Starts the service before the tests of the calling file, and closes it after them. */
export function useAuthorization(options: Partial<TestServiceOptions> = {}): void {
  beforeAll(async () => {
    clock = fixedClock('2026-03-01T10:00:00Z');
    service = await startTestService({ plugins: [graph, mcp], clock, ...options });
    ann = await service.newUser('Ann');
    graphId = await ann.createGraph('Harbour Books', []);
    client = await OAuthClient.register(service.anonymous);
  });
  afterAll(() => service?.close());
}

/** Sessions end while the clock moves. */
export async function signInAgain(): Promise<void> {
  const credentials = { email: 'ann-1@example.org', password: 'Harbour-Lantern-42' };
  const { body } = await service.anonymous.post('/v1/auth/login', credentials);
  ann = service.anonymous.withHeaders({ authorization: `Bearer ${body.token}` });
}

export const resource = (path = '/v1/mcp'): string => `${service.url}${path}`;

export const verify = (token: string, path?: string) =>
  service.service.services.resolve(mcpTokens).verify(token, resource(path));

export async function isLive(token: string, path?: string): Promise<boolean> {
  return !('refused' in (await verify(token, path)));
}

/** The risks and details of the audited events of a type. */
export function audited(type: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return service.store.transaction('kernel', async (tx) => {
    const rows = await tx.query(sql<{ details: Record<string, unknown>; risk: string }>`
      SELECT details, risk FROM kernel_security_audit WHERE event_type = ${type} ORDER BY at, id`);
    return rows.map(({ details, risk }) => ({ risk, ...details }));
  });
}

export const grantsOf = async (user: TestClient) => (await user.get('/v1/user/oauth/grants')).body.grants;
