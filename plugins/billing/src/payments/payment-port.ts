import { createToken, type Token, type Transaction } from '@pacioli/core';

/** The price of a subscription. */
export interface PriceSpec {
  readonly plan: string;
  readonly resourceType: 'graph' | 'repository';
  readonly repository?: string;
  readonly amount_cents: number;
  readonly currency: string;
  readonly interval: 'monthly';
}

/** A payment page, valid until `expiresAt`. */
export interface CheckoutSession {
  readonly sessionId: string;
  readonly url: string;
  readonly expiresAt: Date;
}

/** The provider’s status of a subscription. `declined` means that the first charge failed and nothing was sold. */
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
  /** ISO 4217 in lowercase. */
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

/** The webhook messages, in terms common to all providers (platform B-31). */
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

/** The provider’s ids related to an event; those that do not apply are absent. */
export interface WebhookData {
  readonly session?: string;
  readonly customer?: string;
  readonly subscription?: string;
  readonly invoice?: string;
  /** Set for `subscription.updated`. */
  readonly status?: ProviderStatus;
}

export interface Webhook {
  readonly id: string;
  /** Undefined for irrelevant events, which are acknowledged and ignored. */
  readonly type: WebhookType | undefined;
  /** The provider’s time of the event; an older event never overwrites a newer one (platform B-31). */
  readonly at: Date;
  readonly data: WebhookData;
}

/** Thrown by `verifyWebhook` for a missing, wrong or old signature. */
export class BadSignature extends Error {}

/**
 * A payment company (platform B-30). Calls that create or change something carry an idempotency key: repeating a call
 * with the same key has one effect. A refusal or an unreachable provider throws an error and changes nothing.
 */
export interface PaymentPort {
  /** Identifies the provider in webhook paths and stored rows. */
  readonly provider: string;
  /** False if customer ids have no meaning outside this deployment (platform B-9). */
  readonly showsCustomerIds: boolean;
  createCustomer(spec: { orgId: string; email: string; name: string }, key: string): Promise<string>;
  /** Finds or creates the price with these properties. */
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
  /** Starts a subscription on the customer’s payment method and attempts the first charge immediately. */
  createSubscription(
    spec: { customer: string; price: string; metadata: Readonly<Record<string, string>> },
    key: string,
  ): Promise<ProviderSubscription>;
  changePrice(spec: { subscription: string; price: string; proration: boolean }, key: string): Promise<void>;
  /**
   * Ends a subscription; succeeds if it has already ended. `refund` returns the last charge. A caller inside a kernel
   * transaction passes it as `within`: a provider that keeps its state in the same store works in that transaction,
   * others ignore it.
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
  /** Parses a message with a valid signature; throws `BadSignature` otherwise. */
  verifyWebhook(rawBody: string, header: (name: string) => string | undefined): Promise<Webhook>;
}

export const paymentPort: Token<PaymentPort> = createToken('billing.payment-port');
