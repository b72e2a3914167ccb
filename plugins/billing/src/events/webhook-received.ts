import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** A payment provider's message was stored and waits to be acted on. */
export default defineEvent(
  'billing.webhook-received',
  model('WebhookReceived', { provider: Type.String(), event_id: Type.String() }),
);
