/** @module-tag sessions */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  auditOf,
  type BillingService,
  type Customer,
  graphOrder,
  pay,
  startBilling,
  until,
} from './billing-service.ts';
import { backedUp } from './writing-plugin.ts';

let billing: BillingService;
let owner: Customer;

beforeAll(async () => {
  billing = await startBilling();
  owner = await billing.newCustomer('Ann');
});
afterAll(() => billing.close());

describe('a paid graph', () => {
  let sessionId: string;
  let graphId: string;
  let subscriptionId: string;

  it('is refused without a payment method (platform B-6)', async () => {
    const refusal = await owner.client.post('/v1/graphs', {
      metadata: { graph_name: 'Mill', schema_extensions: [] },
      initial_entity: { name: 'Mill', uri: 'https://example.org/mill' },
    });
    expect(refusal.status).toBe(402);
    expect(refusal.body.code).toBe('PAYMENT_REQUIRED');
  });

  it('gets a checkout, and the same one when requested again (platform B-7)', async () => {
    const first = await owner.client.post('/v1/billing/checkout', graphOrder('Mill'));
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ requires_checkout: true, billing_disabled: false });
    const second = await owner.client.post('/v1/billing/checkout', graphOrder('Mill'));
    expect(second.body).toEqual(first.body);
    sessionId = first.body.session_id;
    subscriptionId = first.body.subscription_id;
    const status = await owner.client.get(`/v1/billing/checkout/${sessionId}/status`);
    expect(status.body).toMatchObject({ status: 'pending_payment', resource_id: null, operation_id: null });
  });

  it('has a script-free payment page that rejects a declined card (platform B-32)', async () => {
    const page = await fetch(`${billing.service.url}/_billing/checkout/${sessionId}`);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await page.text();
    expect(html).toContain('99.00 USD');
    expect(html).not.toContain('<script');
    const declined = await pay(billing.service, sessionId, 'decline');
    expect(declined.status).toBe(402);
    expect(await declined.text()).toContain('The card was declined');
    const status = await owner.client.get(`/v1/billing/checkout/${sessionId}/status`);
    expect(status.body.status).toBe('pending_payment');
  });

  it('is created when the checkout is paid (platform B-3, B-8)', async () => {
    const paid = await pay(billing.service, sessionId, 'ok');
    expect(paid.status).toBe(303);
    const status = await until(
      () => owner.client.get(`/v1/billing/checkout/${sessionId}/status`),
      ({ body }) => body.status === 'active',
    );
    expect(status.body.operation_id).toMatch(/^op_/);
    graphId = status.body.resource_id;
    const graphs = await owner.client.get('/v1/graphs');
    expect(graphs.body.graphs).toMatchObject([{ graphId, status: 'active' }]);
    const subscription = await owner.client.get(`/v1/graphs/${graphId}/subscriptions`);
    expect(subscription.body).toMatchObject({
      id: subscriptionId,
      status: 'active',
      plan_name: 'ladybug-standard',
      base_price_cents: 9900,
      current_period_start: '2026-03-02T09:00:00.000Z',
      current_period_end: '2026-04-01T09:00:00.000Z',
    });
  });

  it('appears on an invoice (platform B-10)', async () => {
    const invoices = await owner.client.get(`/v1/billing/invoices/${owner.orgId}`);
    expect(invoices.body).toMatchObject({
      invoices: [{ status: 'paid', amount_due: 9900, amount_paid: 9900, subscription_id: subscriptionId }],
      total_count: 1,
      has_more: false,
    });
    expect(invoices.body.invoices[0].id).toMatch(/^inv_/);
    const upcoming = await owner.client.get(`/v1/billing/invoices/${owner.orgId}/upcoming`);
    expect(upcoming.body).toMatchObject({ amount_due: 9900, period_start: '2026-04-01T09:00:00.000Z' });
  });

  it('lets the organization create the next graph without a checkout (platform B-6, B-7)', async () => {
    const again = await owner.client.post('/v1/billing/checkout', graphOrder('Bakery'));
    expect(again.status).toBe(400);
    const bakery = await owner.client.createGraph('Bakery', []);
    const charged = await until(
      () => owner.client.get(`/v1/graphs/${bakery}/subscriptions`),
      ({ body }) => body.status === 'active',
    );
    expect(charged.body.base_price_cents).toBe(9900);
  });

  it('stays readable but rejects writes after it is canceled for the end of its period (platform B-12, B-2)', async () => {
    const path = `/v1/billing/subscriptions/${owner.orgId}/subscription/${subscriptionId}/cancel`;
    const canceled = await owner.client.post(path);
    expect(canceled.body).toMatchObject({ status: 'canceled', ends_at: '2026-04-01T09:00:00.000Z' });
    expect((await owner.client.post(path)).status).toBe(400);
    expect((await owner.client.post(`/v1/graphs/${graphId}/operations/touch`)).status).toBe(403);
    expect((await owner.client.get(`/v1/graphs/${graphId}/members`)).status).toBe(200);
  });

  it('is closed when its period ends and removed a week later (platform B-4)', async () => {
    billing.days(31);
    await until(
      () => owner.client.get(`/v1/graphs/${graphId}/members`),
      ({ status }) => status === 403,
    );
    billing.days(7);
    await until(
      () => owner.client.get(`/v1/graphs/${graphId}/members`),
      ({ status }) => status === 404,
    );
    // The removal is a job of its own, which runs every half minute.
    billing.clock.advance(60_000);
    await expect.poll(() => backedUp, { timeout: 300_000 }).toContain(graphId);
    const invoices = await owner.client.get(`/v1/billing/invoices/${owner.orgId}`);
    const ours = invoices.body.invoices.filter(
      (bill: { subscription_id: string }) => bill.subscription_id === subscriptionId,
    );
    expect(ours).toHaveLength(1);
  });

  it('has an audit entry for every step (platform B-18)', async () => {
    const audit = await auditOf(billing, owner.orgId);
    for (const type of [
      'customer_created',
      'subscription_created',
      'payment_method_added',
      'payment_succeeded',
      'subscription_activated',
      'subscription_canceled',
      'subscription_expired',
    ]) {
      expect(audit).toContain(type);
    }
  });
});
