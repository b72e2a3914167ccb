import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** A message of a payment provider was stored and is waiting to be processed. */
export default defineEvent(
  'billing.webhook-received',
  model('WebhookReceived', { provider: Type.String(), event_id: Type.String() }),
);
