import { type Caller, type GraphRecord, type Graphs, ServiceError, sql, type Transaction } from '@pacioli/core';
import type { BillingSettings } from '../config.ts';
import type { PaymentPort, ProviderSubscription } from '../payments/index.ts';
import { type Actor, theSystem } from './billing-audit.ts';
import type { Customers } from './customers.ts';
import { type Plan, type Plans, priceKey } from './plans.ts';
import { atProvider, paymentRequired, refused } from './refusals.ts';
import type { RepositoryGrants } from './repository-grants.ts';
import { lockGraphBilling, lockSubscription, type Subscription, subscriptionOfGraph } from './subscription-rows.ts';
import { beginningAt, isLive } from './subscription-state.ts';
import type { SubscriptionWorkflow } from './subscription-workflow.ts';

interface GraphSubscriptionParts {
  readonly workflow: SubscriptionWorkflow;
  readonly customers: Customers;
  readonly plans: Plans;
  readonly port: PaymentPort;
  readonly config: BillingSettings;
  readonly graphs: Graphs;
  readonly grants: RepositoryGrants;
}

/** Every graph has a subscription even where nothing is billed, so that plans and limits have a single source (B-2). */
export class GraphSubscriptions {
  readonly #parts: GraphSubscriptionParts;

  constructor(parts: GraphSubscriptionParts) {
    this.#parts = parts;
  }

  /** The live subscription of a graph, or its last one; created if the graph never had one. */
  async ofGraph(tx: Transaction, graph: GraphRecord): Promise<Subscription | undefined> {
    const earlier = await subscriptionOfGraph(tx, graph.id);
    if (earlier !== undefined || graph.parentId !== undefined) return earlier;
    await lockGraphBilling(tx, graph.id);
    const current = await subscriptionOfGraph(tx, graph.id);
    const plan = this.#parts.plans.ofTier(graph.tier);
    if (current !== undefined || plan === undefined) return current;
    return this.#open(tx, graph, plan, theSystem);
  }

  /** Ensures that all graphs of an organization have subscriptions. */
  async completeOrg(tx: Transaction, orgId: string): Promise<void> {
    for (const graph of await this.#parts.graphs.ofOrg(tx, orgId)) await this.ofGraph(tx, graph);
  }

  /** Activates what was bought for a finished graph, and charges what was not bought yet. */
  async graphCreated(graphId: string): Promise<void> {
    const { workflow } = this.#parts;
    const row = await workflow.transaction(async (tx) => {
      const graph = await this.#parts.graphs.find(tx, graphId);
      if (graph === undefined) return undefined;
      const found = await this.ofGraph(tx, graph);
      // Canceled or failed during creation: access to the graph follows its subscription (platform B-2).
      if (found?.status === 'canceled' || found?.status === 'failed') return workflow.note(tx, found, {});
      if (found?.status !== 'provisioning') return found;
      return workflow.move(tx, found, 'resource-ready', theSystem, beginningAt(this.#parts.workflow.now()));
    });
    if (row !== undefined) await this.charge(row);
  }

  /**
   * Charges a pending subscription if the customer can be charged. A decline fails the subscription; an unreachable
   * provider is an error and leaves it pending.
   */
  async charge(row: Subscription): Promise<Subscription> {
    const { workflow, port, plans } = this.#parts;
    if (row.status !== 'pending' || row.provider === null) return row;
    const plan = planOf(row, plans);
    const customer = await workflow.transaction((tx) => this.#parts.customers.find(tx, row.org_id));
    if (plan === undefined || customer?.provider_customer == null || !customer.has_payment_method) return row;
    const price = await port.ensurePrice(plans.priceOf(plan), priceKey(plan));
    const metadata = { subscription_id: row.id, org_id: row.org_id };
    const made = await port.createSubscription(
      { customer: customer.provider_customer, price, metadata },
      `subscribe:${row.id}`,
    );
    const settled = await workflow.transaction(async (tx) => {
      const current = await lockSubscription(tx, row.id);
      if (current === undefined || current.status !== 'pending') return undefined;
      const moved =
        made.status === 'declined'
          ? await workflow.move(tx, current, 'first-charge-failed', theSystem, { error: 'The card was declined.' })
          : await workflow.move(tx, current, 'charged', theSystem, {
              ...beginningAt(this.#parts.workflow.now()),
              provider_subscription: made.id,
            });
      if (moved?.status === 'active') await this.#parts.grants.admit(tx, moved);
      return moved ?? current;
    });
    if (settled !== undefined) return settled;
    return this.#takeBack(row, made);
  }

  /** Cancels the provider’s new subscription if ours was canceled or charged concurrently. */
  async #takeBack(row: Subscription, made: ProviderSubscription): Promise<Subscription> {
    const current = await this.#parts.workflow.transaction((tx) => lockSubscription(tx, row.id));
    if (made.status !== 'declined' && current?.provider_subscription !== made.id) {
      const subscription = { subscription: made.id, atPeriodEnd: false, refund: true };
      await this.#parts.port.cancel(subscription, `take-back:${row.id}`);
    }
    return current ?? row;
  }

  /** Charges an organization’s subscriptions that were waiting for a payment method. */
  async chargePending(orgId: string): Promise<void> {
    const waiting = await this.#parts.workflow.transaction((tx) =>
      tx.query(sql<Subscription>`
        SELECT * FROM billing_subscription WHERE org_id = ${orgId} AND status = 'pending' AND provider IS NOT NULL
        ORDER BY created_at, id LIMIT 100`),
    );
    for (const row of waiting) await this.charge(row);
  }

  /**
   * Restores a suspended graph (platform B-4). Undefined if that requires a checkout first; 402 if the card on file is
   * declined, 400 for a graph that is not suspended or not owned by the caller’s organization.
   */
  async restore(caller: Caller, graphId: string, plan: Plan): Promise<Subscription | undefined> {
    const { workflow, customers } = this.#parts;
    const actor: Actor = { type: 'user', id: caller.userId };
    const row = await workflow.transaction(async (tx) => {
      await lockGraphBilling(tx, graphId);
      const graph = await this.#parts.graphs.find(tx, graphId);
      if (graph === undefined || graph.orgId !== caller.orgId) throw refused('Unknown graph.');
      const latest = await subscriptionOfGraph(tx, graphId);
      if (graph.status !== 'suspended' || (latest !== undefined && isLive(latest.status))) {
        if (latest?.status === 'pending_payment') return undefined;
        throw refused('This graph is not suspended. A new subscription starts after the old one has ended.');
      }
      if (plan.name !== graph.tier) throw refused(`This graph has the tier ${graph.tier}. Change it afterwards.`);
      return (await customers.canPay(tx, graph.orgId)) ? this.#open(tx, graph, plan, actor) : undefined;
    });
    if (row === undefined || row.status !== 'pending') return row;
    const charged = await atProvider(() => this.charge(row));
    if (charged.status === 'active') return charged;
    throw paymentRequired('The card on file was declined. Replace it and try again.');
  }

  /**
   * Creates a subscription that is billed by the provider, by invoice, or not at all, as the deployment and customer
   * require.
   */
  async #open(tx: Transaction, graph: GraphRecord, plan: Plan, actor: Actor): Promise<Subscription> {
    const customer = await this.#parts.customers.find(tx, graph.orgId);
    const isCharged = this.#parts.config.enabled && customer?.invoice_billing_enabled !== true;
    const facts = {
      org_id: graph.orgId,
      resource_type: 'graph' as const,
      resource_id: graph.id,
      plan_name: plan.name,
      base_price_cents: plan.priceCents,
    };
    return isCharged
      ? this.#parts.workflow.open(tx, { ...facts, status: 'pending', provider: this.#parts.port.provider }, actor)
      : this.#parts.workflow.open(
          tx,
          { ...facts, status: 'active', ...beginningAt(this.#parts.workflow.now()) },
          actor,
        );
  }
}

/** The plan of a subscription. */
export function planOf(row: Subscription, plans: Plans): Plan | undefined {
  return row.resource_type === 'graph'
    ? plans.ofTier(row.plan_name)
    : plans.ofRepository(row.resource_id ?? '', row.plan_name);
}

/** The same 403 for other organizations’ graphs and for graphs that do not exist (platform P-8). */
export function noGraphOfYours(): ServiceError {
  return new ServiceError('forbidden', 'FORBIDDEN', 'Access denied to graph');
}
