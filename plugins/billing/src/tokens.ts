import { createToken, type Token } from '@pacioli/core';
import type { Checkouts, PaidCheckouts } from './checkout/index.ts';
import type { InvoiceReads } from './invoices/index.ts';
import type { Lifecycle, Webhooks } from './lifecycle/index.ts';
import type { LocalCharges } from './local/local-charges.ts';
import type { LocalWebhooks } from './local/local-webhooks.ts';
import type {
  Cancellations,
  Customers,
  GraphSubscriptions,
  Plans,
  RepositoryGrants,
  RepositorySubscriptions,
  SubscriptionReads,
  SubscriptionWorkflow,
  TierChanges,
} from './subscriptions/index.ts';

export const subscriptionWorkflow: Token<SubscriptionWorkflow> = createToken('billing.subscription-workflow');
export const plans: Token<Plans> = createToken('billing.plans');
export const customers: Token<Customers> = createToken('billing.customers');
export const graphSubscriptions: Token<GraphSubscriptions> = createToken('billing.graph-subscriptions');
export const repositoryGrants: Token<RepositoryGrants> = createToken('billing.repository-grants');
export const repositorySubscriptions: Token<RepositorySubscriptions> = createToken('billing.repository-subscriptions');
export const cancellations: Token<Cancellations> = createToken('billing.cancellations');
export const checkouts: Token<Checkouts> = createToken('billing.checkouts');
export const paidCheckouts: Token<PaidCheckouts> = createToken('billing.paid-checkouts');
export const webhooks: Token<Webhooks> = createToken('billing.webhooks');
export const lifecycle: Token<Lifecycle> = createToken('billing.lifecycle');
export const tierChanges: Token<TierChanges> = createToken('billing.tier-changes');
export const subscriptionReads: Token<SubscriptionReads> = createToken('billing.subscription-reads');
export const invoiceReads: Token<InvoiceReads> = createToken('billing.invoice-reads');
export const localWebhooks: Token<LocalWebhooks> = createToken('billing.local-webhooks');
export const localCharges: Token<LocalCharges> = createToken('billing.local-charges');
