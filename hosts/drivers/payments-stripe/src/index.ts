export { type StripeOptions, stripePayments } from './stripe-payments.ts';
