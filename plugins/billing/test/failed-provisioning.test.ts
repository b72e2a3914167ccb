/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BillingRepositoryAccess } from '../src/rows.gen.ts';
import {
  auditOf,
  type BillingService,
  buyGraph,
  type Customer,
  graphOrder,
  pay,
  setRole,
  startBilling,
  until,
} from './billing-service.ts';

let billing: BillingService;
let owner: Customer;

beforeAll(async () => {
  billing = await startBilling();
  owner = await billing.newCustomer('Ann');
});
afterAll(() => billing.close());

const statusOf = async (sessionId: string) => (await owner.client.get(`/v1/billing/checkout/${sessionId}/status`)).body;

describe('a paid checkout', () => {
  it('is refunded when the purchase cannot be provisioned (platform B-3)', async () => {
    const checkout = await owner.client.post('/v1/billing/checkout', graphOrder('Mill'));
    expect(checkout.status).toBe(201);
    // The customer loses the right to create graphs before the payment arrives.
    await setRole(billing, owner, 'member');
    await pay(billing.service, checkout.body.session_id, 'ok');
    const failed = await until(
      () => statusOf(checkout.body.session_id),
      ({ status }) => status === 'failed',
    );
    expect(failed).toMatchObject({ resource_id: null, subscription_id: checkout.body.subscription_id });
    expect(failed.error).toContain('owners and admins');
    await setRole(billing, owner, 'owner');
    const invoices = await until(
      async () => (await owner.client.get(`/v1/billing/invoices/${owner.orgId}`)).body.invoices,
      ([bill]) => bill.status === 'void',
    );
    expect(invoices).toHaveLength(1);
    await until(
      () => auditOf(billing, owner.orgId),
      (audit) => audit.includes('refund_processed'),
    );
    expect((await owner.client.get(`/v1/billing/subscriptions/${owner.orgId}`)).body).toEqual([]);
  });

  it('accepts graph metadata without the nesting (platform B-7)', async () => {
    const other = await billing.newCustomer('Ben');
    const checkout = await other.client.post('/v1/billing/checkout', {
      plan_name: 'ladybug-standard',
      resource_type: 'graph',
      resource_config: { graph_name: 'Flat', initial_entity: { name: 'Flat', uri: 'https://example.org/flat' } },
    });
    await pay(billing.service, checkout.body.session_id, 'ok');
    const status = await until(
      () => other.client.get(`/v1/billing/checkout/${checkout.body.session_id}/status`),
      ({ body }) => body.status === 'active' || body.status === 'failed',
    );
    expect(status.body.status).toBe('active');
  });

  it('is refused for invalid orders (platform B-7)', async () => {
    const cleo = await billing.newCustomer('Cleo');
    const order = graphOrder('Mill');
    for (const wrong of [
      { ...order, plan_name: 'ladybug-tiny' },
      { ...order, resource_type: 'castle' },
      { plan_name: 'starter', resource_type: 'repository', resource_config: { repository_name: 'nowhere' } },
      { plan_name: 'golden', resource_type: 'repository', resource_config: { repository_name: 'sec' } },
      { ...order, resource_config: { graph_id: 'kg00000000000000000000' } },
    ]) {
      expect((await cleo.client.post('/v1/billing/checkout', wrong)).status).toBe(400);
    }
    const nameless = { ...order, resource_config: { metadata: {} } };
    expect((await cleo.client.post('/v1/billing/checkout', nameless)).status).toBe(422);
    expect((await cleo.client.get('/v1/billing/checkout/cs_nobody/status')).status).toBe(404);
  });
});

describe('paid repositories', () => {
  it('are opened by a checkout for the caller and by the card on file afterwards (platform B-7, B-13)', async () => {
    const dora = await billing.newCustomer('Dora');
    const path = '/v1/graphs/sec/subscriptions';
    expect((await dora.client.post(path, { plan_name: 'starter' })).status).toBe(402);
    const checkout = await dora.client.post('/v1/billing/checkout', {
      plan_name: 'starter',
      resource_type: 'repository',
      resource_config: { repository_name: 'sec' },
    });
    await pay(billing.service, checkout.body.session_id, 'ok');
    const status = await until(
      () => dora.client.get(`/v1/billing/checkout/${checkout.body.session_id}/status`),
      ({ body }) => body.status === 'active',
    );
    expect(status.body.resource_id).toBe('sec');
    expect((await dora.client.post(`${path}/cancel`, { immediate: true, confirm: 'sec' })).body.status).toBe(
      'canceled',
    );
    const again = await dora.client.post(path, { plan_name: 'advanced' });
    expect(again.status).toBe(201);
    const [access] = await billing.service.store.transaction('kernel', (tx) =>
      tx.query(sql<Pick<BillingRepositoryAccess, 'plan' | 'is_active'>>`
        SELECT plan, is_active FROM billing_repository_access WHERE user_id = ${dora.userId}`),
    );
    expect(access).toEqual({ plan: 'advanced', is_active: true });
  });

  it('answer 402 on a declined card and store the subscription as failed (platform B-13)', async () => {
    const emil = await billing.newCustomer('Emil');
    await buyGraph(billing, emil, { name: 'Forge', card: 'expire' });
    const refusal = await emil.client.post('/v1/graphs/sec/subscriptions', { plan_name: 'starter' });
    expect(refusal.status).toBe(402);
    expect((await emil.client.get('/v1/graphs/sec/subscriptions')).body.status).toBe('failed');
  });

  it('show customers their card and portal without ids of the embedded provider (platform B-9, B-32)', async () => {
    const finn = await billing.newCustomer('Finn');
    const portal = `/v1/billing/customer/${finn.orgId}/portal`;
    expect((await finn.client.post(portal)).status).toBe(404);
    await buyGraph(billing, finn, { name: 'Gate <b>' });
    const customer = await finn.client.get(`/v1/billing/customer/${finn.orgId}`);
    expect(customer.body).toMatchObject({
      has_payment_method: true,
      payment_methods: [{ type: 'card', is_default: true }],
      stripe_customer_id: null,
    });
    const link = new URL((await finn.client.post(portal)).body.portal_url);
    const page = await fetch(`${billing.service.url}${link.pathname}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('ladybug-standard');
    expect((await fetch(`${billing.service.url}/_billing/portal/guessed`)).status).toBe(404);
  });
});
