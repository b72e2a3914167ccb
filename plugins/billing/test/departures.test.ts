/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BillingLocalSubscription, BillingRepositoryAccess, BillingSubscription } from '../src/rows.gen.ts';
import { type BillingService, buyGraph, type Customer, startBilling } from './billing-service.ts';

let billing: BillingService;
let owner: Customer;

beforeAll(async () => {
  billing = await startBilling({ settings: { orgs: { invitations: true, showInvitationTokens: true } } });
  owner = await billing.newCustomer('Ann');
  await buyGraph(billing, owner);
});
afterAll(() => billing.close());

describe('a member with a repository subscription paid by the organization', () => {
  it('loses it with the membership, here and at the provider (platform U-7)', async () => {
    const email = 'max@example.org';
    const invitation = await owner.client.post(`/v1/orgs/${owner.orgId}/invitations`, { email, role: 'member' });
    expect(invitation.status).toBe(201);
    const registered = await billing.service.anonymous.post('/v1/auth/register', {
      name: 'Max',
      email,
      password: 'Harbour-Lantern-42',
      invite_token: invitation.body.token,
    });
    expect(registered.status).toBe(201);
    const member = billing.service.anonymous.withHeaders({ authorization: `Bearer ${registered.body.token}` });
    const { id: userId } = (await member.get('/v1/user')).body;
    expect(
      (await member.post('/v1/graphs/sec/subscriptions', { plan_name: 'starter', user_id: owner.userId })).status,
    ).toBe(403);
    const unknown = { plan_name: 'starter', user_id: 'usr_nobody' };
    expect((await owner.client.post('/v1/graphs/sec/subscriptions', unknown)).status).toBe(404);
    const given = { plan_name: 'starter', user_id: userId };
    expect((await owner.client.post('/v1/graphs/sec/subscriptions', given)).status).toBe(201);
    const pool = () =>
      billing.service.store.transaction('kernel', (tx) =>
        tx.query(sql<{ balance: number; is_active: boolean }>`
          SELECT balance_hundredths / 100 AS balance, is_active FROM kernel_credit_pool
          WHERE graph_id = 'sec' AND subscriber_id = ${userId}`),
      );
    expect(await pool()).toEqual([{ balance: 5_000, is_active: true }]);
    const better = { new_plan_name: 'advanced', user_id: userId };
    expect((await owner.client.request('PATCH', '/v1/graphs/sec/subscriptions', better)).status).toBe(200);
    expect(await pool()).toEqual([{ balance: 17_000, is_active: true }]);
    expect((await member.request('PATCH', '/v1/graphs/sec/subscriptions', { new_plan_name: 'advanced' })).status).toBe(
      403,
    );
    expect((await member.get(`/v1/billing/invoices/${owner.orgId}`)).status).toBe(403);
    const seen = await member.get(`/v1/billing/customer/${owner.orgId}`);
    expect(seen.body).toMatchObject({ has_payment_method: true, payment_methods: [] });
    expect((await member.get(`/v1/billing/subscriptions/${owner.orgId}`)).body).toHaveLength(2);

    expect((await owner.client.request('DELETE', `/v1/orgs/${owner.orgId}/members/${userId}`)).status).toBeLessThan(
      300,
    );
    const [left] = await billing.service.store.transaction('kernel', (tx) =>
      tx.query(sql<
        Pick<BillingSubscription, 'status'> &
          Pick<BillingRepositoryAccess, 'is_active'> & { readonly at_provider: BillingLocalSubscription['status'] }
      >`
        SELECT s.status, l.status AS at_provider, a.is_active FROM billing_subscription s
        JOIN billing_local_subscription l ON l.id = s.provider_subscription
        JOIN billing_repository_access a ON a.user_id = s.user_id AND a.repository = s.resource_id
        WHERE s.user_id = ${userId}`),
    );
    expect(left).toEqual({ status: 'canceled', at_provider: 'canceled', is_active: false });
    expect(await pool()).toMatchObject([{ is_active: false }]);
  });
});
