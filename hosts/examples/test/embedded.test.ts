// Goal: every example of an embedding keeps books beside a route of its own. Method: the same story through each of
// them, over HTTP, on one store.
import type { Service } from '@pacioli/core/assembly';
import { maxBodyBytes } from '@pacioli/core/assembly';
import { openTestStore, TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startBooks } from '../src/embedded/books.ts';
import { start as express } from '../src/embedded/express.ts';
import { start as fastify } from '../src/embedded/fastify.ts';
import { start as hono } from '../src/embedded/hono.ts';
import { start as koa } from '../src/embedded/koa.ts';
import { start as nodeHttp } from '../src/embedded/node-http.ts';

const examples: Readonly<Record<string, (service: Service) => Promise<Application>>> = {
  express,
  fastify,
  hono,
  koa,
  'node-http': nodeHttp,
};

let opened: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  opened = await openTestStore();
});
afterAll(() => opened?.dispose());

describe.each(Object.entries(examples))('books embedded in %s', (name, start) => {
  let application: Application;
  let anonymous: TestClient;
  let user: TestClient;
  let graph: string;
  let run: { readonly _links: { readonly status: string; readonly stream: string } };

  beforeAll(async () => {
    const service = await startBooks(opened.store, { rateLimits: { profile: 'test' } });
    application = await start(service);
    anonymous = new TestClient(`${application.url}/books`, {});
    const person = { name, email: `${name}@example.org`, password: 'Harbour-Lantern-42' };
    const { token } = (await anonymous.post('/v1/auth/register', person)).body;
    user = anonymous.withHeaders({ authorization: `Bearer ${token}` });
    const accepted = await user.post('/v1/graphs', {
      metadata: { graph_name: name, schema_extensions: ['ledger'] },
      initial_entity: { name, uri: `https://example.org/${name}` },
    });
    const ended = await user.follow(accepted.body.operationId);
    graph = ended.body.result.graph_id;
    run = ended.body;
  });
  afterAll(() => application?.stop());

  const operate = (operation: string, body: unknown) =>
    user.post(`/extensions/ledger/${graph}/operations/${operation}`, body);

  it('post an event and read it with GraphQL (platform E-27)', async () => {
    await operate('initialize', { earliest_data_period: '2026-03' });
    await operate('initialize-chart-of-accounts', { template: 'services', entity_type: 'llc' });
    const { body } = await user.graphql(graph, '{ accounts(limit: 200) { accounts { id code } } }');
    const idOf = (code: string) =>
      body.data.accounts.accounts.find((account: { code: string }) => account.code === code).id;
    const posted = await operate('create-event-block', {
      event_type: 'journal_entry_recorded',
      event_category: 'adjustment',
      occurred_at: '2026-03-02T12:00:00Z',
      source: 'manual',
      apply_handlers: true,
      metadata: {
        posting_date: '2026-03-02',
        memo: 'Capital paid in',
        line_items: [
          { element_id: idOf('1000'), debit_amount: 4_000_000, credit_amount: 0 },
          { element_id: idOf('3000'), debit_amount: 0, credit_amount: 4_000_000 },
        ],
      },
    });
    expect([posted.status, posted.body.result.status]).toEqual([200, 'classified']);
  });

  it('stream the events of a run at the link in its status (platform E-27)', async () => {
    const atRoot = new TestClient(application.url, user.headers);
    const events: string[] = [];
    for await (const { event } of atRoot.stream(run._links.stream)) events.push(event);
    expect([events[0], events.at(-1)]).toEqual(['connected', 'stream_end']);
  });

  it('refuse wrong and large bodies as without the application (platform E-6, E-28)', async () => {
    const wrong = await anonymous.post('/v1/auth/login', '{"email":');
    expect([wrong.status, wrong.body.code, wrong.body.detail[0].type]).toEqual([422, 'INVALID_INPUT', 'json_invalid']);
    const large = await anonymous.post('/v1/auth/login', `"${'a'.repeat(maxBodyBytes)}"`);
    expect([large.status, large.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const unknown = await anonymous.get('/v1/nowhere');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('leave the routes and bodies of the application to it', async () => {
    const own = new TestClient(application.url, {});
    const order = { item: 'lamp', count: 2 };
    expect((await own.post('/orders', order)).body).toEqual({ ordered: order });
    expect((await own.post('/orders', '{"item":')).status).toBeGreaterThanOrEqual(400);
  });

  it('stop with the application (platform H-10)', async () => {
    await application.stop();
    await expect(anonymous.get('/v1/status')).rejects.toThrow('fetch failed');
  });
});
