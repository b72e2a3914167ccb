import {
  BadSignature,
  type CheckoutSession,
  type InvoicePage,
  type PaymentPort,
  type PriceSpec,
  type ProviderSubscription,
  type StoredPaymentMethod,
  type UpcomingCharge,
  type Webhook,
} from '@pacioli/billing';
import Stripe from 'stripe';
import { billOf, upcomingOf } from './bills.ts';
import { idOf, normalized, statusOf } from './webhook.ts';

/** The length of a paid period in days (platform B-5); the provider's months differ in length. */
const periodDays = 30;

const maxCallMs = 20_000;
const maxRetries = 2;
const maxPaymentMethods = 20;

export interface StripeOptions {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** An address other than Stripe's own, such as a double in tests. */
  readonly server?: { readonly host: string; readonly port: number; readonly protocol: 'http' | 'https' };
}

/** Payments through Stripe (platform B-30). */
export function stripePayments(options: StripeOptions): PaymentPort {
  const stripe = new Stripe(options.secretKey, {
    timeout: maxCallMs,
    maxNetworkRetries: maxRetries,
    telemetry: false,
    ...options.server,
  });
  return new StripePayments(stripe, options.webhookSecret);
}

class StripePayments implements PaymentPort {
  readonly provider = 'stripe';
  readonly showsCustomerIds = true;
  readonly #stripe: Stripe;
  readonly #webhookSecret: string;

  constructor(stripe: Stripe, webhookSecret: string) {
    this.#stripe = stripe;
    this.#webhookSecret = webhookSecret;
  }

  async createCustomer(spec: { orgId: string; email: string; name: string }, key: string): Promise<string> {
    const facts = { email: spec.email, name: spec.name, metadata: { org_id: spec.orgId } };
    return (await this.#stripe.customers.create(facts, once(key))).id;
  }

  async ensurePrice(spec: PriceSpec, key: string): Promise<string> {
    const name = ['pacioli', spec.resourceType, spec.repository ?? 'graph', spec.plan];
    const lookupKey = [...name, spec.amount_cents, spec.currency].join('_');
    const earlier = await this.#priceOf(lookupKey);
    if (earlier !== undefined) return earlier;
    try {
      const label = spec.repository === undefined ? spec.plan : `${spec.repository} - ${spec.plan}`;
      const price = await this.#stripe.prices.create(
        {
          currency: spec.currency,
          unit_amount: spec.amount_cents,
          recurring: { interval: 'day', interval_count: periodDays },
          lookup_key: lookupKey,
          product_data: { name: label },
        },
        once(key),
      );
      return price.id;
    } catch (error) {
      // Another process may have created it concurrently.
      const concurrent = await this.#priceOf(lookupKey);
      if (concurrent !== undefined) return concurrent;
      throw error;
    }
  }

  async createCheckout(
    spec: {
      customer: string;
      price: string;
      metadata: Readonly<Record<string, string>>;
      successUrl: string;
      cancelUrl: string;
    },
    key: string,
  ): Promise<CheckoutSession> {
    const session = await this.#stripe.checkout.sessions.create(
      {
        mode: 'subscription',
        customer: spec.customer,
        line_items: [{ price: spec.price, quantity: 1 }],
        metadata: { ...spec.metadata },
        subscription_data: { metadata: { ...spec.metadata } },
        success_url: spec.successUrl,
        cancel_url: spec.cancelUrl,
      },
      once(key),
    );
    if (session.url === null) throw new Error('The payment provider opened a checkout without a page.');
    return { sessionId: session.id, url: session.url, expiresAt: new Date(session.expires_at * 1000) };
  }

  async createSubscription(
    spec: { customer: string; price: string; metadata: Readonly<Record<string, string>> },
    key: string,
  ): Promise<ProviderSubscription> {
    const [method] = await this.listPaymentMethods(spec.customer);
    if (method === undefined) return { id: '', status: 'declined' };
    try {
      const made = await this.#stripe.subscriptions.create(
        {
          customer: spec.customer,
          items: [{ price: spec.price }],
          default_payment_method: method.id,
          metadata: { ...spec.metadata },
          // Nothing is left behind when the first charge fails.
          payment_behavior: 'error_if_incomplete',
        },
        once(key),
      );
      return { id: made.id, status: statusOf(made.status) ?? 'active' };
    } catch (error) {
      if (error instanceof Stripe.errors.StripeCardError) return { id: '', status: 'declined' };
      throw error;
    }
  }

  async changePrice(spec: { subscription: string; price: string; proration: boolean }, key: string): Promise<void> {
    const current = await this.#stripe.subscriptions.retrieve(spec.subscription);
    const item = current.items.data[0];
    if (item === undefined || current.status === 'canceled') throw new Error('This subscription has ended.');
    if (item.price.id === spec.price) return;
    await this.#stripe.subscriptions.update(
      spec.subscription,
      {
        items: [{ id: item.id, price: spec.price }],
        proration_behavior: spec.proration ? 'create_prorations' : 'none',
      },
      once(key),
    );
  }

  async cancel(spec: { subscription: string; atPeriodEnd: boolean; refund?: boolean }, key: string): Promise<void> {
    const current = await this.#subscription(spec.subscription);
    if (current === undefined) return;
    if (current.status !== 'canceled') {
      if (spec.atPeriodEnd) {
        await this.#stripe.subscriptions.update(current.id, { cancel_at_period_end: true }, once(key));
      } else await this.#stripe.subscriptions.cancel(current.id, {}, once(key));
    }
    if (spec.refund === true) await this.#refund(idOf(current.latest_invoice), `${key}:refund`);
  }

  /** Newest first, except that the default comes before all. */
  async listPaymentMethods(customer: string): Promise<readonly StoredPaymentMethod[]> {
    const [owner, methods] = await Promise.all([
      this.#stripe.customers.retrieve(customer),
      this.#stripe.customers.listPaymentMethods(customer, { limit: maxPaymentMethods }),
    ]);
    const chosen = owner.deleted === true ? undefined : idOf(owner.invoice_settings.default_payment_method);
    const standard = methods.data.some(({ id }) => id === chosen) ? chosen : methods.data[0]?.id;
    return methods.data
      .map((method) => ({
        id: method.id,
        type: method.type,
        isDefault: method.id === standard,
        brand: method.card?.brand ?? null,
        last4: method.card?.last4 ?? null,
        expiryMonth: method.card?.exp_month ?? null,
        expiryYear: method.card?.exp_year ?? null,
      }))
      .sort((a, b) => Number(b.isDefault) - Number(a.isDefault));
  }

  async listInvoices(customer: string, limit: number): Promise<InvoicePage> {
    const page = await this.#stripe.invoices.list({ customer, limit });
    return { invoices: page.data.map(billOf), hasMore: page.has_more };
  }

  async upcomingInvoice(customer: string): Promise<UpcomingCharge | null> {
    try {
      return upcomingOf(await this.#stripe.invoices.createPreview({ customer }));
    } catch (error) {
      if (isStripeError(error, 'invoice_upcoming_none')) return null;
      throw error;
    }
  }

  async createPortalSession(spec: { customer: string; returnUrl: string }, key: string): Promise<string> {
    const facts = { customer: spec.customer, return_url: spec.returnUrl };
    return (await this.#stripe.billingPortal.sessions.create(facts, once(key))).url;
  }

  async verifyWebhook(rawBody: string, header: (name: string) => string | undefined): Promise<Webhook> {
    const signature = header('stripe-signature');
    if (signature === undefined) throw new BadSignature('The signature is missing.');
    try {
      return normalized(await this.#stripe.webhooks.constructEventAsync(rawBody, signature, this.#webhookSecret));
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) throw new BadSignature(error.message);
      throw error;
    }
  }

  async #priceOf(lookupKey: string): Promise<string | undefined> {
    const found = await this.#stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 });
    return found.data[0]?.id;
  }

  async #subscription(id: string): Promise<Stripe.Subscription | undefined> {
    try {
      return await this.#stripe.subscriptions.retrieve(id);
    } catch (error) {
      if (isStripeError(error, 'resource_missing')) return undefined;
      throw error;
    }
  }

  /** Refunds the payment of one invoice. */
  async #refund(invoice: string | undefined, key: string): Promise<void> {
    if (invoice === undefined) return;
    const paid = await this.#stripe.invoicePayments.list({ invoice, status: 'paid', limit: 1 });
    const intent = idOf(paid.data[0]?.payment.payment_intent);
    if (intent === undefined) return;
    try {
      await this.#stripe.refunds.create({ payment_intent: intent }, once(key));
    } catch (error) {
      if (!isStripeError(error, 'charge_already_refunded')) throw error;
    }
  }
}

function once(key: string): { idempotencyKey: string } {
  return { idempotencyKey: key };
}

function isStripeError(error: unknown, code: string): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === code;
}
