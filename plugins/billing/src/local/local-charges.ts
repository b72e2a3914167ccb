import { type Clock, type Ids, type Log, type Store, sql, type Transaction } from '@pacioli/core';
import { payInvoice, writeInvoice } from '../invoices/index.ts';
import type { BillingLocalSession, BillingLocalSubscription } from '../rows.gen.ts';
import { daysAfter, nextPeriod, type Period, periodFrom } from '../subscriptions/index.ts';
import {
  customerOf,
  insertLocalSubscription,
  type LocalPrice,
  localSubscription,
  priceOf,
  sessionOf,
  type TestCard,
} from './local-rows.ts';
import type { LocalWebhooks } from './local-webhooks.ts';

/** The interval and number of retries for a failed charge. */
const retryDays = 3;
const maxRetries = 3;

/** The maximum number of subscriptions and sessions per cycle. */
const maxRowsPerTurn = 200;

interface ChargeParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly webhooks: LocalWebhooks;
}

export type PaymentOutcome = 'paid' | 'declined' | 'closed';

/** The payments of the embedded provider: on request for checkouts, and monthly for subscriptions. */
export class LocalCharges {
  readonly #parts: ChargeParts;

  constructor(parts: ChargeParts) {
    this.#parts = parts;
  }

  /** Pays a checkout with a test card. A declined card leaves the checkout open for another attempt. */
  async pay(
    sessionId: string,
    card: TestCard,
  ): Promise<{ outcome: PaymentOutcome; session: BillingLocalSession | undefined }> {
    return this.#parts.store.transaction('kernel', async (tx) => {
      const now = this.#parts.clock.now();
      const session = await sessionOf(tx, sessionId);
      if (session === undefined || session.state !== 'open' || session.expires_at <= now) {
        return { outcome: 'closed' as const, session };
      }
      if (card === 'decline') return { outcome: 'declined' as const, session };
      const customer = await customerOf(tx, session.customer);
      await tx.query(sql`UPDATE billing_local_customer SET card = ${card} WHERE id = ${customer.id}`);
      await tx.query(sql`UPDATE billing_local_session SET state = 'complete' WHERE id = ${session.id}`);
      const subscription = this.#parts.ids.make('psub');
      const price = await priceOf(tx, session.price);
      const period = periodFrom(now);
      await insertLocalSubscription(tx, { id: subscription, customer: customer.id, price: price.id, period });
      const invoice = await this.#invoice(tx, { orgId: customer.org_id, subscription, period, price, isPaid: true });
      const { webhooks } = this.#parts;
      await webhooks.tell(tx, 'payment_method.attached', { customer: customer.id });
      await webhooks.tell(tx, 'checkout.completed', { session: session.id, customer: customer.id, subscription });
      await webhooks.tell(tx, 'invoice.paid', { customer: customer.id, subscription, invoice });
      return { outcome: 'paid' as const, session };
    });
  }

  /** Expires old checkouts and charges due subscriptions. Repeatable; each row in its own transaction. */
  async runCycle(signal: AbortSignal): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#expireSessions(now);
    const due = await this.#parts.store.transaction('kernel', (tx) =>
      tx.query(sql<Pick<BillingLocalSubscription, 'id'>>`
        SELECT id FROM billing_local_subscription
        WHERE (status = 'active' AND period_end <= ${now}) OR (status = 'past_due' AND retry_at <= ${now})
        ORDER BY period_end, id LIMIT ${maxRowsPerTurn}`),
    );
    for (const { id } of due) {
      if (signal.aborted) return;
      await this.#parts.store.transaction('kernel', async (tx) => {
        const row = await localSubscription(tx, id);
        if (row !== undefined) await this.#chargeDue(tx, row, now);
      });
    }
  }

  async #expireSessions(now: Date): Promise<void> {
    await this.#parts.store.transaction('kernel', async (tx) => {
      const gone = await tx.query(sql<Pick<BillingLocalSession, 'id' | 'customer'>>`
        UPDATE billing_local_session SET state = 'expired' WHERE id IN (
          SELECT id FROM billing_local_session WHERE state = 'open' AND expires_at <= ${now} LIMIT ${maxRowsPerTurn})
        RETURNING id, customer`);
      for (const { id, customer } of gone) {
        await this.#parts.webhooks.tell(tx, 'checkout.expired', { session: id, customer });
      }
      await tx.query(sql`DELETE FROM billing_local_portal WHERE expires_at <= ${now}`);
    });
  }

  async #chargeDue(tx: Transaction, row: BillingLocalSubscription, now: Date): Promise<void> {
    const { webhooks } = this.#parts;
    const isRetry = row.status === 'past_due' && row.retry_at !== null && row.retry_at <= now;
    if (!isRetry && !(row.status === 'active' && row.period_end <= now)) return;
    if (row.ends_with_period) {
      await tx.query(sql`UPDATE billing_local_subscription SET status = 'canceled' WHERE id = ${row.id}`);
      await webhooks.tell(tx, 'subscription.deleted', { customer: row.customer, subscription: row.id });
      return;
    }
    const customer = await customerOf(tx, row.customer);
    const price = await priceOf(tx, row.price);
    const period = isRetry
      ? { start: row.period_start, end: row.period_end }
      : nextPeriod({ start: row.period_start, end: row.period_end });
    const isPaid = customer.card === 'ok';
    const charged = { ...price, amount_cents: Math.max(0, price.amount_cents + row.proration_cents) };
    const facts = { orgId: customer.org_id, subscription: row.id, period, price: charged, isPaid };
    const invoice = await this.#invoice(tx, facts);
    const data = { customer: customer.id, subscription: row.id, invoice };
    if (isPaid) {
      if (isRetry) await payInvoice(tx, invoice, now);
      await tx.query(sql`
        UPDATE billing_local_subscription SET status = 'active', period_start = ${period.start},
          period_end = ${period.end}, failed_charges = 0, retry_at = NULL, proration_cents = 0 WHERE id = ${row.id}`);
      await webhooks.tell(tx, 'invoice.paid', data);
      return;
    }
    const failures = row.failed_charges + 1;
    const isOver = failures > maxRetries;
    await tx.query(sql`
      UPDATE billing_local_subscription SET status = ${isOver ? 'unpaid' : 'past_due'}, period_start = ${period.start},
        period_end = ${period.end}, failed_charges = ${failures}, proration_cents = 0,
        retry_at = ${isOver ? null : daysAfter(now, retryDays)} WHERE id = ${row.id}`);
    await webhooks.tell(tx, 'invoice.payment_failed', data);
    if (isOver) await webhooks.tell(tx, 'subscription.updated', { ...data, status: 'unpaid' });
  }

  async #invoice(
    tx: Transaction,
    facts: { orgId: string; subscription: string; period: Period; price: LocalPrice; isPaid: boolean },
  ): Promise<string> {
    const { id } = await writeInvoice(
      tx,
      this.#parts.ids,
      {
        orgId: facts.orgId,
        providerSubscription: facts.subscription,
        amount_cents: facts.price.amount_cents,
        currency: facts.price.currency,
        description: facts.price.label,
        period: facts.period,
        isPaid: facts.isPaid,
        dueAt: facts.isPaid ? null : facts.period.start,
      },
      this.#parts.clock.now(),
    );
    return id;
  }
}
