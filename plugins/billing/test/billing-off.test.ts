import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BillingService, type Customer, graphOrder, startBilling } from './billing-service.ts';

let billing: BillingService;
let owner: Customer;

beforeAll(async () => {
  billing = await startBilling({ isEnabled: false });
  owner = await billing.newCustomer('Ann');
});
afterAll(() => billing.close());

describe('a deployment without billing', () => {
  it('requires no payment and still has one subscription per graph (platform B-2)', async () => {
    const graphId = await owner.client.createGraph('Mill', []);
    const subscription = await owner.client.get(`/v1/graphs/${graphId}/subscriptions`);
    expect(subscription.body).toMatchObject({
      status: 'active',
      resource_type: 'graph',
      resource_id: graphId,
      plan_name: 'ladybug-standard',
      plan_display_name: 'Standard',
      billing_interval: 'monthly',
      user_id: null,
    });
    const list = await owner.client.get(`/v1/billing/subscriptions/${owner.orgId}`);
    expect(list.body).toEqual([subscription.body]);
    const one = `/v1/billing/subscriptions/${owner.orgId}/subscription/${subscription.body.id}`;
    expect((await owner.client.get(one)).body).toEqual(subscription.body);
  });

  it('reports that billing is off on a request to pay (platform B-2)', async () => {
    const checkout = await owner.client.post('/v1/billing/checkout', graphOrder('Mill'));
    expect(checkout.status).toBe(201);
    expect(checkout.body).toEqual({
      checkout_url: null,
      session_id: null,
      subscription_id: null,
      requires_checkout: false,
      billing_disabled: true,
    });
    const portal = await owner.client.post(`/v1/billing/customer/${owner.orgId}/portal`);
    expect(portal.body).toEqual({ portal_url: null, billing_disabled: true });
    const invoices = await owner.client.get(`/v1/billing/invoices/${owner.orgId}`);
    expect(invoices.body).toEqual({ invoices: [], total_count: 0, has_more: false });
    expect((await owner.client.get(`/v1/billing/invoices/${owner.orgId}/upcoming`)).body).toBeNull();
  });

  it('changes tiers without a payment provider (platform B-17)', async () => {
    const graphId = await owner.client.createGraph('Bakery', []);
    const accepted = await owner.client.post(`/v1/graphs/${graphId}/operations/change-tier`, {
      new_tier: 'ladybug-large',
    });
    expect(accepted.status).toBe(202);
    expect((await owner.client.follow(accepted.body.operationId)).body.status).toBe('completed');
    const subscription = await owner.client.get(`/v1/graphs/${graphId}/subscriptions`);
    expect(subscription.body).toMatchObject({ status: 'active', plan_name: 'ladybug-large' });
  });

  it('reveals nothing to non-members (platform U-4, B-11, P-18 to P-20)', async () => {
    const stranger = await billing.newCustomer('Ben');
    const { orgId } = owner;
    const [subscription] = (await owner.client.get(`/v1/billing/subscriptions/${orgId}`)).body;
    for (const path of [
      `/v1/billing/customer/${orgId}`,
      `/v1/billing/invoices/${orgId}`,
      `/v1/billing/invoices/${orgId}/upcoming`,
      `/v1/billing/subscriptions/${orgId}`,
      `/v1/billing/subscriptions/${orgId}/subscription/${subscription.id}`,
      `/v1/graphs/${subscription.resource_id}/subscriptions`,
      '/v1/graphs/kg00000000000000000000/subscriptions',
    ]) {
      expect([path, (await stranger.client.get(path)).status]).toEqual([path, 403]);
    }
    const cancel = `/v1/billing/subscriptions/${orgId}/subscription/${subscription.id}/cancel`;
    expect((await stranger.client.post(cancel)).status).toBe(403);
    const own = `/v1/billing/subscriptions/${stranger.orgId}/subscription/${subscription.id}`;
    expect((await stranger.client.get(own)).status).toBe(404);
    expect((await billing.service.anonymous.get(`/v1/billing/customer/${orgId}`)).status).toBe(401);
  });

  it('subscribes users to repositories free of charge, once each (platform B-13, B-15, B-16)', async () => {
    const path = '/v1/graphs/sec/subscriptions';
    expect((await owner.client.get(path)).status).toBe(404);
    expect((await owner.client.post(path, { plan_name: 'golden' })).status).toBe(400);
    expect((await owner.client.post('/v1/graphs/nowhere/subscriptions', { plan_name: 'starter' })).status).toBe(422);
    const graphs = await owner.client.get('/v1/graphs');
    const [{ graphId }] = graphs.body.graphs;
    expect((await owner.client.post(`/v1/graphs/${graphId}/subscriptions`, { plan_name: 'starter' })).status).toBe(400);
    const made = await owner.client.post(path, { plan_name: 'sec-starter' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      status: 'active',
      plan_name: 'starter',
      plan_display_name: 'SEC filings - Starter',
      base_price_cents: 2900,
      user_id: owner.userId,
    });
    expect((await owner.client.post(path, { plan_name: 'starter' })).status).toBe(409);
    expect((await owner.client.get(path)).body).toEqual(made.body);
    expect((await owner.client.request('PATCH', path, { new_plan_name: 'starter' })).status).toBe(400);
    const changed = await owner.client.request('PATCH', path, { new_plan_name: 'advanced' });
    expect(changed.body).toMatchObject({ id: made.body.id, plan_name: 'advanced', base_price_cents: 9900 });
    expect(
      (await owner.client.request('PATCH', `/v1/graphs/${graphId}/subscriptions`, { new_plan_name: 'x' })).status,
    ).toBe(400);
    expect((await owner.client.post(`${path}/cancel`, { immediate: true })).status).toBe(400);
    const canceled = await owner.client.post(`${path}/cancel`);
    expect(canceled.body).toMatchObject({ status: 'canceled', ends_at: made.body.current_period_end });
    const again = await owner.client.post(path, { plan_name: 'starter' });
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(made.body.id);
    const now = await owner.client.post(`${path}/cancel`, { immediate: true, confirm: 'sec' });
    expect(now.body.status).toBe('canceled');
  });
});
