import { kernel, kernelSettings, provide, serviceUrl, sql } from '@pacioli/core';
import { silentLog } from '@pacioli/core/assembly';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PaymentPort, paymentPort } from '../src/index.ts';
import { LocalPayments } from '../src/local/local-payments.ts';
import { localProvider } from '../src/providers.ts';
import type { BillingLocalSubscription, BillingSubscription } from '../src/rows.gen.ts';
import { type BillingService, buyGraph, graphOrder, pay, setRole, startBilling, until } from './billing-service.ts';

/** The embedded provider with temporary outages: a double for an unreachable company. */
class AbsentPayments extends LocalPayments {
  cancelsThatFail = 0;
  subscriptionsThatFail = 0;

  override async cancel(...call: Parameters<PaymentPort['cancel']>): Promise<void> {
    if (this.cancelsThatFail > 0) {
      this.cancelsThatFail -= 1;
      throw new Error('The provider is away.');
    }
    await super.cancel(...call);
  }

  override async createSubscription(...call: Parameters<PaymentPort['createSubscription']>) {
    if (this.subscriptionsThatFail > 0) {
      this.subscriptionsThatFail -= 1;
      throw new Error('The provider is away.');
    }
    return super.createSubscription(...call);
  }
}

let billing: BillingService;
let port: AbsentPayments;

beforeAll(async () => {
  const { store, clock, ids } = kernel;
  billing = await startBilling({
    log: silentLog,
    override: [
      provide(paymentPort, {
        services: { store, clock, ids, settings: kernelSettings, local: localProvider },
        create: (use): PaymentPort => {
          port = new AbsentPayments({ ...use, webhooks: use.local.webhooks, serviceUrl: serviceUrl(use.settings) });
          return port;
        },
      }),
    ],
  });
});
afterAll(() => billing.close());

const rows = <Row>(statement: ReturnType<typeof sql<Row>>) =>
  billing.service.store.transaction('kernel', (tx) => tx.query(statement));

describe('a payment provider after an outage', () => {
  it('refunds a failed checkout when it is available again (platform B-3)', {
    timeout: 300_000,
  }, async () => {
    const ann = await billing.newCustomer('Ann');
    const checkout = await ann.client.post('/v1/billing/checkout', graphOrder('Mill'));
    await setRole(billing, ann, 'member');
    port.cancelsThatFail = 5;
    await pay(billing.service, checkout.body.session_id, 'ok');
    const state = await until(
      async () => {
        billing.clock.advance(600_000);
        const [row] = await rows(sql<
          Pick<BillingSubscription, 'status' | 'is_refund_due'> & {
            readonly at_provider: BillingLocalSubscription['status'];
          }
        >`
          SELECT s.status, s.is_refund_due, l.status AS at_provider FROM billing_subscription s
          JOIN billing_local_subscription l ON l.id = s.provider_subscription WHERE s.org_id = ${ann.orgId}`);
        return row;
      },
      (row) => row !== undefined && row.status === 'failed' && !row.is_refund_due,
    );
    expect(state).toMatchObject({ status: 'failed', at_provider: 'canceled' });
    await setRole(billing, ann, 'owner');
    const bills = (await ann.client.get(`/v1/billing/invoices/${ann.orgId}`)).body.invoices;
    expect(bills.map(({ status }: { status: string }) => status)).toEqual(['void']);
  });

  it('charges a repository once and grants access with the charge (platform B-13)', async () => {
    const bob = await billing.newCustomer('Bob');
    await buyGraph(billing, bob, { name: 'Forge' });
    port.subscriptionsThatFail = 1;
    const order = { plan_name: 'starter' };
    expect((await bob.client.post('/v1/graphs/sec/subscriptions', order)).status).toBe(502);
    expect((await bob.client.post('/v1/graphs/sec/subscriptions', order)).status).toBe(201);
    expect((await bob.client.post('/v1/graphs/sec/subscriptions', order)).status).toBe(409);
    const [access] = await rows(sql<object>`
      SELECT a.is_active, p.is_active AS has_credits, (SELECT count(*) FROM billing_subscription s
        WHERE s.user_id = a.user_id AND s.status = 'active') AS subscriptions
      FROM billing_repository_access a
      JOIN kernel_credit_pool p ON p.subscriber_id = a.user_id WHERE a.user_id = ${bob.userId}`);
    expect(access).toEqual({ is_active: true, has_credits: true, subscriptions: 1 });
  });
});

describe('a graph whose subscription was canceled during creation', () => {
  it('is closed when creation finishes and removed on schedule (platform B-4, B-12)', {
    timeout: 300_000,
  }, async () => {
    const cleo = await billing.newCustomer('Cleo');
    const { graphId, subscriptionId } = await buyGraph(billing, cleo, { name: 'Kiln' });
    // Simulates a late event of the creating run: the subscription was canceled while still provisioning.
    await rows(sql`
      UPDATE billing_subscription SET status = 'canceled', canceled_at = now(), ends_at = ${billing.clock.now()},
        closed_at = ${billing.clock.now()}, cancellation_type = 'immediate', started_at = NULL
      WHERE id = ${subscriptionId}`);
    await rows(sql`UPDATE kernel_graph SET write_block = NULL, status = 'active' WHERE graph_id = ${graphId}`);
    await billing.graphCreated(graphId);
    expect((await cleo.client.get(`/v1/graphs/${graphId}/members`)).status).toBe(403);
    await until(
      async () => {
        billing.clock.advance(600_000);
        return (await cleo.client.get(`/v1/graphs/${graphId}/members`)).status;
      },
      (status) => status === 404,
    );
  });
});
