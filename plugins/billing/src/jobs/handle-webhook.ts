import { defineJob } from '@pacioli/core';
import webhookReceived from '../events/webhook-received.ts';
import { webhooks } from '../tokens.ts';

export default defineJob({
  name: 'handle-webhook',
  summary: 'Processes a stored message of a payment provider.',
  on: webhookReceived,
  services: { webhooks },
  maxSeconds: 60,
  async handle({ payload, use }) {
    await use.webhooks.handle(payload.provider, payload.event_id);
  },
});
