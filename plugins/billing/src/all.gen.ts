// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import changeTier from './operations/change-tier.ts';
import cancelOrgSubscription from './routes/cancel-org-subscription.ts';
import cancelRepositorySubscription from './routes/cancel-repository-subscription.ts';
import changeSubscriptionPlan from './routes/change-subscription-plan.ts';
import createCheckoutSession from './routes/create-checkout-session.ts';
import createPortalSession from './routes/create-portal-session.ts';
import createRepositorySubscription from './routes/create-repository-subscription.ts';
import getCheckoutStatus from './routes/get-checkout-status.ts';
import getGraphSubscription from './routes/get-graph-subscription.ts';
import getOrgBillingCustomer from './routes/get-org-billing-customer.ts';
import getOrgSubscription from './routes/get-org-subscription.ts';
import getOrgUpcomingInvoice from './routes/get-org-upcoming-invoice.ts';
import listOrgInvoices from './routes/list-org-invoices.ts';
import listOrgSubscriptions from './routes/list-org-subscriptions.ts';
import payLocalCheckout from './routes/pay-local-checkout.ts';
import receivePaymentWebhook from './routes/receive-payment-webhook.ts';
import showLocalCheckout from './routes/show-local-checkout.ts';
import showLocalPortal from './routes/show-local-portal.ts';
import showLocalReturn from './routes/show-local-return.ts';
import chargeLocalSubscriptions from './jobs/charge-local-subscriptions.ts';
import deliverLocalPaymentNews from './jobs/deliver-local-payment-news.ts';
import handleWebhook from './jobs/handle-webhook.ts';
import moveSubscriptionsOn from './jobs/move-subscriptions-on.ts';
import subscribeCreatedGraph from './jobs/subscribe-created-graph.ts';
import localPaymentNewsEvent from './events/local-payment-news.ts';
import subscriptionChangedEvent from './events/subscription-changed.ts';
import webhookReceivedEvent from './events/webhook-received.ts';

export const all = {
  operations: [changeTier],
  routes: [cancelOrgSubscription, cancelRepositorySubscription, changeSubscriptionPlan, createCheckoutSession, createPortalSession, createRepositorySubscription, getCheckoutStatus, getGraphSubscription, getOrgBillingCustomer, getOrgSubscription, getOrgUpcomingInvoice, listOrgInvoices, listOrgSubscriptions, payLocalCheckout, receivePaymentWebhook, showLocalCheckout, showLocalPortal, showLocalReturn],
  jobs: [chargeLocalSubscriptions, deliverLocalPaymentNews, handleWebhook, moveSubscriptionsOn, subscribeCreatedGraph],
  events: [localPaymentNewsEvent, subscriptionChangedEvent, webhookReceivedEvent],
} as const satisfies PluginParts;
