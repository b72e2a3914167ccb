/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { silentLog } from '@pacioli/core/assembly';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signatureHeader } from '../src/local/local-webhooks.ts';
import { localProvider } from '../src/providers.ts';
import type { BillingAudit, BillingEvent, BillingLocalSubscription, BillingSubscription } from '../src/rows.gen.ts';
import {
  type BillingService,
  buyGraph,
  type Customer,
  graphOrder,
  pay,
  startBilling,
  until,
} from './billing-service.ts';

let billing: BillingService;
let owner: Customer;
let graphId: string;
let providerSubscription: string;
let events = 0;

beforeAll(async () => {
  billing = await startBilling({ log: silentLog });
  owner = await billing.newCustomer('Ann');
  ({ graphId } = await buyGraph(billing, owner));
  const [row] = await billing.service.store.transaction('kernel', (tx) =>
    tx.query(sql<Pick<BillingSubscription, 'provider_subscription'>>`
      SELECT provider_subscription FROM billing_subscription WHERE resource_id = ${graphId}`),
  );
  providerSubscription = row?.provider_subscription ?? '';
});
afterAll(() => billing.close());

/** Sends a message with the provider’s signature. */
async function send(type: string, data: object, { id = '', at = billing.clock.now() } = {}) {
  events += 1;
  const event = { id: id || `evt_test_${events}`, type, at: at.toISOString(), data };
  const body = JSON.stringify(event);
  const signature = billing.service.service.services.resolve(localProvider).webhooks.sign(body);
  return billing.service.anonymous.post('/admin/v1/webhooks/local', body, { [signatureHeader]: signature });
}

const status = async () => (await owner.client.get(`/v1/graphs/${graphId}/subscriptions`)).body.status;
const touch = () => owner.client.post(`/v1/graphs/${graphId}/operations/touch`);

async function eventState(id: string): Promise<{ state: string; attempts: number } | undefined> {
  const [row] = await billing.service.store.transaction('kernel', (tx) =>
    tx.query(sql<Pick<BillingEvent, 'state' | 'attempts'>>`
      SELECT state, attempts FROM billing_event WHERE event_id = ${id}`),
  );
  return row;
}

describe('provider messages', () => {
  it('without a valid signature are refused and recorded (platform B-31)', async () => {
    const path = '/admin/v1/webhooks/local';
    expect((await billing.service.anonymous.post(path, { id: 'evt_forged' })).status).toBe(400);
    const forged = { [signatureHeader]: `t=1,v1=${'0'.repeat(64)}` };
    expect((await billing.service.anonymous.post(path, { id: 'evt_forged' }, forged)).status).toBe(400);
    expect((await billing.service.anonymous.post('/admin/v1/webhooks/other', {})).status).toBe(404);
    const rows = await billing.service.store.transaction('kernel', (tx) =>
      tx.query(sql<{ risk: string }>`
        SELECT risk FROM kernel_security_audit WHERE event_type = 'suspicious_activity'`),
    );
    expect(rows.map(({ risk }) => risk)).toEqual(['high', 'high']);
  });

  it('that are replayed from an old recording are refused (platform B-31)', async () => {
    const body = JSON.stringify({ id: 'evt_old', type: 'invoice.paid', at: billing.clock.now(), data: {} });
    const signature = billing.service.service.services.resolve(localProvider).webhooks.sign(body);
    billing.clock.advance(301_000);
    const late = await billing.service.anonymous.post('/admin/v1/webhooks/local', body, {
      [signatureHeader]: signature,
    });
    expect(late.status).toBe(400);
  });

  it('about a failed charge leave the graph open and report the status (platform B-2, B-3)', async () => {
    expect((await send('invoice.payment_failed', { subscription: providerSubscription })).status).toBe(200);
    await until(status, (value) => value === 'past_due');
    const answer = await until(touch, ({ headers }) => headers.has('x-billing-status'));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-billing-status')).toBe('past_due');
  });

  it('that are older than the latest known event change nothing (platform B-31)', async () => {
    const old = new Date(billing.clock.now().getTime() - 60_000);
    await send('invoice.paid', { subscription: providerSubscription }, { id: 'evt_late', at: old });
    await until(
      () => eventState('evt_late'),
      (event) => event?.state === 'done',
    );
    expect(await status()).toBe('past_due');
  });

  it('about the last retry block writes with 402, and a payment allows them again (platform B-2, B-3)', async () => {
    await send('subscription.updated', { subscription: providerSubscription, status: 'unpaid' });
    await until(status, (value) => value === 'unpaid');
    await until(touch, ({ status: code }) => code === 402);
    expect((await owner.client.get(`/v1/graphs/${graphId}/members`)).status).toBe(200);
    await send('invoice.paid', { subscription: providerSubscription });
    await until(status, (value) => value === 'active');
    await until(touch, ({ status: code }) => code === 200);
  });

  it('that arrive twice are processed once (platform B-31)', async () => {
    const data = { subscription: providerSubscription };
    await send('invoice.created', data, { id: 'evt_twice' });
    await send('invoice.created', data, { id: 'evt_twice' });
    const event = await until(
      () => eventState('evt_twice'),
      (found) => found?.state === 'done',
    );
    expect(event?.attempts).toBe(1);
    const rows = await billing.service.store.transaction('kernel', (tx) =>
      tx.query(sql<Pick<BillingAudit, 'id'>>`SELECT id FROM billing_audit WHERE event_type = 'invoice_generated'`),
    );
    expect(rows).toHaveLength(1);
  });

  it('that cannot be processed are retried three times and then stored as failed (platform B-31)', async () => {
    await send('checkout.completed', { session: 'cs_unknown', subscription: 'psub_unknown' }, { id: 'evt_unknown' });
    const event = await until(
      async () => {
        billing.clock.advance(60_000);
        return eventState('evt_unknown');
      },
      (found) => found?.state === 'failed',
    );
    expect(event?.attempts).toBe(4);
  });
});

async function failedCharges(graph: string): Promise<number> {
  const [row] = await billing.service.store.transaction('kernel', (tx) =>
    tx.query(sql<Pick<BillingLocalSubscription, 'failed_charges'>>`
      SELECT l.failed_charges FROM billing_local_subscription l
      JOIN billing_subscription s ON s.provider_subscription = l.id WHERE s.resource_id = ${graph}`),
  );
  return row?.failed_charges ?? 0;
}

describe('renewals of the embedded provider', () => {
  it('fail with an expired card and leave the subscription unpaid after the last retry (platform B-3, B-32)', async () => {
    const other = await billing.newCustomer('Ben');
    const bought = await buyGraph(billing, other, { name: 'Quarry', card: 'expire' });
    const statusOf = async () => (await other.client.get(`/v1/graphs/${bought.graphId}/subscriptions`)).body.status;
    billing.days(30);
    await until(statusOf, (value) => value === 'past_due');
    const invoices = await other.client.get(`/v1/billing/invoices/${other.orgId}`);
    expect(invoices.body.invoices.map((bill: { status: string }) => bill.status)).toEqual(['open', 'paid']);
    // Three retries, three days apart (our choice).
    for (const tries of [2, 3, 4]) {
      billing.days(3);
      await until(
        () => failedCharges(bought.graphId),
        (count) => count === tries,
      );
    }
    await until(statusOf, (value) => value === 'unpaid');
    billing.days(31);
    await until(statusOf, (value) => value === 'canceled');
  });

  it('expire a checkout that is not paid within a day (platform B-3)', async () => {
    const other = await billing.newCustomer('Cleo');
    const checkout = await other.client.post('/v1/billing/checkout', graphOrder('Dam'));
    billing.days(1);
    const closed = await until(
      () => other.client.get(`/v1/billing/checkout/${checkout.body.session_id}/status`),
      ({ body }) => body.status === 'canceled',
    );
    expect(closed.body.error).toBeNull();
    expect((await pay(billing.service, checkout.body.session_id, 'ok')).status).toBe(409);
    expect((await other.client.get(`/v1/billing/subscriptions/${other.orgId}`)).body).toEqual([]);
  });
});
