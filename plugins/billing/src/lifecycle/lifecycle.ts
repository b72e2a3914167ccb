import { type Graphs, type Ids, type Log, type OperationRuns, sql } from '@pacioli/core';
import type { PaidCheckouts } from '../checkout/index.ts';
import type { BillingSettings } from '../config.ts';
import { payInvoice, writeInvoice } from '../invoices/index.ts';
import type { BillingInvoice } from '../rows.gen.ts';
import {
  type Cancellations,
  type Customers,
  currency,
  daysAfter,
  type GraphSubscriptions,
  lockGraphBilling,
  lockSubscription,
  nextPeriod,
  type Plans,
  type RepositoryGrants,
  type Subscription,
  type SubscriptionWorkflow,
  subscriptionsWhere,
  theSystem,
} from '../subscriptions/index.ts';
import type { DeprovisioningStep } from './deprovisioning.ts';

/** The number of days for which a suspended graph can be restored (platform B-4). */
const restorableDays = 7;

/** The age at which an unfinished checkout expires (platform B-3). */
const maxCheckoutHours = 24;

/**
 * An invoice is due this long after its period; this long after the due date, its subscription becomes past due and
 * then unpaid (platform B-33).
 */
const invoiceDueDays = 30;
const pastDueAfterDays = 30;
const unpaidAfterDays = 60;

/** An unpaid subscription is canceled after this time (our choice; platform B-3 does not specify one). */
const maxUnpaidDays = 30;

/** The most periods of one subscription that a cycle catches up on after the worker was down. */
const maxPeriodsPerCycle = 12;

const hourMs = 3_600_000;

interface LifecycleParts {
  readonly workflow: SubscriptionWorkflow;
  readonly customers: Customers;
  readonly plans: Plans;
  readonly graphs: Graphs;
  readonly ids: Ids;
  readonly config: BillingSettings;
  readonly operations: OperationRuns;
  readonly cancellations: Cancellations;
  readonly grants: RepositoryGrants;
  readonly checkouts: PaidCheckouts;
  readonly subscriptions: GraphSubscriptions;
  readonly steps: readonly DeprovisioningStep[];
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
    const steps: readonly [ReturnType<typeof sql>, (row: Subscription) => Promise<void>][] = [
      [this.#dueToClose(), (row) => this.#close(row)],
      [this.#dueForDeprovisioning(), (row) => this.#deprovision(row)],
      [this.#abandonedCheckouts(), (row) => this.#expireCheckout(row)],
      [sql`status = 'provisioning' AND resource_type = 'graph'`, (row) => this.#checkProvisioning(row)],
      [this.#dueForRenewal(), (row) => this.#renew(row)],
      [this.#missingFinalInvoice(), (row) => this.#writeFinalInvoice(row)],
      [this.#withOverdueInvoice(), (row) => this.#checkOverdue(row)],
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

  /**
   * Records that the operator received the payment of an invoice (platform B-33), and reactivates the subscription
   * when no other invoice keeps it past due. Returns false if the invoice is not open.
   */
  async markPaid(invoiceId: string): Promise<boolean> {
    const { workflow } = this.#parts;
    return workflow.transaction(async (tx) => {
      const now = workflow.now();
      if (!(await payInvoice(tx, invoiceId, now))) return false;
      const [row] = await tx.query(sql<Pick<BillingInvoice, 'subscription_id'>>`
        SELECT subscription_id FROM billing_invoice WHERE id = ${invoiceId}`);
      const subscription = row?.subscription_id == null ? undefined : await lockSubscription(tx, row.subscription_id);
      const details = { invoice: invoiceId };
      const subject = subscription === undefined ? {} : { orgId: subscription.org_id, subscriptionId: subscription.id };
      await workflow.audit.append(tx, { type: 'invoice_paid', actor: { type: 'admin' }, ...subject, details }, now);
      if (subscription === undefined) return true;
      const [overdue] = await tx.query(sql<{ readonly due_at: NonNullable<BillingInvoice['due_at']> }>`
        SELECT due_at FROM billing_invoice WHERE subscription_id = ${subscription.id} AND status = 'open'
          AND due_at <= ${daysAfter(now, -pastDueAfterDays)} LIMIT 1`);
      if (overdue === undefined) await workflow.move(tx, subscription, 'charged', { type: 'admin' });
      return true;
    });
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
    const { workflow, graphs, steps } = this.#parts;
    const graphId = row.resource_id;
    if (graphId === null) return;
    for (const step of steps) await step.beforeDeprovisioning({ graphId, orgId: row.org_id, now: workflow.now() });
    await workflow.transaction(async (tx) => {
      // The lock excludes a concurrent resubscription. If the customer resubscribed before it, the graph stays.
      await lockGraphBilling(tx, graphId);
      const current = await lockSubscription(tx, row.id);
      const [stillDue] = await tx.query(sql`
        SELECT 1 AS is_due FROM billing_subscription WHERE id = ${row.id} AND ${this.#dueForDeprovisioning()}`);
      if (current === undefined || stillDue === undefined) return;
      const graph = await graphs.find(tx, graphId);
      if (graph?.status === 'active' || graph?.status === 'suspended') {
        await graphs.setStatus(tx, graphId, 'deprovisioned');
      }
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
    const { workflow, customers, config } = this.#parts;
    await workflow.transaction(async (tx) => {
      let current = await lockSubscription(tx, row.id);
      const customer = await customers.find(tx, row.org_id);
      const isInvoiced = config.enabled && row.provider === null && customer?.invoice_billing_enabled === true;
      for (let count = 0; count < maxPeriodsPerCycle; count += 1) {
        const now = workflow.now();
        if (current?.current_period_start == null || current.current_period_end === null) return;
        if (current.current_period_end > now) return;
        const ended = { start: current.current_period_start, end: current.current_period_end };
        if (isInvoiced) await this.#invoice(tx, current, ended);
        const period = nextPeriod(ended);
        current = await workflow.note(tx, current, {
          current_period_start: period.start,
          current_period_end: period.end,
        });
      }
    });
  }

  /** Ended subscriptions of invoice customers whose last period has no invoice yet (platform B-33). */
  #missingFinalInvoice() {
    return sql`provider IS NULL AND status = 'canceled' AND closed_at IS NOT NULL AND current_period_start IS NOT NULL
      AND ${this.#parts.config.enabled}::boolean
      AND EXISTS (SELECT 1 FROM billing_customer customer
        WHERE customer.org_id = billing_subscription.org_id AND customer.invoice_billing_enabled)
      AND NOT EXISTS (SELECT 1 FROM billing_invoice invoice
        WHERE invoice.subscription_id = billing_subscription.id
          AND invoice.period_start = billing_subscription.current_period_start)`;
  }

  async #writeFinalInvoice(row: Subscription): Promise<void> {
    const { current_period_start: start, current_period_end: end } = row;
    if (start === null || end === null) return;
    await this.#parts.workflow.transaction((tx) => this.#invoice(tx, row, { start, end }));
  }

  async #invoice(
    tx: Parameters<typeof writeInvoice>[0],
    row: Subscription,
    period: { start: Date; end: Date },
  ): Promise<void> {
    const { workflow, ids, plans } = this.#parts;
    const now = workflow.now();
    const invoice = {
      orgId: row.org_id,
      subscriptionId: row.id,
      amount_cents: row.base_price_cents,
      currency,
      description: plans.displayNameOf(row),
      period,
      isPaid: false,
      dueAt: daysAfter(period.end, invoiceDueDays),
    };
    const { id, isNew } = await writeInvoice(tx, ids, invoice, now);
    const subject = { orgId: row.org_id, subscriptionId: row.id, details: { invoice: id } };
    if (isNew) await workflow.audit.append(tx, { type: 'invoice_generated', actor: theSystem, ...subject }, now);
  }

  #withOverdueInvoice() {
    const since = daysAfter(this.#parts.workflow.now(), -pastDueAfterDays);
    return sql`provider IS NULL AND status IN ('active', 'past_due', 'unpaid') AND EXISTS (
      SELECT 1 FROM billing_invoice invoice WHERE invoice.subscription_id = billing_subscription.id
        AND invoice.status = 'open' AND invoice.due_at <= ${since})`;
  }

  /** The oldest open invoice determines how far behind a subscription is (platform B-33). */
  async #checkOverdue(row: Subscription): Promise<void> {
    const { workflow } = this.#parts;
    await workflow.transaction(async (tx) => {
      const [oldest] = await tx.query(sql<
        Pick<BillingInvoice, 'id'> & { readonly due_at: NonNullable<BillingInvoice['due_at']> }
      >`
        SELECT id, due_at FROM billing_invoice WHERE subscription_id = ${row.id} AND status = 'open'
        ORDER BY due_at LIMIT 1`);
      const now = workflow.now();
      if (oldest === undefined || daysAfter(oldest.due_at, pastDueAfterDays) > now) return;
      const isUnpaid = daysAfter(oldest.due_at, unpaidAfterDays) <= now;
      const current = await lockSubscription(tx, row.id);
      if (current === undefined) return;
      const event = isUnpaid ? 'retries-exhausted' : 'charge-failed';
      const moved = await workflow.move(tx, current, event, theSystem);
      const subject = { orgId: row.org_id, subscriptionId: row.id, details: { invoice: oldest.id } };
      if (moved !== undefined)
        await workflow.audit.append(tx, { type: 'invoice_overdue', actor: theSystem, ...subject }, now);
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
