/**
 * Starts its own PostgreSQL server.
 * @module-tag full-run
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import blocks from '@pacioli/blocks';
import ledger from '@pacioli/ledger';
import { postgresStore } from '@pacioli/store-postgres';
import { startPostgresServer } from '@pacioli/store-postgres/testing';
import taxonomy from '@pacioli/taxonomy';
import { startTestService, type TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/**
 * Goal: a posting needs the minimum of round trips to the database server. Method: a proxy counts the chunks that the
 * service sends. Nothing is sent while an answer is awaited, so the chunks equal the round trips.
 */
const cleanups: (() => unknown)[] = [];
let user: TestClient;
let packets = 0;
let post: () => Promise<number>;

/** Forwards all data, and counts the chunks that the service sends. */
async function countingProxy(serverUrl: string): Promise<string> {
  const url = new URL(serverUrl);
  const port = Number(url.port);
  const proxy = createServer((client) => {
    const server = connect(port, url.hostname);
    client.on('data', () => {
      packets += 1;
    });
    for (const socket of [client, server]) socket.setNoDelay(true).on('error', () => undefined);
    client.pipe(server).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  cleanups.push(() => proxy.close());
  url.port = String((proxy.address() as AddressInfo).port); // A listening TCP server has one.
  return url.href;
}

beforeAll(async () => {
  const server = await startPostgresServer();
  cleanups.push(() => server.stop());
  const store = await postgresStore({ url: await countingProxy(server.url) });
  cleanups.push(() => store.close());
  const service = await startTestService({ plugins: [taxonomy, blocks, ledger], store });
  cleanups.push(() => service.close());
  user = await service.newUser('Ann');
  const graph = await user.createGraph('Books', ['ledger']);
  const operation = (name: string, body: object) =>
    user.post(`/extensions/ledger/${graph}/operations/${name}`, body, { 'idempotency-key': randomUUID() });
  await operation('initialize', { earliest_data_period: '2025-01' });
  await operation('initialize-chart-of-accounts', { template: 'services' });
  const answer = await user.graphql(graph, '{ accounts(limit: 200) { accounts { id code } } }');
  const accounts: readonly { id: string; code: string }[] = answer.body.data.accounts.accounts;
  const idOf = (code: string) => accounts.find((account) => account.code === code)?.id;
  post = async () => {
    const lineItems = [
      { element_id: idOf('1000'), debit_amount: 10_700, credit_amount: 0 },
      { element_id: idOf('4000'), debit_amount: 0, credit_amount: 10_000 },
      { element_id: idOf('2300'), debit_amount: 0, credit_amount: 700 },
    ];
    const before = packets;
    const { status } = await operation('create-event-block', {
      event_type: 'journal_entry_recorded',
      event_category: 'sales',
      occurred_at: '2026-03-31T12:00:00Z',
      source: 'manual',
      external_id: randomUUID(),
      apply_handlers: true,
      metadata: { posting_date: '2026-03-31', memo: 'A sale', status: 'posted', line_items: lineItems },
    });
    expect(status).toBe(200);
    return packets - before;
  };
});
afterAll(async () => {
  for (const step of cleanups.reverse()) await step();
});

describe('create-event-block on a PostgreSQL server', () => {
  it('needs three round trips: for the idempotency key, for the books, and for the commit', async () => {
    // The first posting also sets the currency of the books and authenticates the caller.
    const first = await post();
    // The worker of the service may send queries in between.
    const usual: number[] = [];
    for (let number = 0; number < 8; number += 1) usual.push(await post());
    expect(Math.min(...usual)).toBe(3);
    expect(first).toBeGreaterThan(3);
  });
});
