import { type Ids, type RawBuilder, sql, type Transaction } from '@pacioli/core';
import type { BillingSettings } from '../config.ts';
import type { BillingInvoice } from '../rows.gen.ts';
import {
  type Customers,
  currency,
  daysAfter,
  lockSubscription,
  type Period,
  type Plans,
  type Subscription,
  type SubscriptionWorkflow,
  theSystem,
} from '../subscriptions/index.ts';
import { payInvoice, writeInvoice } from './invoices.ts';

/**
 * An invoice is due this long after its period; this long after the due date, its subscription becomes past due and
 * then unpaid (platform B-33).
 */
const invoiceDueDays = 30;
const pastDueAfterDays = 30;
const unpaidAfterDays = 60;

interface InvoiceBillingParts {
  readonly workflow: SubscriptionWorkflow;
  readonly customers: Customers;
  readonly plans: Plans;
  readonly ids: Ids;
  readonly config: BillingSettings;
}

/**
 * Bills the customers who pay by invoice instead of through a payment provider (platform B-33): writes their invoices,
 * records their payments, and moves subscriptions whose invoices are overdue.
 */
export class InvoiceBilling {
  readonly #parts: InvoiceBillingParts;

  constructor(parts: InvoiceBillingParts) {
    this.#parts = parts;
  }

  /** True if the periods of a subscription are invoiced here. Reads the customer in one statement. */
  async isInvoiced(tx: Transaction, row: Subscription): Promise<boolean> {
    const { customers, config } = this.#parts;
    const customer = await customers.find(tx, row.org_id);
    return config.enabled && row.provider === null && customer?.invoice_billing_enabled === true;
  }

  /** Writes the invoice of an ended period, once. */
  async invoice(tx: Transaction, row: Subscription, period: Period): Promise<void> {
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

  /** Ended subscriptions of invoice customers whose last period has no invoice yet (platform B-33). */
  missingFinalInvoice(): RawBuilder<unknown> {
    return sql`provider IS NULL AND status = 'canceled' AND closed_at IS NOT NULL AND current_period_start IS NOT NULL
      AND ${this.#parts.config.enabled}::boolean
      AND EXISTS (SELECT 1 FROM billing_customer customer
        WHERE customer.org_id = billing_subscription.org_id AND customer.invoice_billing_enabled)
      AND NOT EXISTS (SELECT 1 FROM billing_invoice invoice
        WHERE invoice.subscription_id = billing_subscription.id
          AND invoice.period_start = billing_subscription.current_period_start)`;
  }

  async writeFinalInvoice(row: Subscription): Promise<void> {
    const { current_period_start: start, current_period_end: end } = row;
    if (start === null || end === null) return;
    await this.#parts.workflow.transaction((tx) => this.invoice(tx, row, { start, end }));
  }

  /** Subscriptions with an invoice that is overdue. */
  withOverdueInvoice(): RawBuilder<unknown> {
    const since = daysAfter(this.#parts.workflow.now(), -pastDueAfterDays);
    return sql`provider IS NULL AND status IN ('active', 'past_due', 'unpaid') AND EXISTS (
      SELECT 1 FROM billing_invoice invoice WHERE invoice.subscription_id = billing_subscription.id
        AND invoice.status = 'open' AND invoice.due_at <= ${since})`;
  }

  /** The oldest open invoice determines how far behind a subscription is (platform B-33). */
  async checkOverdue(row: Subscription): Promise<void> {
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
}
