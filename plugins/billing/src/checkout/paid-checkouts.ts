import { type Caller, isServiceError, type OperationRuns } from '@pacioli/core';
import type { PaymentPort, WebhookData } from '../payments/index.ts';
import {
  beginningAt,
  type Customers,
  type GraphSubscriptions,
  lockSubscription,
  type RepositoryGrants,
  type Subscription,
  type SubscriptionWorkflow,
  subscriptionOfSession,
  theProvider,
} from '../subscriptions/index.ts';

interface CheckoutParts {
  readonly workflow: SubscriptionWorkflow;
  readonly customers: Customers;
  readonly port: PaymentPort;
  readonly operations: OperationRuns;
  readonly graphs: GraphSubscriptions;
  readonly grants: RepositoryGrants;
}

/** What happens to a checkout when its provider says that it was paid or given up (platform B-3). */
export class PaidCheckouts {
  readonly #parts: CheckoutParts;

  constructor(parts: CheckoutParts) {
    this.#parts = parts;
  }

  /** The money is there; what was bought is made now (platform B-3). */
  async complete(data: WebhookData): Promise<void> {
    const { workflow, customers, port } = this.#parts;
    const row = await workflow.transaction(async (tx) => {
      const found = await subscriptionOfSession(tx, port.provider, data.session ?? '');
      if (found === undefined) return undefined;
      await customers.setPaymentMethod(tx, found.org_id, true, theProvider);
      const patch = { provider_subscription: data.subscription ?? null };
      return (await workflow.move(tx, found, 'checkout-completed', theProvider, patch)) ?? found;
    });
    if (row === undefined) throw new Error(`No subscription waits for the checkout ${data.session}.`);
    if (row.status === 'provisioning') await this.provision(row);
    else if (row.status === 'canceled') await this.#owe(row, data.subscription);
    else if (row.is_refund_due) await this.giveBack(row);
    await this.#parts.graphs.chargePending(row.org_id);
  }

  /**
   * Starts the making of what was paid for, once however often it is asked. A refusal fails the subscription and gives
   * the money back.
   */
  async provision(row: Subscription): Promise<void> {
    const { workflow, operations, grants } = this.#parts;
    if (row.resource_type === 'repository' || typeof row.config?.['graph_id'] === 'string') {
      await workflow.transaction(async (tx) => {
        const current = await lockSubscription(tx, row.id);
        if (current === undefined) return;
        const ready = await workflow.move(tx, current, 'resource-ready', theProvider, beginningAt(workflow.now()));
        if (ready !== undefined) await grants.admit(tx, ready);
      });
      return;
    }
    if (row.operation_id !== null) return;
    try {
      const caller = row.requested_by as Caller; // Stored with every checkout.
      const run = await operations.start({
        name: 'create-graph',
        caller,
        input: row.config,
        key: row.id,
        requestId: `checkout_${row.id}`,
        ...(row.reserved_graph_id === null ? {} : { params: { graph_id: row.reserved_graph_id } }),
      });
      const graphId = (run.accepted as { graph_id?: unknown } | null)?.graph_id; // What create-graph accepts with.
      await workflow.transaction(async (tx) => {
        const current = await lockSubscription(tx, row.id);
        if (current?.status !== 'provisioning') return;
        const resource = typeof graphId === 'string' ? { resource_id: graphId } : {};
        await workflow.note(tx, current, { operation_id: run.operationId, ...resource });
      });
    } catch (error) {
      if (!isServiceError(error)) throw error;
      // Too much is under way at the moment, which is no reason to give up what was paid for; it is tried again.
      if (error.kind === 'rate_limited' || error.kind === 'unavailable') return;
      await this.provisioningFailed(row.id, error.message);
    }
  }

  /** What was paid for could not be made: the money goes back, and the reason stays (platform B-3). */
  async provisioningFailed(subscriptionId: string, reason: string): Promise<void> {
    const { workflow } = this.#parts;
    const row = await workflow.transaction(async (tx) => {
      const current = await lockSubscription(tx, subscriptionId);
      if (current === undefined) return undefined;
      // No graph is there, so that none is named (platform B-11).
      const patch = { error: reason, resource_id: null, is_refund_due: current.provider_subscription !== null };
      return (await workflow.move(tx, current, 'provisioning-failed', theProvider, patch)) ?? current;
    });
    if (row?.is_refund_due === true) await this.giveBack(row);
  }

  /** Asks the provider to give back what was paid, until it has; the lifecycle asks again where this fails. */
  async giveBack(row: Subscription): Promise<void> {
    const { workflow, port } = this.#parts;
    const subscription = row.provider_subscription;
    if (subscription !== null) {
      await port.cancel({ subscription, atPeriodEnd: false, refund: true }, `give-back:${row.id}`);
    }
    await workflow.transaction((tx) => workflow.note(tx, row, { is_refund_due: false }));
  }

  /** A checkout that was paid after it had been given up. */
  async #owe(row: Subscription, subscription: string | undefined): Promise<void> {
    if (subscription === undefined) return;
    const { workflow } = this.#parts;
    const patch = { provider_subscription: subscription, is_refund_due: true };
    await this.giveBack(await workflow.transaction((tx) => workflow.note(tx, row, patch)));
  }

  async expire(data: WebhookData): Promise<void> {
    const { workflow, port } = this.#parts;
    await workflow.transaction(async (tx) => {
      const row = await subscriptionOfSession(tx, port.provider, data.session ?? '');
      const now = workflow.now();
      const patch = { canceled_at: now, ends_at: now, closed_at: now };
      if (row !== undefined) await workflow.move(tx, row, 'checkout-expired', theProvider, patch);
    });
  }
}
