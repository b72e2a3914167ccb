/** The port to a payment provider. */
export { canonicalText } from './canonical-text.ts';
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
} from './payment-port.ts';
