export { default as subscriptionChanged } from './events/subscription-changed.ts';
// The payment port, which drivers such as the one for Stripe implement.
export {
  BadSignature,
  type BilledInvoice,
  type CheckoutSession,
  type InvoiceLine,
  type InvoicePage,
  type InvoiceStatus,
  type PaymentPort,
  type PriceSpec,
  type ProviderStatus,
  type ProviderSubscription,
  paymentPort,
  type StoredPaymentMethod,
  type UpcomingCharge,
  type Webhook,
  type WebhookData,
  type WebhookType,
  webhookTypes,
} from './payments/index.ts';
export { default } from './plugin.ts';
export { customers, lifecycle } from './tokens.ts';
