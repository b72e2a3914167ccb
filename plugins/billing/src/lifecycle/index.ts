/** Changes over time: unpaid subscriptions, renewals, and messages of the payment provider. */
export { Lifecycle } from './lifecycle.ts';
export { Webhooks } from './webhooks.ts';
