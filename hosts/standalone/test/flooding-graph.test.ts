/**
 * Starts its own PostgreSQL server, because the embedded store has one connection for all graphs.
 * @module-tag full-run
 */
import blocks from '@pacioli/blocks';
import ledger from '@pacioli/ledger';
import { postgresStore } from '@pacioli/store-postgres';
import { startPostgresServer } from '@pacioli/store-postgres/testing';
import taxonomy from '@pacioli/taxonomy';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const maxConnections = 4;
const maxWaitingPerGraph = 1_000;
const cleanups: (() => unknown)[] = [];
let service: TestService;
let user: TestClient;
let flooded: string;
let neighbor: string;

beforeAll(async () => {
  const server = await startPostgresServer();
  cleanups.push(() => server.stop());
  const store = await postgresStore({ url: server.url, maxConnections });
  cleanups.push(() => store.close());
  service = await startTestService({ plugins: [taxonomy, blocks, ledger], store });
  cleanups.push(() => service.close());
  user = await service.newUser('Ann');
  flooded = await user.createGraph('Mill', ['ledger']);
  neighbor = await user.createGraph('Bakery', ['ledger']);
  for (const graph of [flooded, neighbor])
    await user.post(`/extensions/ledger/${graph}/operations/initialize`, { earliest_data_period: '2026-01' });
});
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

describe('a graph with too many callers', () => {
  it('does not hold up its neighbors, and has its requests beyond the limit refused (platform R-11)', async () => {
    // Goal: the requests of one graph never wait for those of another. Method: transactions of one graph keep all
    // connections that it may use and fill its queue; they end only after the neighbor's answers.
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const flood = Array.from({ length: maxConnections / 2 + maxWaitingPerGraph }, () =>
      service.store.transaction({ graphId: flooded }, () => opened),
    );
    const balance = (graph: string) => user.graphql(graph, '{ trialBalance { totalDebits } }');
    const post = (graph: string) =>
      user.post(`/extensions/ledger/${graph}/operations/initialize-chart-of-accounts`, { template: 'services' });
    expect((await post(neighbor)).status).toBe(200);
    expect((await balance(neighbor)).body.errors).toBeUndefined();
    expect((await service.anonymous.get('/readyz')).status).toBe(200);
    const refused = await post(flooded);
    expect(refused).toMatchObject({
      status: 503,
      body: { code: 'SERVICE_UNAVAILABLE', detail: expect.stringContaining('Too many requests wait for the store') },
    });
    expect(refused.headers.get('retry-after')).toBe('5');
    open();
    await Promise.all(flood);
    expect((await post(flooded)).status).toBe(200);
  });
});
