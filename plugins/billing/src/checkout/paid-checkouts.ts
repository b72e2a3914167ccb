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

/** Handles a checkout that the provider reports as paid or abandoned (platform B-3). */
export class PaidCheckouts {
  readonly #parts: CheckoutParts;

  constructor(parts: CheckoutParts) {
    this.#parts = parts;
  }

  /** Provisions the purchase after payment (platform B-3). */
  async complete(data: WebhookData): Promise<void> {
    const { workflow, customers, port } = this.#parts;
    const row = await workflow.transaction(async (tx) => {
      const found = await subscriptionOfSession(tx, port.provider, data.session ?? '');
      if (found === undefined) return undefined;
      await customers.setPaymentMethod(tx, found.org_id, true, theProvider);
      const patch = { provider_subscription: data.subscription ?? null };
      return (await workflow.move(tx, found, 'checkout-completed', theProvider, patch)) ?? found;
    });
    if (row === undefined) throw new Error(`No subscription is pending for the checkout ${data.session}.`);
    if (row.status === 'provisioning') await this.provision(row);
    else if (row.status === 'canceled') await this.#refundAbandoned(row, data.subscription);
    else if (row.is_refund_due) await this.refund(row);
    await this.#parts.graphs.chargePending(row.org_id);
  }

  /**
   * Starts provisioning a paid purchase, once however often it is called. A refusal fails the subscription and refunds
   * the payment.
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
      const caller = row.requested_by as Caller; // Every checkout stores its caller.
      const run = await operations.start({
        name: 'create-graph',
        caller,
        input: row.config,
        key: row.id,
        requestId: `checkout_${row.id}`,
        ...(row.reserved_graph_id === null ? {} : { params: { graph_id: row.reserved_graph_id } }),
      });
      const graphId = (run.accepted as { graph_id?: unknown } | null)?.graph_id; // The response of create-graph.
      await workflow.transaction(async (tx) => {
        const current = await lockSubscription(tx, row.id);
        if (current?.status !== 'provisioning') return;
        const resource = typeof graphId === 'string' ? { resource_id: graphId } : {};
        await workflow.note(tx, current, { operation_id: run.operationId, ...resource });
      });
    } catch (error) {
      if (!isServiceError(error)) throw error;
      // A temporary limit is no reason to abandon a paid purchase; a later cycle retries it.
      if (error.kind === 'rate_limited' || error.kind === 'unavailable') return;
      await this.provisioningFailed(row.id, error.message);
    }
  }

  /** Records why a paid purchase could not be provisioned and refunds it (platform B-3). */
  async provisioningFailed(subscriptionId: string, reason: string): Promise<void> {
    const { workflow } = this.#parts;
    const row = await workflow.transaction(async (tx) => {
      const current = await lockSubscription(tx, subscriptionId);
      if (current === undefined) return undefined;
      // The graph does not exist, so the row must not name it (platform B-11).
      const patch = { error: reason, resource_id: null, is_refund_due: current.provider_subscription !== null };
      return (await workflow.move(tx, current, 'provisioning-failed', theProvider, patch)) ?? current;
    });
    if (row?.is_refund_due === true) await this.refund(row);
  }

  /** Cancels at the provider with a refund. `is_refund_due` stays set after a failure, and the lifecycle retries. */
  async refund(row: Subscription): Promise<void> {
    const { workflow, port } = this.#parts;
    const subscription = row.provider_subscription;
    if (subscription !== null) {
      await port.cancel({ subscription, atPeriodEnd: false, refund: true }, `give-back:${row.id}`);
    }
    await workflow.transaction((tx) => workflow.note(tx, row, { is_refund_due: false }));
  }

  /** Refunds a checkout that was paid after it had been abandoned. */
  async #refundAbandoned(row: Subscription, subscription: string | undefined): Promise<void> {
    if (subscription === undefined) return;
    const { workflow } = this.#parts;
    const patch = { provider_subscription: subscription, is_refund_due: true };
    await this.refund(await workflow.transaction((tx) => workflow.note(tx, row, patch)));
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
