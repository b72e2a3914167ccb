/** The embedded payment provider: state in tables, test cards, pages of its own, and no outside calls. */
export { LocalCharges } from './local-charges.ts';
export { digestOf, LocalPayments } from './local-payments.ts';
export { customerOf, priceOf, sessionOf, testCards } from './local-rows.ts';
export { LocalWebhooks, signatureHeader } from './local-webhooks.ts';
export { checkoutPage, outcomePage, pageHeaders, portalPage, returnPage } from './pages.ts';
