import { defineJob } from '@pacioli/core';
import webhookReceived from '../events/webhook-received.ts';
import { billing } from '../providers.ts';

export default defineJob({
  name: 'handle-webhook',
  summary: 'Processes a stored message of a payment provider.',
  on: webhookReceived,
  services: { billing },
  maxSeconds: 60,
  async handle({ payload, use }) {
    await use.billing.webhooks.handle(payload.provider, payload.event_id);
  },
});
