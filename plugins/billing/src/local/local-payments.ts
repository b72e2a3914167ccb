import { createHash, randomBytes } from 'node:crypto';
import { type Clock, type Ids, type Store, sql, type Transaction } from '@pacioli/core';
import { invoicesOfOrg, voidLatestInvoice, writeInvoice } from '../invoices/index.ts';
import type {
  CheckoutSession,
  InvoicePage,
  PaymentPort,
  PriceSpec,
  ProviderSubscription,
  StoredPaymentMethod,
  UpcomingCharge,
  Webhook,
} from '../payments/index.ts';
import type { BillingLocalCustomer, BillingLocalPrice, BillingLocalSubscription } from '../rows.gen.ts';
import { nextPeriod, periodFrom } from '../subscriptions/index.ts';
import { customerOf, insertLocalSubscription, localSubscription, once, priceOf } from './local-rows.ts';
import type { LocalWebhooks } from './local-webhooks.ts';

/** The lifetime of a checkout. */
const sessionHours = 24;

/** The lifetime of a portal link. */
const portalHours = 1;

const sessionMs = sessionHours * 3_600_000;
const portalMs = portalHours * 3_600_000;

export interface LocalParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The URL of the service, which serves the pages of a checkout. */
  readonly serviceUrl: string;
  readonly webhooks: LocalWebhooks;
}

/** The embedded provider: no outside calls, state in tables and deterministic test cards (platform B-32). */
export class LocalPayments implements PaymentPort {
  readonly provider = 'local';
  readonly showsCustomerIds = false;
  readonly #parts: LocalParts;

  constructor(parts: LocalParts) {
    this.#parts = parts;
  }

  async createCustomer(spec: { orgId: string; email: string; name: string }, key: string): Promise<string> {
    return this.#once(key, async (tx, now) => {
      const id = this.#parts.ids.make('cus');
      const [row] = await tx.query(sql<Pick<BillingLocalCustomer, 'id'>>`
        INSERT INTO billing_local_customer (id, org_id, email, name, created_at)
        VALUES (${id}, ${spec.orgId}, ${spec.email}, ${spec.name}, ${now})
        ON CONFLICT (org_id) DO UPDATE SET email = excluded.email, name = excluded.name RETURNING id`);
      return row?.id ?? id;
    });
  }

  async ensurePrice(spec: PriceSpec): Promise<string> {
    const facts = [spec.resourceType, spec.repository ?? '', spec.plan, spec.amount_cents, spec.currency].join(' ');
    const label = spec.repository === undefined ? spec.plan : `${spec.repository} - ${spec.plan}`;
    return this.#parts.store.transaction('kernel', async (tx) => {
      const [row] = await tx.query(sql<Pick<BillingLocalPrice, 'id'>>`
        INSERT INTO billing_local_price (id, facts, label, amount_cents, currency)
        VALUES (${this.#parts.ids.make('price')}, ${facts}, ${label}, ${spec.amount_cents}, ${spec.currency})
        ON CONFLICT (facts) DO UPDATE SET label = excluded.label RETURNING id`);
      if (row === undefined) throw new Error('A price was not stored.');
      return row.id;
    });
  }

  async createCheckout(
    spec: { customer: string; price: string; successUrl: string; cancelUrl: string },
    key: string,
  ): Promise<CheckoutSession> {
    const made = await this.#once(key, async (tx, now) => {
      // The id alone opens the page, so it must not be guessable.
      const id = `cs_${randomBytes(24).toString('base64url')}`;
      const expiresAt = new Date(now.getTime() + sessionMs);
      await customerOf(tx, spec.customer);
      await tx.query(sql`
        INSERT INTO billing_local_session (id, customer, price, success_url, cancel_url, state, expires_at)
        VALUES (${id}, ${spec.customer}, ${spec.price}, ${spec.successUrl}, ${spec.cancelUrl}, 'open', ${expiresAt})`);
      return { sessionId: id, expiresAt: expiresAt.toISOString() };
    });
    return {
      sessionId: made.sessionId,
      url: `${this.#parts.serviceUrl}/_billing/checkout/${made.sessionId}`,
      expiresAt: new Date(made.expiresAt),
    };
  }

  async createSubscription(spec: { customer: string; price: string }, key: string): Promise<ProviderSubscription> {
    return this.#once(key, async (tx, now): Promise<ProviderSubscription> => {
      const customer = await customerOf(tx, spec.customer);
      const price = await priceOf(tx, spec.price);
      const id = this.#parts.ids.make('psub');
      if (customer.card !== 'ok') return { id, status: 'declined' };
      const period = periodFrom(now);
      await insertLocalSubscription(tx, { id, customer: customer.id, price: price.id, period });
      const invoice = { orgId: customer.org_id, providerSubscription: id, period, isPaid: true, dueAt: null };
      const facts = { amount_cents: price.amount_cents, currency: price.currency, description: price.label };
      await writeInvoice(tx, this.#parts.ids, { ...invoice, ...facts }, now);
      return { id, status: 'active' };
    });
  }

  async changePrice(spec: { subscription: string; price: string; proration: boolean }, key: string): Promise<void> {
    await this.#once(key, async (tx, now) => {
      const row = await localSubscription(tx, spec.subscription);
      if (row === undefined || row.status === 'canceled') throw new Error('This subscription has ended.');
      const [before, after] = [await priceOf(tx, row.price), await priceOf(tx, spec.price)];
      const left = Math.max(0, row.period_end.getTime() - now.getTime());
      const share = left / (row.period_end.getTime() - row.period_start.getTime());
      const difference = spec.proration ? Math.round((after.amount_cents - before.amount_cents) * share) : 0;
      await tx.query(sql`
        UPDATE billing_local_subscription SET price = ${after.id}, proration_cents = proration_cents + ${difference}
        WHERE id = ${row.id}`);
      return true;
    });
  }

  async cancel(
    spec: { subscription: string; atPeriodEnd: boolean; refund?: boolean },
    key: string,
    within?: Transaction,
  ): Promise<void> {
    const work = async (tx: Transaction): Promise<boolean> => {
      const row = await localSubscription(tx, spec.subscription);
      if (row === undefined || row.status === 'canceled') return false;
      await (spec.atPeriodEnd
        ? tx.query(sql`UPDATE billing_local_subscription SET ends_with_period = true WHERE id = ${row.id}`)
        : tx.query(sql`UPDATE billing_local_subscription SET status = 'canceled' WHERE id = ${row.id}`));
      if (spec.refund === true && (await voidLatestInvoice(tx, row.id))) {
        await this.#parts.webhooks.tell(tx, 'refund.created', { subscription: row.id });
      }
      return true;
    };
    // A second transaction inside the caller’s could wait for the caller forever.
    if (within === undefined) await this.#once(key, work);
    else await once(within, key, this.#parts.clock.now(), () => work(within));
  }

  async listPaymentMethods(customer: string): Promise<readonly StoredPaymentMethod[]> {
    const { card } = await this.#parts.store.transaction('kernel', (tx) => customerOf(tx, customer));
    if (card === null) return [];
    const year = this.#parts.clock.now().getUTCFullYear();
    const facts = { type: 'card', isDefault: true, brand: 'test', last4: '0000', expiryMonth: 12 };
    return [{ id: `pm_${card}`, ...facts, expiryYear: card === 'expire' ? year : year + 5 }];
  }

  async listInvoices(customer: string, limit: number): Promise<InvoicePage> {
    return this.#parts.store.transaction('kernel', async (tx) =>
      invoicesOfOrg(tx, (await customerOf(tx, customer)).org_id, { limit, isOwn: false }),
    );
  }

  async upcomingInvoice(customer: string): Promise<UpcomingCharge | null> {
    const [next] = await this.#parts.store.transaction('kernel', (tx) =>
      tx.query(sql<
        Pick<BillingLocalSubscription, 'id' | 'period_start' | 'period_end' | 'proration_cents'> &
          Pick<BillingLocalPrice, 'amount_cents' | 'currency' | 'label'>
      >`
        SELECT s.id, s.period_start, s.period_end, s.proration_cents, p.amount_cents, p.currency, p.label
        FROM billing_local_subscription s JOIN billing_local_price p ON p.id = s.price
        WHERE s.customer = ${customer} AND s.status IN ('active', 'past_due') AND NOT s.ends_with_period
        ORDER BY s.period_end, s.id LIMIT 1`),
    );
    if (next === undefined) return null;
    const period = nextPeriod({ start: next.period_start, end: next.period_end });
    const amount = Math.max(0, next.amount_cents + next.proration_cents);
    const line = { description: next.label, amount_cents: amount, quantity: 1 };
    return {
      amountDueCents: amount,
      currency: next.currency,
      periodStart: period.start,
      periodEnd: period.end,
      subscription: next.id,
      lines: [{ ...line, periodStart: period.start, periodEnd: period.end }],
    };
  }

  async createPortalSession(spec: { customer: string }): Promise<string> {
    const token = randomBytes(24).toString('base64url');
    const expiresAt = new Date(this.#parts.clock.now().getTime() + portalMs);
    await this.#parts.store.transaction('kernel', async (tx) => {
      await customerOf(tx, spec.customer);
      await tx.query(sql`
        INSERT INTO billing_local_portal (digest, customer, expires_at)
        VALUES (${digestOf(token)}, ${spec.customer}, ${expiresAt})`);
    });
    return `${this.#parts.serviceUrl}/_billing/portal/${token}`;
  }

  async verifyWebhook(rawBody: string, header: (name: string) => string | undefined): Promise<Webhook> {
    return this.#parts.webhooks.verify(rawBody, header);
  }

  #once<T>(key: string, work: (tx: Transaction, now: Date) => Promise<T>): Promise<T> {
    const now = this.#parts.clock.now();
    return this.#parts.store.transaction('kernel', (tx) => once(tx, key, now, () => work(tx, now)));
  }
}

/** Portal links are stored as digests, so that a copy of the table opens nothing. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
