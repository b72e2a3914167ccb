import type {
  Clock,
  EventPublisher,
  GraphAccess,
  GraphAdmission,
  Graphs,
  Ids,
  Store,
  Transaction,
} from '@pacioli/core';
import subscriptionChanged from '../events/subscription-changed.ts';
import { type Actor, BillingAudit, type BillingAuditType } from './billing-audit.ts';
import {
  insertSubscription,
  lockSubscription,
  type NewSubscription,
  type Subscription,
  type SubscriptionPatch,
  updateSubscription,
} from './subscription-rows.ts';
import { gateOf, isLive, type SubscriptionEvent, statusAfter } from './subscription-state.ts';

/** The audit types of events that change a status (platform B-18). */
const auditTypes: Partial<Record<SubscriptionEvent, BillingAuditType>> = {
  'checkout-completed': 'payment_succeeded',
  'checkout-expired': 'subscription_expired',
  'resource-ready': 'subscription_activated',
  charged: 'subscription_activated',
  'charge-failed': 'payment_failed',
  'first-charge-failed': 'payment_failed',
  'retries-exhausted': 'payment_failed',
  paused: 'subscription_paused',
  resumed: 'subscription_resumed',
  canceled: 'subscription_canceled',
  resubscribed: 'subscription_activated',
};

interface WorkflowServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly graphs: Graphs;
  readonly admission: GraphAdmission;
  readonly access: GraphAccess;
  readonly events: EventPublisher;
}

/**
 * The only place where the status of a subscription changes: the row, the access to its graph, the audit and the event
 * are written in one transaction (platform B-2, B-3).
 */
export class SubscriptionWorkflow {
  readonly audit: BillingAudit;
  readonly #parts: WorkflowServices;
  readonly #touched = new WeakMap<Transaction, Set<string>>();

  constructor(parts: WorkflowServices) {
    this.#parts = parts;
    this.audit = new BillingAudit(parts.ids);
  }

  now(): Date {
    return this.#parts.clock.now();
  }

  /** Runs a kernel transaction; changes of access to graphs take effect immediately after it commits. */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const touched = new Set<string>();
    const result = await this.#parts.store.transaction('kernel', async (tx) => {
      this.#touched.set(tx, touched);
      return work(tx);
    });
    for (const graphId of touched) this.#parts.access.forgetGraph(graphId);
    return result;
  }

  /** Inserts a new subscription and opens its graph as the status allows. */
  async open(tx: Transaction, row: Omit<NewSubscription, 'id' | 'created_at'>, actor: Actor): Promise<Subscription> {
    const now = this.now();
    const stored = await insertSubscription(tx, { ...row, id: this.#parts.ids.make('bsub'), created_at: now });
    await this.audit.append(
      tx,
      {
        type: 'subscription_created',
        actor,
        orgId: stored.org_id,
        subscriptionId: stored.id,
        details: { plan: stored.plan_name, status: stored.status, resource_type: stored.resource_type },
      },
      now,
    );
    await this.#applied(tx, stored);
    return stored;
  }

  /**
   * Applies an event to a subscription. An event that does not apply to the status changes nothing and returns
   * undefined, so that repeated and late messages are harmless.
   */
  async move(
    tx: Transaction,
    row: Subscription,
    event: SubscriptionEvent,
    actor: Actor,
    patch: SubscriptionPatch = {},
  ): Promise<Subscription | undefined> {
    // The status may have changed since the row was read.
    const current = await lockSubscription(tx, row.id);
    const status = current === undefined ? undefined : statusAfter(current.status, event);
    if (current === undefined || status === undefined) return undefined;
    const now = this.now();
    const stored = await updateSubscription(tx, current, { ...patch, status }, now);
    const type = auditTypes[event];
    if (type !== undefined) {
      const details = { from: current.status, to: status, plan: stored.plan_name, error: stored.error };
      await this.audit.append(tx, { type, actor, orgId: row.org_id, subscriptionId: row.id, details }, now);
    }
    if (!isLive(status) && stored.reserved_graph_id !== null) {
      await this.#parts.admission.withdraw(tx, stored.reserved_graph_id);
    }
    await this.#applied(tx, stored);
    return stored;
  }

  /** Changes fields of a subscription other than its status. */
  async note(tx: Transaction, row: Subscription, patch: Omit<SubscriptionPatch, 'status'>): Promise<Subscription> {
    const current = (await lockSubscription(tx, row.id)) ?? row;
    const stored = await updateSubscription(tx, current, patch, this.now());
    await this.#applied(tx, stored);
    return stored;
  }

  async #applied(tx: Transaction, row: Subscription): Promise<void> {
    if (row.resource_type === 'graph' && row.resource_id !== null) await this.#applyGate(tx, row, row.resource_id);
    await this.#parts.events.publish(tx, subscriptionChanged, {
      subscription_id: row.id,
      org_id: row.org_id,
      resource_type: row.resource_type,
      resource_id: row.resource_id,
      plan_name: row.plan_name,
      status: row.status,
      user_id: row.user_id,
    });
  }

  /** Platform B-2: applies the access that the status allows to the graph. */
  async #applyGate(tx: Transaction, row: Subscription, graphId: string): Promise<void> {
    const graph = await this.#parts.graphs.find(tx, graphId);
    if (graph === undefined) return;
    const gate = gateOf(row.status, row.closed_at !== null);
    await this.#parts.graphs.setWriteBlock(tx, graphId, gate.block, gate.isPastDue);
    // A payment never restores a graph that was removed or deleted.
    if (graph.status === 'active' || graph.status === 'suspended') {
      await this.#parts.graphs.setStatus(tx, graphId, gate.reads ? 'active' : 'suspended');
    }
    this.#touched.get(tx)?.add(graphId);
  }
}
