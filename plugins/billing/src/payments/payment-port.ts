import { createToken, type Token, type Transaction } from '@pacioli/core';

/** What a subscription is charged for. */
export interface PriceSpec {
  readonly plan: string;
  readonly resourceType: 'graph' | 'repository';
  readonly repository?: string;
  readonly amount_cents: number;
  readonly currency: string;
  readonly interval: 'monthly';
}

/** A page on which somebody pays; until `expiresAt`. */
export interface CheckoutSession {
  readonly sessionId: string;
  readonly url: string;
  readonly expiresAt: Date;
}

/** How a subscription stands at the provider. `declined` is a first charge that failed; nothing was sold then. */
export type ProviderStatus = 'active' | 'past_due' | 'unpaid' | 'canceled' | 'declined';

export interface ProviderSubscription {
  readonly id: string;
  readonly status: ProviderStatus;
}

export interface StoredPaymentMethod {
  readonly id: string;
  readonly type: string;
  readonly isDefault: boolean;
  readonly brand: string | null;
  readonly last4: string | null;
  readonly expiryMonth: number | null;
  readonly expiryYear: number | null;
}

export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';

export interface InvoiceLine {
  readonly description: string;
  readonly amount_cents: number;
  readonly quantity: number;
  readonly periodStart: Date | null;
  readonly periodEnd: Date | null;
}

export interface BilledInvoice {
  readonly id: string;
  readonly number: string | null;
  readonly status: InvoiceStatus;
  readonly amountDueCents: number;
  readonly amountPaidCents: number;
  /** Lower case, ISO 4217. */
  readonly currency: string;
  readonly createdAt: Date;
  readonly dueAt: Date | null;
  readonly paidAt: Date | null;
  readonly pdfUrl: string | null;
  readonly hostedUrl: string | null;
  /** The provider's id of the subscription. */
  readonly subscription: string | null;
  readonly lines: readonly InvoiceLine[];
}

export interface InvoicePage {
  readonly invoices: readonly BilledInvoice[];
  readonly hasMore: boolean;
}

export interface UpcomingCharge {
  readonly amountDueCents: number;
  readonly currency: string;
  readonly periodStart: Date;
  readonly periodEnd: Date;
  readonly subscription: string | null;
  readonly lines: readonly InvoiceLine[];
}

/** What a provider tells afterwards, in the words of every provider (platform B-31). */
export const webhookTypes = [
  'checkout.completed',
  'checkout.expired',
  'invoice.created',
  'invoice.paid',
  'invoice.payment_failed',
  'subscription.updated',
  'subscription.deleted',
  'payment_method.attached',
  'payment_method.detached',
  'refund.created',
] as const;

export type WebhookType = (typeof webhookTypes)[number];

/** The provider's ids that an event is about; those that do not apply are absent. */
export interface WebhookData {
  readonly session?: string;
  readonly customer?: string;
  readonly subscription?: string;
  readonly invoice?: string;
  /** With `subscription.updated`. */
  readonly status?: ProviderStatus;
}

export interface Webhook {
  readonly id: string;
  /** Undefined for events that mean nothing to us; they are acknowledged and left. */
  readonly type: WebhookType | undefined;
  /** The provider's time of the event; older news never overwrites newer (platform B-31). */
  readonly at: Date;
  readonly data: WebhookData;
}

/** Thrown by `verifyWebhook` for a missing, wrong or old signature. */
export class BadSignature extends Error {}

/**
 * A company that takes payments (platform B-30). Calls that create or change something carry an idempotency key:
 * repeating one with the same key has one effect. A refusal or an unreachable provider is an error that is thrown,
 * and nothing was changed then.
 */
export interface PaymentPort {
  /** Part of the path of its webhooks, and what rows remember. */
  readonly provider: string;
  /** False when the ids of customers mean nothing outside this deployment (platform B-9). */
  readonly showsCustomerIds: boolean;
  createCustomer(spec: { orgId: string; email: string; name: string }, key: string): Promise<string>;
  /** The price of these facts, made when there is none. */
  ensurePrice(spec: PriceSpec, key: string): Promise<string>;
  createCheckout(
    spec: {
      customer: string;
      price: string;
      metadata: Readonly<Record<string, string>>;
      successUrl: string;
      cancelUrl: string;
    },
    key: string,
  ): Promise<CheckoutSession>;
  /** Starts a subscription on the payment method that the customer has; the first charge is tried at once. */
  createSubscription(
    spec: { customer: string; price: string; metadata: Readonly<Record<string, string>> },
    key: string,
  ): Promise<ProviderSubscription>;
  changePrice(spec: { subscription: string; price: string; proration: boolean }, key: string): Promise<void>;
  /**
   * Ends a subscription; one that is gone already is a success. `refund` gives the last charge back. A caller that is
   * inside a kernel transaction passes it on: a provider that keeps its state in the same store works in it, and the
   * others leave it alone.
   */
  cancel(
    spec: { subscription: string; atPeriodEnd: boolean; refund?: boolean },
    key: string,
    within?: Transaction,
  ): Promise<void>;
  listPaymentMethods(customer: string): Promise<readonly StoredPaymentMethod[]>;
  /** Newest first. */
  listInvoices(customer: string, limit: number): Promise<InvoicePage>;
  /** Null when nothing is due. */
  upcomingInvoice(customer: string): Promise<UpcomingCharge | null>;
  createPortalSession(spec: { customer: string; returnUrl: string }, key: string): Promise<string>;
  /** What a provider sent, when its signature is right; throws `BadSignature` otherwise. */
  verifyWebhook(rawBody: string, header: (name: string) => string | undefined): Promise<Webhook>;
}

export const paymentPort: Token<PaymentPort> = createToken('billing.payment-port');
