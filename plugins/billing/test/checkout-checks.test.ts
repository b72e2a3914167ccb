import { sql } from '@pacioli/core';
import { linkToken, mailbox } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BillingEvent } from '../src/rows.gen.ts';
import { type BillingService, type Customer, graphOrder, pay, startBilling, until } from './billing-service.ts';

/** Goal: an order that would be refused after payment is refused before it. */
const repositoryOrder = {
  plan_name: 'starter',
  resource_type: 'repository',
  resource_config: { repository_name: 'sec' },
};

let billing: BillingService;
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(() => billing.close());

const verdict = async (answer: Promise<{ readonly status: number; readonly body: { readonly code?: string } }>) => {
  const { status, body } = await answer;
  return body.code === undefined ? `${status}` : `${status} ${body.code}`;
};

async function allowGraphs({ orgId }: Customer, count: number): Promise<void> {
  await billing.service.store.transaction('kernel', (tx) =>
    tx.query(sql`UPDATE kernel_org SET graphs_max = ${count} WHERE id = ${orgId}`),
  );
}

const order = ({ client }: Customer, name: string) => client.post('/v1/billing/checkout', graphOrder(name));

const statusOf = async ({ client }: Customer, sessionId: string) =>
  (await client.get(`/v1/billing/checkout/${sessionId}/status`)).body;

describe('a user with an unverified address', () => {
  it('cannot start a checkout or a subscription until the address is verified (platform A-15)', async () => {
    const mail = mailbox();
    const strict = await startBilling({ mail });
    const ann = await strict.newCustomer('Ann');
    const me = (await ann.client.get('/v1/user')).body;
    const attempts = async () => [
      await verdict(ann.client.post('/v1/graphs/sec/subscriptions', { plan_name: 'starter' })),
      await verdict(ann.client.post('/v1/billing/checkout', repositoryOrder)),
      await verdict(ann.client.post('/v1/billing/checkout', graphOrder('Mill'))),
    ];
    expect(await attempts()).toEqual(Array.from({ length: 3 }, () => '403 EMAIL_NOT_VERIFIED'));
    const rows = await strict.service.store.transaction('kernel', (tx) =>
      tx.query(sql`SELECT id FROM billing_subscription WHERE org_id = ${ann.orgId}`),
    );
    expect(rows).toEqual([]);
    const token = linkToken(await mail.next(me.email));
    expect((await ann.client.post('/v1/auth/email/verify', { token })).status).toBe(200);
    expect(await attempts()).toEqual(['402 PAYMENT_REQUIRED', '201', '201']);
    await strict.close();
  });
});

describe('a checkout for a graph', () => {
  it('counts toward the graph limit, so that an order beyond it is refused before payment (platform U-9)', async () => {
    const bob = await billing.newCustomer('Bob');
    await allowGraphs(bob, 1);
    const first = await order(bob, 'Forge');
    expect(first.status).toBe(201);
    const second = await order(bob, 'Kiln');
    expect([second.status, second.body.code]).toEqual([403, 'GRAPH_LIMIT_REACHED']);
    expect(second.body.detail).toContain('waits for its payment');
    expect((await order(bob, 'Forge')).body).toEqual(first.body);
    expect((await bob.client.get(`/v1/orgs/${bob.orgId}/limits`)).body).toMatchObject({
      current_usage: { graphs: { current: 1, limit: 1, remaining: 0 } },
      can_create_graph: false,
    });
    await pay(billing.service, first.body.session_id, 'ok');
    await until(
      () => statusOf(bob, first.body.session_id),
      ({ status }) => status === 'active',
    );
    expect((await bob.client.get('/v1/graphs')).body.graphs).toHaveLength(1);
    expect(await verdict(bob.client.post('/v1/graphs', graphOrder('Kiln').resource_config))).toBe(
      '403 GRAPH_LIMIT_REACHED',
    );
  });

  it('never exceeds the graph limit, also with concurrent checkouts (platform U-9)', async () => {
    const cleo = await billing.newCustomer('Cleo');
    await allowGraphs(cleo, 2);
    const answers = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((name) => order(cleo, name)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 403, 403, 403]);
    const paid = answers.filter(({ status }) => status === 201);
    for (const { body } of paid) await pay(billing.service, body.session_id, 'ok');
    for (const { body } of paid) {
      const ended = await until(
        () => statusOf(cleo, body.session_id),
        ({ status }) => status === 'active' || status === 'failed',
      );
      expect(ended).toMatchObject({ status: 'active', error: null });
    }
    expect((await cleo.client.get('/v1/graphs')).body.graphs).toHaveLength(2);
  });

  it('stops counting toward the graph limit when it is canceled or expires (platform U-9)', async () => {
    const dora = await billing.newCustomer('Dora');
    await allowGraphs(dora, 1);
    const first = await order(dora, 'Mill');
    expect((await order(dora, 'Kiln')).status).toBe(403);
    const subscription = `/v1/billing/subscriptions/${dora.orgId}/subscription/${first.body.subscription_id}`;
    expect((await dora.client.post(`${subscription}/cancel`)).status).toBe(200);
    const second = await order(dora, 'Kiln');
    expect(second.status).toBe(201);
    billing.days(2);
    await until(
      () => statusOf(dora, second.body.session_id),
      ({ status }) => status === 'canceled',
    );
    expect((await order(dora, 'Mill')).status).toBe(201);
  });

  it('replaces an older checkout for the same graph (platform B-7, U-9)', async () => {
    const emil = await billing.newCustomer('Emil');
    await allowGraphs(emil, 1);
    const first = await order(emil, 'Mill');
    billing.clock.advance(31 * 60_000);
    const second = await order(emil, 'Mill');
    expect(second.status).toBe(201);
    expect(second.body.subscription_id).not.toBe(first.body.subscription_id);
    expect(await statusOf(emil, first.body.session_id)).toMatchObject({ status: 'canceled' });
  });
});

describe('a paid checkout', () => {
  it('waits while its owner has too many operations in progress and is provisioned afterwards (platform B-3, L-22)', async () => {
    const gwen = await billing.newCustomer('Gwen');
    const { session_id: sessionId } = (await order(gwen, 'Mill')).body;
    const { store } = billing.service;
    await store.transaction('kernel', (tx) =>
      tx.query(sql`
        INSERT INTO kernel_operation (id, user_id, name, runs, status, created_at, updated_at)
        SELECT 'op_busy' || number, ${gwen.userId}, 'busy', 'worker', 'awaiting_input', now(), now()
        FROM generate_series(1, 20) number`),
    );
    await pay(billing.service, sessionId, 'ok');
    const messages = () =>
      store.transaction('kernel', (tx) =>
        tx.query(sql<Pick<BillingEvent, 'state'>>`
          SELECT state FROM billing_event WHERE type = 'checkout.completed' AND data ->> 'session' = ${sessionId}`),
      );
    await until(messages, ([message]) => message?.state === 'done');
    expect(await statusOf(gwen, sessionId)).toMatchObject({ status: 'provisioning', error: null });
    await store.transaction('kernel', (tx) => tx.query(sql`DELETE FROM kernel_operation WHERE name = 'busy'`));
    // Once, to the next run of the job: a clock that goes on would end the lease of the provisioning run.
    billing.clock.advance(300_000);
    await until(
      () => statusOf(gwen, sessionId),
      ({ status }) => status === 'active',
    );
  });
});

describe('a checkout for a repository', () => {
  it('is refused for a user who already has a subscription to it (platform B-13)', async () => {
    const finn = await billing.newCustomer('Finn');
    const first = await finn.client.post('/v1/billing/checkout', repositoryOrder);
    await pay(billing.service, first.body.session_id, 'ok');
    await until(
      () => statusOf(finn, first.body.session_id),
      ({ status }) => status === 'active',
    );
    await billing.service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE billing_customer SET has_payment_method = false WHERE org_id = ${finn.orgId}`),
    );
    expect(await verdict(finn.client.post('/v1/billing/checkout', repositoryOrder))).toBe('409 ALREADY_SUBSCRIBED');
  });
});
