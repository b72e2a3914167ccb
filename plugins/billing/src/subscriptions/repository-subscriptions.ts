import {
  type Caller,
  type Graphs,
  type Ids,
  notFound,
  type OrgDirectory,
  requireGraphId,
  ServiceError,
  type Transaction,
  type VerifiedUsers,
} from '@pacioli/core';
import type { BillingSettings } from '../config.ts';
import type { PaymentPort } from '../payments/index.ts';
import type { Actor } from './billing-audit.ts';
import type { Cancellations, CancelRequest } from './cancellations.ts';
import type { Customers } from './customers.ts';
import { type GraphSubscriptions, noGraphOfYours } from './graph-subscriptions.ts';
import { type Plan, type Plans, priceKey } from './plans.ts';
import {
  alreadySubscribed,
  atProvider,
  paymentRequired,
  refused,
  requireOwner,
  requireOwnerOrAdmin,
} from './refusals.ts';
import type { RepositoryGrants } from './repository-grants.ts';
import { lockSubscription, type Subscription, subscriptionOfUser } from './subscription-rows.ts';
import { beginningAt, isLive } from './subscription-state.ts';
import type { SubscriptionWorkflow } from './subscription-workflow.ts';

interface RepositoryParts {
  readonly workflow: SubscriptionWorkflow;
  readonly customers: Customers;
  readonly plans: Plans;
  readonly port: PaymentPort;
  readonly ids: Ids;
  readonly config: BillingSettings;
  readonly verifiedUsers: VerifiedUsers;
  readonly members: OrgDirectory;
  readonly graphs: Graphs;
  readonly charges: GraphSubscriptions;
  readonly cancellations: Cancellations;
  readonly grants: RepositoryGrants;
}

/** Individual access to shared repositories, billed to the user’s organization (platform B-13 to B-15). */
export class RepositorySubscriptions {
  readonly #parts: RepositoryParts;

  constructor(parts: RepositoryParts) {
    this.#parts = parts;
  }

  /** Subscribes the caller or, for owners and admins, another member. Charges immediately. */
  async subscribe(
    caller: Caller,
    repository: string,
    request: { readonly plan_name: string; readonly user_id?: string | null },
  ): Promise<Subscription> {
    const { workflow, customers, plans, config, port } = this.#parts;
    this.#requireRepository(repository, 'The subscription of a graph is created automatically with the graph.');
    const plan = plans.requireOfRepository(repository, request.plan_name);
    const actor: Actor = { type: 'user', id: caller.userId };
    const row = await workflow.transaction(async (tx) => {
      await this.#parts.verifiedUsers.requireVerified(tx, caller.userId);
      const { orgId, userId } = await this.#target(tx, caller, request.user_id);
      const customer = await customers.lock(tx, orgId, actor);
      const earlier = await subscriptionOfUser(tx, userId, repository);
      // Retries a subscription whose provider could not be reached; its key prevents a second charge.
      if (earlier?.status === 'pending' && earlier.plan_name === plan.name) return earlier;
      if (earlier !== undefined && isLive(earlier.status)) throw alreadySubscribed();
      if (!(await customers.canPay(tx, orgId))) {
        throw paymentRequired('Payment method required. Start a checkout with POST /v1/billing/checkout first.');
      }
      const isCharged = config.enabled && !customer.invoice_billing_enabled;
      const facts = {
        org_id: orgId,
        user_id: userId,
        resource_type: 'repository' as const,
        resource_id: repository,
        plan_name: plan.name,
        base_price_cents: plan.priceCents,
      };
      if (isCharged) return workflow.open(tx, { ...facts, status: 'pending', provider: port.provider }, actor);
      const active = await workflow.open(tx, { ...facts, ...beginningAt(workflow.now()), status: 'active' }, actor);
      await this.#parts.grants.admit(tx, active);
      return active;
    });
    return row.status === 'active' ? row : this.#charged(row);
  }

  /**
   * Switches to another plan of the same repository immediately; the provider charges the difference (platform B-14).
   */
  async changePlan(
    caller: Caller,
    repository: string,
    request: { readonly new_plan_name: string; readonly user_id?: string | null },
  ): Promise<Subscription> {
    const path = `/v1/graphs/${repository}/operations/change-tier`;
    this.#requireRepository(repository, `Change the tier of a graph with POST ${path}.`);
    requireOwner(caller, caller.orgId ?? '');
    const plan = this.#parts.plans.requireOfRepository(repository, request.new_plan_name);
    const row = await this.#parts.workflow.transaction(async (tx) => {
      const { userId } = await this.#target(tx, caller, request.user_id);
      return this.#requireOf(tx, userId, repository);
    });
    requireChange(row, plan);
    await this.#changePrice(row, plan);
    return this.#parts.workflow.transaction(async (tx) => {
      const current = await lockSubscription(tx, row.id);
      if (current === undefined) throw notFound('Subscription not found.');
      requireChange(current, plan);
      const facts = { plan_name: plan.name, base_price_cents: plan.priceCents };
      const changed = await this.#parts.workflow.note(tx, current, facts);
      await this.#parts.grants.admit(tx, changed);
      const type = plan.priceCents > row.base_price_cents ? 'plan_upgraded' : 'plan_downgraded';
      const details = { from: row.plan_name, to: plan.name };
      const subject = { orgId: row.org_id, subscriptionId: row.id, details };
      const actor: Actor = { type: 'user', id: caller.userId };
      await this.#parts.workflow.audit.append(tx, { type, actor, ...subject }, this.#parts.workflow.now());
      return changed;
    });
  }

  /** Ends the caller’s own subscription or, for owners and admins, another member’s (platform B-15). */
  async cancel(
    caller: Caller,
    repository: string,
    request: CancelRequest & { readonly user_id?: string | null },
  ): Promise<Subscription> {
    this.#requireRepository(repository, 'Delete a graph with its delete-graph operation.');
    const row = await this.#parts.workflow.transaction(async (tx) => {
      const { userId } = await this.#target(tx, caller, request.user_id);
      return this.#requireOf(tx, userId, repository);
    });
    return this.#parts.cancellations.cancel(row, request, { type: 'user', id: caller.userId });
  }

  /** The caller's own subscription; 404 without one (platform B-16). */
  async own(caller: Caller, repository: string): Promise<Subscription> {
    return this.#parts.workflow.transaction((tx) => this.#requireOf(tx, caller.userId, repository));
  }

  /**
   * Accepts a repository or a graph of the caller's organization. 422 for an invalid id, 403 for unknown graphs and
   * those of other organizations. Routes call it before the body is validated.
   */
  async requireRepositoryOrOwnGraph(caller: Caller, id: string): Promise<void> {
    const { plans, workflow, graphs } = this.#parts;
    if (plans.isRepository(id)) return;
    requireGraphId(id);
    const graph = await workflow.transaction((tx) => graphs.find(tx, id));
    if (graph === undefined || graph.orgId !== caller.orgId) throw noGraphOfYours();
  }

  /** 400 for a graph, with a hint at the endpoint for graphs. */
  #requireRepository(id: string, hint: string): void {
    if (!this.#parts.plans.isRepository(id)) throw refused(hint);
  }

  async #requireOf(tx: Transaction, userId: string, repository: string): Promise<Subscription> {
    const row = await subscriptionOfUser(tx, userId, repository);
    if (row === undefined) throw notFound(`No subscription found for ${repository}`);
    return row;
  }

  /** The subscriber: the caller or another member of the same organization (platform P-21). */
  async #target(tx: Transaction, caller: Caller, userId: string | null | undefined) {
    const orgId = caller.orgId;
    if (orgId === undefined) throw new ServiceError('forbidden', 'FORBIDDEN', 'You belong to no organization.');
    if (userId == null || userId === caller.userId) return { orgId, userId: caller.userId };
    requireOwnerOrAdmin(caller, orgId);
    const role = await this.#parts.members.roleOf(tx, orgId, userId);
    if (role === undefined) throw notFound('This user is not a member of your organization.');
    return { orgId, userId };
  }

  async #charged(row: Subscription): Promise<Subscription> {
    const charged = await atProvider(() => this.#parts.charges.charge(row));
    if (charged.status !== 'active') throw paymentRequired('The card on file was declined. Replace it and try again.');
    return charged;
  }

  async #changePrice(row: Subscription, plan: Plan): Promise<void> {
    const { port, plans, ids } = this.#parts;
    const subscription = row.provider_subscription;
    if (subscription === null) return;
    await atProvider(async () => {
      const price = await port.ensurePrice(plans.priceOf(plan), priceKey(plan));
      await port.changePrice({ subscription, price, proration: true }, ids.make('change'));
    });
  }
}

/** A plan can change only while it is paid, and only to a different plan (platform B-14). */
function requireChange(row: Subscription, plan: Plan): void {
  if (row.status !== 'active') throw refused(`Only an active subscription can be changed; this one is ${row.status}.`);
  if (row.plan_name === plan.name) throw refused('Already on this plan.');
}
