import { sql } from '@pacioli/core';
import { type FixedClock, fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import billing from '../src/index.ts';
import { billing as billingServices } from '../src/providers.ts';
import type { BillingAudit } from '../src/rows.gen.ts';
import writing from './writing-plugin.ts';

const dayMs = 86_400_000;
const maxWaitMs = 300_000;
const pollMs = 20;

/** A service with billing and helpers for its tests. */
export interface BillingService {
  readonly service: TestService;
  readonly clock: FixedClock;
  /** A user with an API key, which does not expire when the clock advances. */
  newCustomer(name: string): Promise<Customer>;
  /** Advances the clock, which the jobs use. */
  days(count: number): void;
  /** Repeats the event that a graph was created, as a duplicate delivery would. */
  graphCreated(graphId: string): Promise<void>;
  close(): Promise<void>;
}

export interface Customer {
  readonly client: TestClient;
  readonly orgId: string;
  readonly userId: string;
}

export async function startBilling(
  options: Omit<Partial<Parameters<typeof startTestService>[0]>, 'clock'> & { readonly isEnabled?: boolean } = {},
): Promise<BillingService> {
  const clock = fixedClock('2026-03-02T09:00:00Z');
  const { isEnabled = true, plugins = [billing.with({ enabled: isEnabled }), writing], ...others } = options;
  const service = await startTestService({
    ...others,
    plugins,
    clock,
  });
  return {
    service,
    clock,
    days: (count) => clock.advance(count * dayMs),
    graphCreated: (graphId) =>
      service.service.services.resolve(billingServices).graphSubscriptions.graphCreated(graphId),
    close: () => service.close(),
    newCustomer: async (name) => {
      const session = await service.newUser(name);
      const key = await session.post('/v1/user/api-keys', { name: 'tests' });
      const client = service.anonymous.withHeaders({ 'x-api-key': key.body.key });
      const orgs = await client.get('/v1/orgs');
      const me = await client.get('/v1/user');
      return { client, orgId: orgs.body.orgs[0].id, userId: me.body.id };
    },
  };
}

/** Polls until the value is as expected; a timeout error contains the last value. */
export async function until<T>(read: () => Promise<T>, isRegistered: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + maxWaitMs;
  for (;;) {
    const value = await read();
    if (isRegistered(value)) return value;
    if (Date.now() > deadline) throw new Error(`It did not come: ${JSON.stringify(value)?.slice(0, 1000)}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** The body of a checkout for a graph. */
export function graphOrder(name: string, plan = 'ladybug-standard') {
  return {
    plan_name: plan,
    resource_type: 'graph',
    resource_config: {
      metadata: { graph_name: name, schema_extensions: [] },
      initial_entity: { name, uri: `https://example.org/${encodeURIComponent(name)}` },
    },
  };
}

/** Sets the role of a customer’s user in the organization. */
export async function setRole({ service }: BillingService, { userId }: Customer, role: string): Promise<void> {
  await service.store.transaction('kernel', (tx) =>
    tx.query(sql`UPDATE kernel_org_user SET role = ${role} WHERE user_id = ${userId}`),
  );
}

/** Pays a checkout on its page with a test card. */
export function pay(service: TestService, sessionId: string, card: string): Promise<Response> {
  return fetch(`${service.url}/_billing/checkout/${sessionId}`, {
    method: 'POST',
    body: new URLSearchParams({ card }),
    redirect: 'manual',
  });
}

/** A graph bought by checkout. */
export async function buyGraph(
  { service }: BillingService,
  { client }: Customer,
  { name = 'Mill', plan = 'ladybug-standard', card = 'ok' } = {},
): Promise<{ graphId: string; sessionId: string; subscriptionId: string }> {
  const checkout = await client.post('/v1/billing/checkout', graphOrder(name, plan));
  if (checkout.status !== 201) throw new Error(`No checkout: ${checkout.status} ${JSON.stringify(checkout.body)}`);
  const { session_id: sessionId, subscription_id: subscriptionId } = checkout.body;
  await pay(service, sessionId, card);
  const status = await until(
    () => client.get(`/v1/billing/checkout/${sessionId}/status`),
    ({ body }) => body.status === 'active' || body.status === 'failed',
  );
  if (status.body.status !== 'active') throw new Error(`It was not made: ${JSON.stringify(status.body)}`);
  return { graphId: status.body.resource_id, sessionId, subscriptionId };
}

/** The billing audit entries of an organization, in order. */
export async function auditOf({ service }: BillingService, orgId: string): Promise<readonly string[]> {
  const rows = await service.store.transaction('kernel', (tx) =>
    tx.query(
      sql<
        Pick<BillingAudit, 'event_type'>
      >`SELECT event_type FROM billing_audit WHERE org_id = ${orgId} ORDER BY at, id`,
    ),
  );
  return rows.map((row) => row.event_type);
}
