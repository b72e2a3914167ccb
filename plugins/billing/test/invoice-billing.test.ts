/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customers, lifecycle } from '../src/index.ts';
import { auditOf, type BillingService, type Customer, graphOrder, startBilling, until } from './billing-service.ts';

let billing: BillingService;
let owner: Customer;
let graphId: string;

beforeAll(async () => {
  billing = await startBilling();
  owner = await billing.newCustomer('Ann');
  const { service } = billing;
  await service.store.transaction('kernel', (tx) =>
    service.service.services.resolve(customers).setInvoiceBilling(tx, owner.orgId, true, { type: 'admin' }),
  );
  graphId = await owner.client.createGraph('Mill', []);
});
afterAll(() => billing.close());

const status = async () => (await owner.client.get(`/v1/graphs/${graphId}/subscriptions`)).body.status;
const invoices = async () => (await owner.client.get(`/v1/billing/invoices/${owner.orgId}`)).body.invoices;

describe('billing_audit', () => {
  it.each([
    ['update', sql`UPDATE billing_audit SET at = at`],
    ['delete', sql`DELETE FROM billing_audit`],
  ])('does not let the service’s database role %s rows (platform B-18)', async (_, statement) => {
    const refusal = billing.service.store.transaction('kernel', (tx) => tx.query(statement));
    await expect(refusal).rejects.toThrow('permission denied for table billing_audit');
  });
});

describe('an organization that pays by invoice', () => {
  it('needs no checkout (platform B-6, B-7)', async () => {
    const refusal = await owner.client.post('/v1/billing/checkout', graphOrder('Bakery'));
    expect(refusal.status).toBe(400);
    expect(refusal.body.detail).toContain('Checkout not required');
    expect(await until(status, (value) => value === 'active')).toBe('active');
    const customer = await owner.client.get(`/v1/billing/customer/${owner.orgId}`);
    expect(customer.body).toMatchObject({ invoice_billing_enabled: true, has_payment_method: false });
  });

  it('gets one invoice at the end of a period, due in 30 days (platform B-33, B-5)', async () => {
    expect(await invoices()).toEqual([]);
    billing.days(30);
    const [bill] = await until(invoices, (found) => found.length > 0);
    expect(bill).toMatchObject({
      status: 'open',
      amount_due: 9900,
      amount_paid: 0,
      due_date: '2026-05-01T09:00:00.000Z',
      line_items: [{ period_start: '2026-03-02T09:00:00.000Z', period_end: '2026-04-01T09:00:00.000Z' }],
    });
    const subscription = await owner.client.get(`/v1/graphs/${graphId}/subscriptions`);
    expect(subscription.body).toMatchObject({
      current_period_start: '2026-04-01T09:00:00.000Z',
      current_period_end: '2026-05-01T09:00:00.000Z',
    });
  });

  it('is past due 30 days later, unpaid after 60, and active again after payment (platform B-33)', async () => {
    billing.days(60);
    await until(status, (value) => value === 'past_due');
    billing.days(30);
    await until(status, (value) => value === 'unpaid');
    await until(
      () => owner.client.post(`/v1/graphs/${graphId}/operations/touch`),
      ({ status: code }) => code === 402,
    );
    const subscriptionLifecycle = billing.service.service.services.resolve(lifecycle);
    for (const { id } of await invoices()) await subscriptionLifecycle.markPaid(id);
    expect(await status()).toBe('active');
    expect((await invoices()).every((bill: { status: string }) => bill.status === 'paid')).toBe(true);
    const audit = await auditOf(billing, owner.orgId);
    expect(audit).toEqual(expect.arrayContaining(['invoice_billing_enabled', 'invoice_generated', 'invoice_overdue']));
  });

  it('can restore a suspended graph (platform B-4)', async () => {
    const subscription = await owner.client.get(`/v1/graphs/${graphId}/subscriptions`);
    const path = `/v1/billing/subscriptions/${owner.orgId}/subscription/${subscription.body.id}/cancel`;
    expect((await owner.client.post(path)).body.status).toBe('canceled');
    const early = { ...graphOrder('Mill'), resource_config: { graph_id: graphId } };
    expect((await owner.client.post('/v1/billing/checkout', early)).status).toBe(400);
    billing.clock.set(subscription.body.current_period_end);
    billing.days(1);
    await until(
      () => owner.client.get(`/v1/graphs/${graphId}/members`),
      ({ status: code }) => code === 403,
    );
    const restored = await owner.client.post('/v1/billing/checkout', early);
    expect(restored.body).toMatchObject({ requires_checkout: false, billing_disabled: false });
    expect((await owner.client.get(`/v1/graphs/${graphId}/members`)).status).toBe(200);
    billing.days(8);
    const subscriptionLifecycle = billing.service.service.services.resolve(lifecycle);
    await subscriptionLifecycle.runCycle(new AbortController().signal);
    expect((await owner.client.get(`/v1/graphs/${graphId}/members`)).status).toBe(200);
    const rows = await billing.service.store.transaction('kernel', (tx) =>
      tx.query(sql<{ count: number }>`
        SELECT count(*) AS count FROM billing_subscription WHERE resource_id = ${graphId} AND deprovisioned_at IS NOT NULL`),
    );
    expect(rows).toEqual([{ count: 0 }]);
  });
});
