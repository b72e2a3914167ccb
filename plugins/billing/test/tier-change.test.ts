/** @module-tag sessions */
import { kernel, kernelSettings, provide, serviceUrl, sql } from '@pacioli/core';
import { silentLog } from '@pacioli/core/assembly';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PaymentPort, paymentPort } from '../src/index.ts';
import { LocalPayments } from '../src/local/local-payments.ts';
import { billing as billingServices, localProvider } from '../src/providers.ts';
import { auditOf, type BillingService, buyGraph, type Customer, startBilling, until } from './billing-service.ts';

/** The embedded provider with occasional failures: a double for a company that refuses. */
class MoodyPayments extends LocalPayments {
  refuses = false;

  override async changePrice(...call: Parameters<PaymentPort['changePrice']>): Promise<void> {
    // Refuses only the new price, as a provider that has recovered when the old price is restored.
    if (this.refuses && call[1].startsWith('tier:')) throw new Error('The provider refuses.');
    await super.changePrice(...call);
  }

  override async cancel(...call: Parameters<PaymentPort['cancel']>): Promise<void> {
    if (this.refuses) throw new Error('The provider refuses.');
    await super.cancel(...call);
  }
}

let billing: BillingService;
let owner: Customer;
let port: MoodyPayments;
let graphId: string;

beforeAll(async () => {
  billing = await startBilling({
    log: silentLog,
    override: [
      provide(paymentPort, {
        services: {
          store: kernel.store,
          clock: kernel.clock,
          ids: kernel.ids,
          settings: kernelSettings,
          local: localProvider,
        },
        create: (use): PaymentPort => {
          port = new MoodyPayments({ ...use, webhooks: use.local.webhooks, serviceUrl: serviceUrl(use.settings) });
          return port;
        },
      }),
    ],
  });
  owner = await billing.newCustomer('Ann');
  ({ graphId } = await buyGraph(billing, owner, { plan: 'ladybug-large' }));
});
afterAll(() => billing.close());

const changeTier = (tier: string, client = owner.client) =>
  client.post(`/v1/graphs/${graphId}/operations/change-tier`, { new_tier: tier });

const credits = async () => (await owner.client.get(`/v1/graphs/${graphId}/credits`)).body;

const subscription = async () => (await owner.client.get(`/v1/graphs/${graphId}/subscriptions`)).body;

async function setSubgraphs(count: number): Promise<void> {
  await billing.service.store.transaction('kernel', async (tx) => {
    await tx.query(sql`DELETE FROM kernel_graph WHERE parent_id = ${graphId}`);
    for (let index = 0; index < count; index += 1) {
      await tx.query(sql`
        INSERT INTO kernel_graph (graph_id, org_id, name, description, tags, graph_type, tier, status, extensions,
          created_by, created_at, updated_at, parent_id)
        SELECT ${`${graphId}_sub${index}`}, org_id, name, description, tags, graph_type, tier, 'active', extensions,
          created_by, created_at, updated_at, graph_id FROM kernel_graph WHERE graph_id = ${graphId}`);
    }
  });
}

describe('change-tier', () => {
  it('is refused while the subgraphs do not fit the smaller tier (platform B-17)', async () => {
    await setSubgraphs(5);
    const refusal = await changeTier('ladybug-standard');
    expect(refusal.status).toBe(400);
    expect(refusal.body.detail).toContain('Delete 2 subgraph(s) first.');
    await setSubgraphs(0);
  });

  it('is refused for the same tier, an unknown tier, and every caller except the owner (platform B-17)', async () => {
    expect((await changeTier('ladybug-large')).body).toMatchObject({ detail: 'Already on this tier.' });
    expect((await changeTier('ladybug-tiny')).status).toBe(422);
    const stranger = await billing.newCustomer('Stranger');
    expect((await changeTier('ladybug-standard', stranger.client)).status).toBe(403);
  });

  it('leaves everything unchanged when the provider refuses (platform B-17)', async () => {
    const before = await subscription();
    port.refuses = true;
    const accepted = await changeTier('ladybug-xlarge');
    expect(accepted.status).toBe(202);
    const ended = await owner.client.follow(accepted.body.operationId);
    expect(ended.body.status).toBe('failed');
    port.refuses = false;
    expect(await subscription()).toEqual(before);
    expect(await credits()).toMatchObject({ current_balance: 32_000, monthly_allocation: 32_000 });
    const [graph] = await billing.service.store.transaction('kernel', (tx) =>
      tx.query(sql<{ tier: string; write_block: string | null }>`
        SELECT tier, write_block FROM kernel_graph WHERE graph_id = ${graphId}`),
    );
    expect(graph).toEqual({ tier: 'ladybug-large', write_block: null });
    const upcoming = await owner.client.get(`/v1/billing/invoices/${owner.orgId}/upcoming`);
    expect(upcoming.body.amount_due).toBe(29_900);
  });

  it('changes tier and price together, with the difference on the next invoice (platform B-17)', async () => {
    billing.days(15);
    const accepted = await changeTier('ladybug-xlarge');
    const ended = await owner.client.follow(accepted.body.operationId);
    expect(ended.body).toMatchObject({
      status: 'completed',
      result: { old_tier: 'ladybug-large', new_tier: 'ladybug-xlarge' },
    });
    expect(await subscription()).toMatchObject({
      status: 'active',
      plan_name: 'ladybug-xlarge',
      base_price_cents: 69_900,
    });
    // The balance has changed by the difference of the allocations (platform C-16).
    expect(await credits()).toMatchObject({
      graph_tier: 'ladybug-xlarge',
      current_balance: 100_000,
      monthly_allocation: 100_000,
    });
    // Half of the period is left: 699.00 and half of the difference of 400.00.
    const upcoming = await owner.client.get(`/v1/billing/invoices/${owner.orgId}/upcoming`);
    expect(upcoming.body.amount_due).toBe(69_900 + 20_000);
    expect(await auditOf(billing, owner.orgId)).toContain('plan_upgraded');
    expect((await owner.client.post(`/v1/graphs/${graphId}/operations/touch`)).status).toBe(200);
  });

  it('is undone when its run is canceled before a worker starts it (platform B-17)', async () => {
    const { service } = billing;
    const changes = service.service.services.resolve(billingServices).tierChanges;
    const before = await subscription();
    await service.store.transaction('kernel', async (tx) => {
      await tx.query(sql`
        UPDATE billing_subscription SET status = 'upgrading', operation_id = 'op_gone', plan_name = 'ladybug-standard',
          before_change = ${JSON.stringify({ plan_name: 'ladybug-xlarge', base_price_cents: 69_900, tier: 'ladybug-xlarge' })}::text::jsonb
        WHERE id = ${before.id}`);
    });
    billing.clock.advance(600_000);
    await changes.settleLost();
    expect(await subscription()).toEqual(before);
  });

  it('shows no cancellation that the provider has not accepted (platform B-12)', async () => {
    const { id } = await subscription();
    port.refuses = true;
    const path = `/v1/billing/subscriptions/${owner.orgId}/subscription/${id}/cancel`;
    const refusal = await owner.client.post(path);
    expect(refusal.status).toBe(502);
    port.refuses = false;
    expect((await subscription()).status).toBe('active');
    const unconfirmed = await owner.client.post(path, { immediate: true });
    expect(unconfirmed.status).toBe(400);
    const ended = await owner.client.post(path, { immediate: true, confirm: graphId });
    expect(ended.body.status).toBe('canceled');
    billing.clock.advance(600_000);
    await until(
      () => owner.client.get(`/v1/graphs/${graphId}/members`),
      ({ status }) => status === 404,
    );
  });
});
