import {
  type Caller,
  type GraphAdmission,
  type KernelSettings,
  notFound,
  serviceUrl,
  sql,
  type Transaction,
  type VerifiedUsers,
} from '@pacioli/core';
import type { BillingSettings } from '../config.ts';
import type { PaymentPort } from '../payments/index.ts';
import {
  alreadySubscribed,
  atProvider,
  type Customer,
  type Customers,
  type GraphSubscriptions,
  isLive,
  lockSubscription,
  type Plan,
  type Plans,
  priceKey,
  refused,
  requireMember,
  requireOwner,
  type Subscription,
  type SubscriptionWorkflow,
  subscriptionOfGraph,
  subscriptionOfUser,
} from '../subscriptions/index.ts';

/** Repeating a checkout for the same purchase within this time returns the same checkout (platform B-7). */
const sameCheckoutSeconds = 30 * 60;

export interface CheckoutRequest {
  readonly plan_name: string;
  readonly resource_type: string;
  readonly resource_config: Readonly<Record<string, unknown>>;
}

export interface CheckoutAnswer {
  readonly checkout_url: string | null;
  readonly session_id: string | null;
  readonly subscription_id: string | null;
  readonly requires_checkout: boolean;
  readonly billing_disabled: boolean;
}

interface CheckoutParts {
  readonly workflow: SubscriptionWorkflow;
  readonly customers: Customers;
  readonly plans: Plans;
  readonly port: PaymentPort;
  readonly settings: KernelSettings;
  readonly config: BillingSettings;
  readonly verifiedUsers: VerifiedUsers;
  readonly admission: GraphAdmission;
  readonly graphs: GraphSubscriptions;
}

/** A validated purchase. */
interface Order {
  readonly plan: Plan;
  /** The graph that lost its subscription, or the repository; null for a new graph. */
  readonly resourceId: string | null;
  readonly config: Readonly<Record<string, unknown>>;
}

/** The first payment of an organization that has no payment method yet (platform B-7, B-8). */
export class Checkouts {
  readonly #parts: CheckoutParts;

  constructor(parts: CheckoutParts) {
    this.#parts = parts;
  }

  /**
   * Opens a checkout. 403 for everyone but the owner and for an unverified address, 400 if no checkout is needed or the
   * order is invalid, and any error that would otherwise refuse the order after payment.
   */
  async start(caller: Caller, request: CheckoutRequest): Promise<CheckoutAnswer> {
    const orgId = caller.orgId ?? '';
    requireOwner(caller, orgId);
    await this.#parts.workflow.transaction((tx) => this.#parts.verifiedUsers.requireVerified(tx, caller.userId));
    const order = this.#ordered(request);
    if (order.plan.resourceType === 'graph' && order.resourceId !== null) {
      const restored = await this.#parts.graphs.restore(caller, order.resourceId, order.plan);
      if (restored !== undefined) return withoutCheckout(restored.id, !this.#parts.config.enabled);
    }
    if (!this.#parts.config.enabled) return withoutCheckout(null, true);
    const pending = await this.#parts.workflow.transaction((tx) => this.#pending(tx, caller, order));
    if (pending.session_id !== null) return answerOf(pending);
    const customer = await atProvider(() => this.#parts.customers.atProvider(caller, orgId));
    return this.#withSession(pending, order.plan, customer);
  }

  /** The state of a checkout, for any member of the paying organization (platform B-8). */
  async status(caller: Caller, sessionId: string): Promise<Subscription> {
    const row = await this.#parts.workflow.transaction(async (tx) => {
      const [found] = await tx.query(sql<Subscription>`
        SELECT * FROM billing_subscription WHERE session_id = ${sessionId}`);
      return found;
    });
    if (row === undefined) throw notFound('Checkout session not found.');
    requireMember(caller, row.org_id);
    return row;
  }

  #ordered(request: CheckoutRequest): Order {
    const config = request.resource_config;
    if (request.resource_type === 'repository') {
      const repository = config['repository_name'];
      if (typeof repository !== 'string' || !this.#parts.plans.isRepository(repository)) {
        throw refused('Unknown repository. Name one of the offering in resource_config.repository_name.');
      }
      const plan = this.#parts.plans.requireOfRepository(repository, request.plan_name);
      return { plan, resourceId: repository, config: { repository_name: repository } };
    }
    if (request.resource_type !== 'graph') throw refused("resource_type must be 'graph' or 'repository'.");
    const plan = this.#parts.plans.ofTier(request.plan_name);
    if (plan === undefined) throw refused(`Unknown plan '${request.plan_name.slice(0, 100)}'.`, 'UNKNOWN_PLAN');
    const graphId = config['graph_id'];
    if (typeof graphId === 'string') return { plan, resourceId: graphId, config: { graph_id: graphId } };
    return { plan, resourceId: null, config: graphRequest(config, plan.name) };
  }

  /** Returns the open checkout for the same purchase, or replaces older ones for it or its resource by a new one. */
  async #pending(tx: Transaction, caller: Caller, order: Order): Promise<Subscription> {
    const { workflow, customers, port } = this.#parts;
    const orgId = caller.orgId ?? '';
    const actor = { type: 'user' as const, id: caller.userId };
    requireRole(await customers.lock(tx, orgId, actor));
    const now = workflow.now();
    const open = await tx.query(sql<Subscription>`
      SELECT * FROM billing_subscription
      WHERE org_id = ${orgId} AND status = 'pending_payment' AND resource_type = ${order.plan.resourceType}
      ORDER BY created_at DESC, id DESC LIMIT 100`);
    const wanted = canonicalText(order.config);
    const alike = open.filter((row) => row.plan_name === order.plan.name && canonicalText(row.config) === wanted);
    const since = new Date(now.getTime() - sameCheckoutSeconds * 1000);
    const same = alike.find(
      (row) => row.created_at > since && (row.session_expires_at === null || row.session_expires_at > now),
    );
    if (same !== undefined) return same;
    const user = order.plan.resourceType === 'repository' ? caller.userId : null;
    for (const row of open) {
      const isOfResource = order.resourceId !== null && row.resource_id === order.resourceId && row.user_id === user;
      if (!isOfResource && !alike.includes(row)) continue;
      await workflow.move(tx, row, 'canceled', actor, { canceled_at: now, ends_at: now, closed_at: now });
    }
    const reservedGraphId = await this.#admitted(tx, caller, order);
    return workflow.open(
      tx,
      {
        org_id: orgId,
        user_id: user,
        resource_type: order.plan.resourceType,
        resource_id: order.resourceId,
        plan_name: order.plan.name,
        base_price_cents: order.plan.priceCents,
        status: 'pending_payment',
        provider: port.provider,
        config: order.config,
        reserved_graph_id: reservedGraphId,
        requested_by: { ...caller, credential: 'system' },
      },
      actor,
    );
  }

  /** Runs the checks that creation runs after payment. Returns the id reserved for a new graph. */
  async #admitted(tx: Transaction, caller: Caller, { plan, resourceId, config }: Order): Promise<string | null> {
    if (resourceId === null) {
      return this.#parts.admission.promise(tx, { caller, request: config, at: ['resource_config'] });
    }
    const isGraph = plan.resourceType === 'graph';
    const known = isGraph
      ? await subscriptionOfGraph(tx, resourceId)
      : await subscriptionOfUser(tx, caller.userId, resourceId);
    if (known === undefined || !isLive(known.status)) return null;
    throw isGraph ? refused('This graph has a subscription.') : alreadySubscribed();
  }

  async #withSession(pending: Subscription, plan: Plan, customer: string): Promise<CheckoutAnswer> {
    const { port, settings, workflow } = this.#parts;
    const session = await atProvider(async () => {
      const price = await port.ensurePrice(this.#parts.plans.priceOf(plan), priceKey(plan));
      const back = `${serviceUrl(settings)}/_billing/return`;
      return port.createCheckout(
        {
          customer,
          price,
          metadata: { subscription_id: pending.id, org_id: pending.org_id },
          successUrl: `${back}?outcome=success`,
          cancelUrl: `${back}?outcome=left`,
        },
        `checkout:${pending.id}`,
      );
    });
    const stored = await workflow.transaction(async (tx) => {
      const row = await lockSubscription(tx, pending.id);
      if (row === undefined) throw new Error(`The subscription ${pending.id} no longer exists.`);
      const facts = { session_id: session.sessionId, session_url: session.url, session_expires_at: session.expiresAt };
      return workflow.note(tx, row, facts);
    });
    return answerOf(stored);
  }
}

/** Platform B-7: only organizations that cannot pay yet need a checkout. */
function requireRole(customer: Customer): void {
  if (customer.invoice_billing_enabled) throw refused('Checkout not required: you pay by invoice.');
  if (customer.has_payment_method) throw refused('Payment method already on file. Create resource directly.');
}

/** Accepts both forms of a graph’s configuration: as in `create-graph`, or its metadata without the nesting. */
function graphRequest(config: Readonly<Record<string, unknown>>, tier: string): Readonly<Record<string, unknown>> {
  if (typeof config['metadata'] === 'object') return { ...config, instance_tier: tier };
  const { graph_name, description, schema_extensions, ...others } = config;
  const metadata = Object.fromEntries(
    Object.entries({ graph_name, description, schema_extensions }).filter(([, value]) => value !== undefined),
  );
  return { ...others, metadata, instance_tier: tier };
}

function withoutCheckout(subscriptionId: string | null, isDisabled: boolean): CheckoutAnswer {
  return {
    checkout_url: null,
    session_id: null,
    subscription_id: subscriptionId,
    requires_checkout: false,
    billing_disabled: isDisabled,
  };
}

function answerOf(row: Subscription): CheckoutAnswer {
  return {
    checkout_url: row.session_url,
    session_id: row.session_id,
    subscription_id: row.id,
    requires_checkout: true,
    billing_disabled: false,
  };
}

/** Produces the same text for equal JSON values, whatever the order of their keys. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
