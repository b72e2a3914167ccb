import { type GraphRemovals, type Log, type OperationRuns, sql } from '@pacioli/core';
import type { PaidCheckouts } from '../checkout/index.ts';
import type { InvoiceBilling } from '../invoices/index.ts';
import {
  type Cancellations,
  daysAfter,
  type GraphSubscriptions,
  lockGraphBilling,
  lockSubscription,
  nextPeriod,
  type RepositoryGrants,
  type Subscription,
  type SubscriptionWorkflow,
  subscriptionsWhere,
  theSystem,
} from '../subscriptions/index.ts';

/** The number of days for which a suspended graph can be restored (platform B-4). */
const restorableDays = 7;

/** The age at which an unfinished checkout expires (platform B-3). */
const maxCheckoutHours = 24;

/** An unpaid subscription is canceled after this time (our choice; platform B-3 does not specify one). */
const maxUnpaidDays = 30;

/** The most periods of one subscription that a cycle catches up on after the worker was down. */
const maxPeriodsPerCycle = 12;

const hourMs = 3_600_000;

interface LifecycleParts {
  readonly workflow: SubscriptionWorkflow;
  readonly removals: GraphRemovals;
  readonly operations: OperationRuns;
  readonly cancellations: Cancellations;
  readonly grants: RepositoryGrants;
  readonly invoiceBilling: InvoiceBilling;
  readonly checkouts: PaidCheckouts;
  readonly subscriptions: GraphSubscriptions;
  readonly log: Log;
}

/**
 * Changes subscriptions as time passes: closes, renews, invoices, expires and cancels them. A job calls `runCycle`
 * every few minutes. Rows are selected without a lock, so a step checks the locked row again or is idempotent;
 * a step that failed is repeated in the next cycle.
 */
export class Lifecycle {
  readonly #parts: LifecycleParts;

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
  }

  /** Runs every step once for the subscriptions that are due for it. */
  async runCycle(signal: AbortSignal): Promise<void> {
    const { invoiceBilling } = this.#parts;
    const steps: readonly [ReturnType<typeof sql>, (row: Subscription) => Promise<void>][] = [
      [this.#dueToClose(), (row) => this.#close(row)],
      [this.#dueForDeprovisioning(), (row) => this.#deprovision(row)],
      [this.#abandonedCheckouts(), (row) => this.#expireCheckout(row)],
      [sql`status = 'provisioning' AND resource_type = 'graph'`, (row) => this.#checkProvisioning(row)],
      [this.#dueForRenewal(), (row) => this.#renew(row)],
      [invoiceBilling.missingFinalInvoice(), (row) => invoiceBilling.writeFinalInvoice(row)],
      [invoiceBilling.withOverdueInvoice(), (row) => invoiceBilling.checkOverdue(row)],
      [sql`is_refund_due`, (row) => this.#parts.checkouts.refund(row)],
      [this.#unpaidTooLong(), (row) => this.#cancelUnpaid(row)],
    ];
    for (const [condition, step] of steps) {
      const rows = await this.#parts.workflow.transaction((tx) => subscriptionsWhere(tx, condition));
      for (const row of rows) {
        if (signal.aborted) return;
        // A failure for one subscription must not block the others.
        await step(row).catch((error: unknown) => {
          this.#parts.log.error('a subscription could not be advanced', { subscription: row.id, error });
        });
      }
    }
  }

  /** Records that the operator received the payment of an invoice (platform B-33); false if it is not open. */
  markPaid(invoiceId: string): Promise<boolean> {
    return this.#parts.invoiceBilling.markPaid(invoiceId);
  }

  #dueToClose() {
    return sql`status = 'canceled' AND closed_at IS NULL AND ends_at <= ${this.#parts.workflow.now()}`;
  }

  /**
   * Closes a canceled subscription when the paid time is over (platform B-4): `closed_at` makes the workflow suspend
   * the graph; access to a repository is revoked.
   */
  async #close(row: Subscription): Promise<void> {
    const { workflow } = this.#parts;
    await workflow.transaction(async (tx) => {
      const current = await lockSubscription(tx, row.id);
      if (current?.status !== 'canceled' || current.closed_at !== null) return;
      const now = workflow.now();
      await workflow.note(tx, current, { closed_at: now });
      const subject = { orgId: row.org_id, subscriptionId: row.id };
      await workflow.audit.append(tx, { type: 'subscription_expired', actor: theSystem, ...subject }, now);
      if (row.resource_type === 'repository' && row.user_id !== null && row.resource_id !== null) {
        const grant = { userId: row.user_id, repository: row.resource_id };
        await this.#parts.grants.revoke(tx, grant, 'subscription ended');
      }
    });
  }

  /** Matches subscriptions that ended long enough ago and whose graph was not subscribed to again (platform B-4). */
  #dueForDeprovisioning() {
    const now = this.#parts.workflow.now();
    return sql`resource_type = 'graph' AND resource_id IS NOT NULL AND status = 'canceled'
      AND closed_at IS NOT NULL AND deprovisioned_at IS NULL
      AND (cancellation_type = 'immediate' OR ends_at <= ${daysAfter(now, -restorableDays)})
      AND NOT EXISTS (SELECT 1 FROM billing_subscription newer
        WHERE newer.resource_type = 'graph' AND newer.resource_id = billing_subscription.resource_id
          AND newer.created_at > billing_subscription.created_at
          AND (newer.started_at IS NOT NULL OR newer.status NOT IN ('canceled', 'failed')))`;
  }

  async #deprovision(row: Subscription): Promise<void> {
    const { workflow, removals } = this.#parts;
    const graphId = row.resource_id;
    if (graphId === null) return;
    await workflow.transaction(async (tx) => {
      // The lock excludes a concurrent resubscription. If the customer resubscribed before it, the graph stays.
      await lockGraphBilling(tx, graphId);
      const current = await lockSubscription(tx, row.id);
      const [stillDue] = await tx.query(sql`
        SELECT 1 AS is_due FROM billing_subscription WHERE id = ${row.id} AND ${this.#dueForDeprovisioning()}`);
      if (current === undefined || stillDue === undefined) return;
      await removals.request(tx, graphId, 'system');
      await workflow.note(tx, current, { deprovisioned_at: workflow.now() });
    });
  }

  #abandonedCheckouts() {
    const since = new Date(this.#parts.workflow.now().getTime() - maxCheckoutHours * hourMs);
    return sql`status = 'pending_payment' AND created_at <= ${since}`;
  }

  async #expireCheckout(row: Subscription): Promise<void> {
    const { workflow } = this.#parts;
    await workflow.transaction(async (tx) => {
      const current = await lockSubscription(tx, row.id);
      const now = workflow.now();
      const patch = { canceled_at: now, ends_at: now, closed_at: now };
      if (current !== undefined) await workflow.move(tx, current, 'checkout-expired', theSystem, patch);
    });
  }

  /** The event of a created graph activates its subscription; this check finds failed runs and missed events. */
  async #checkProvisioning(row: Subscription): Promise<void> {
    const { workflow, operations, checkouts, subscriptions } = this.#parts;
    const { operation_id: operationId } = row;
    if (operationId === null) return checkouts.provision(row);
    const state = await workflow.transaction((tx) => operations.state(tx, operationId));
    if (state?.status === 'completed' && row.resource_id !== null) await subscriptions.graphCreated(row.resource_id);
    else if (state === undefined || state.status === 'failed' || state.status === 'cancelled') {
      await checkouts.provisioningFailed(row.id, state?.error ?? 'The graph could not be created.');
    }
  }

  #dueForRenewal() {
    return sql`status IN ('active', 'past_due', 'upgrading') AND current_period_end <= ${this.#parts.workflow.now()}`;
  }

  /**
   * Starts the next period where the last one ended, so that dates do not drift, and invoices the ended period for
   * customers who pay by invoice (platform B-5, B-33).
   */
  async #renew(row: Subscription): Promise<void> {
    const { workflow, invoiceBilling } = this.#parts;
    await workflow.transaction(async (tx) => {
      let current = await lockSubscription(tx, row.id);
      const isInvoiced = await invoiceBilling.isInvoiced(tx, row);
      for (let count = 0; count < maxPeriodsPerCycle; count += 1) {
        const now = workflow.now();
        if (current?.current_period_start == null || current.current_period_end === null) return;
        if (current.current_period_end > now) return;
        const ended = { start: current.current_period_start, end: current.current_period_end };
        if (isInvoiced) await invoiceBilling.invoice(tx, current, ended);
        const period = nextPeriod(ended);
        current = await workflow.note(tx, current, {
          current_period_start: period.start,
          current_period_end: period.end,
        });
      }
    });
  }

  #unpaidTooLong() {
    return sql`status = 'unpaid' AND updated_at <= ${daysAfter(this.#parts.workflow.now(), -maxUnpaidDays)}`;
  }

  /**
   * Cancels a subscription that stayed unpaid (platform B-3, B-4). It is recorded as 'period_end' although it ends now,
   * because after an 'immediate' cancellation the graph could not be restored.
   */
  async #cancelUnpaid(row: Subscription): Promise<void> {
    const { workflow, cancellations } = this.#parts;
    await cancellations.atProvider(row, 'immediate');
    await workflow.transaction(async (tx) => {
      const current = await lockSubscription(tx, row.id);
      const now = workflow.now();
      const patch = { canceled_at: now, ends_at: now, cancellation_type: 'period_end' as const };
      if (current?.status === 'unpaid') await workflow.move(tx, current, 'canceled', theSystem, patch);
    });
  }
}
