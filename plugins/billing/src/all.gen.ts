// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import localPaymentNewsEvent from './events/local-payment-news.ts';
import subscriptionChangedEvent from './events/subscription-changed.ts';
import webhookReceivedEvent from './events/webhook-received.ts';

export const all = {
  events: [localPaymentNewsEvent, subscriptionChangedEvent, webhookReceivedEvent],
} as const satisfies PluginParts;
