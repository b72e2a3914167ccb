import type { ProviderStatus, Webhook, WebhookData } from '@pacioli/billing';
import type Stripe from 'stripe';

/** Maps Stripe's subscription status to the port's; undefined where it does not affect payment. */
export function statusOf(status: string): ProviderStatus | undefined {
  switch (status) {
    case 'active':
    case 'trialing':
      return 'active';
    case 'past_due':
    case 'unpaid':
    case 'canceled':
      return status;
    case 'incomplete':
    case 'incomplete_expired':
      return 'declined';
    default:
      return undefined;
  }
}

/** The id of a reference, which is either an id or the whole object. */
export function idOf(reference: string | { readonly id: string } | null | undefined): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id;
}

/** The subscription that an invoice is for. */
export function subscriptionOf(invoice: Stripe.Invoice): string | undefined {
  return idOf(invoice.parent?.subscription_details?.subscription);
}

/** Converts an event of Stripe to the port's type (platform B-31). */
export function normalized(event: Stripe.Event): Webhook {
  const said = factsOf(event);
  return { id: event.id, at: new Date(event.created * 1000), type: said?.type, data: said?.data ?? {} };
}

function factsOf(event: Stripe.Event): { type: NonNullable<Webhook['type']>; data: WebhookData } | undefined {
  switch (event.type) {
    case 'checkout.session.completed': {
      const { id, customer, subscription } = event.data.object;
      const data = { session: id, customer: idOf(customer), subscription: idOf(subscription) };
      return { type: 'checkout.completed', data: known(data) };
    }
    case 'checkout.session.expired': {
      const { id, customer } = event.data.object;
      return { type: 'checkout.expired', data: known({ session: id, customer: idOf(customer) }) };
    }
    case 'invoice.created':
    case 'invoice.paid':
    case 'invoice.payment_failed': {
      const bill = event.data.object;
      const data = { invoice: bill.id, customer: idOf(bill.customer), subscription: subscriptionOf(bill) };
      return { type: event.type, data: known(data) };
    }
    case 'customer.subscription.updated': {
      const { id, customer, status } = event.data.object;
      const data = { subscription: id, customer: idOf(customer), status: statusOf(status) };
      return { type: 'subscription.updated', data: known(data) };
    }
    case 'customer.subscription.deleted': {
      const { id, customer } = event.data.object;
      return { type: 'subscription.deleted', data: known({ subscription: id, customer: idOf(customer) }) };
    }
    case 'payment_method.attached':
      return { type: 'payment_method.attached', data: known({ customer: idOf(event.data.object.customer) }) };
    case 'payment_method.detached': {
      // The detached object no longer names its customer; the event's previous attributes do.
      const before: unknown = event.data.previous_attributes?.customer;
      return {
        type: 'payment_method.detached',
        data: known({ customer: typeof before === 'string' ? before : undefined }),
      };
    }
    case 'refund.created':
      return { type: 'refund.created', data: {} };
    default:
      return undefined;
  }
}

/** Leaves out undefined properties. */
function known(data: { readonly [K in keyof WebhookData]: WebhookData[K] | undefined }): WebhookData {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}
