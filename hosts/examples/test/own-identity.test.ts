// Goal: a host with its own users serves books without accounts. Method: the example host, called over HTTP with the
// tokens of its users.
import { openTestStore, TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHost } from '../src/own-identity.ts';

let opened: Awaited<ReturnType<typeof openTestStore>>;
let host: Awaited<ReturnType<typeof startHost>>;
let ada: TestClient;
let graph: string;

beforeAll(async () => {
  opened = await openTestStore();
  host = await startHost(opened.store);
  ada = as('ada');
  graph = await ada.createGraph('Harbour', ['ledger']);
});
afterAll(async () => {
  await host?.close();
  await opened?.dispose();
});

function as(name: string): TestClient {
  return new TestClient(host.url, { authorization: `Bearer token-of-${name}` });
}

function operate(caller: TestClient, name: string, body: object) {
  return caller.post(`/extensions/ledger/${graph}/operations/${name}`, body);
}

describe('a host with an identity of its own', () => {
  it('keeps books for its users: a graph, a chart and an entry (platform X-10)', async () => {
    await operate(ada, 'initialize', { earliest_data_period: '2026-03' });
    await operate(ada, 'initialize-chart-of-accounts', { template: 'services', entity_type: 'llc' });
    const { body } = await ada.graphql(graph, '{ accounts(limit: 200) { accounts { id code } } }');
    const idOf = (code: string) =>
      body.data.accounts.accounts.find((account: { code: string }) => account.code === code).id;
    const posted = await operate(ada, 'create-event-block', {
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
    expect([posted.status, posted.body.createdBy, posted.body.result.status]).toEqual([200, 'ada', 'classified']);
  });

  it('answers 401 to a stranger and 403 to a member of another organization (platform X-10)', async () => {
    expect((await as('nobody').get('/v1/graphs')).status).toBe(401);
    expect((await new TestClient(host.url, {}).get('/v1/graphs')).status).toBe(401);
    expect((await as('cleo').get('/v1/graphs')).body.graphs).toEqual([]);
    const refused = await operate(as('cleo'), 'initialize', {});
    expect([refused.status, refused.body.detail]).toEqual([403, 'Access denied to graph']);
  });

  it('gives a colleague the role that an admin of the graph grants', async () => {
    const ben = as('ben');
    expect((await ben.graphql(graph, '{ hello }')).status).toBe(403);
    const granted = await ada.post(`/v1/graphs/${graph}/members`, { user_id: 'ben', role: 'viewer' });
    expect(granted.body).toMatchObject({ user_id: 'ben', name: 'Ben', role: 'viewer' });
    expect((await ben.graphql(graph, '{ hello }')).status).toBe(200);
    expect((await operate(ben, 'set-close-target', { period: '2026-03' })).status).toBe(403);
  });

  it('has no routes of accounts (platform X-10)', async () => {
    for (const path of ['/v1/auth/providers', '/v1/user', '/v1/user/api-keys', '/v1/orgs']) {
      expect((await ada.get(path)).status, path).toBe(404);
    }
    expect((await ada.post('/v1/auth/register', {})).status).toBe(404);
  });
});
