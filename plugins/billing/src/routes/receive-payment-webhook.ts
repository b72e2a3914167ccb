import { defineRoute, model, requestFacts } from '@pacioli/core';
import { Type } from 'typebox';
import { billing } from '../providers.ts';

const path = 'POST /admin/v1/webhooks/{provider}';

export default defineRoute({
  name: 'receive-payment-webhook',
  path,
  summary: 'Receives signed messages of the payment provider.',
  openapi: { id: 'receive_payment_webhook', tag: 'billing' },
  hidden: true,
  category: null,
  // The signature authenticates the sender; verifying it costs time, hence the limit (platform R-6).
  limit: { maxCalls: 120, seconds: 60, per: 'ip' },
  auth: [],
  rawBody: true,
  answers: { 200: model('WebhookAccepted', { received: Type.Boolean() }) },
  fails: [400, 404, 413, 429, 500],
  services: { billing },
  errors: { INVALID_SIGNATURE: { kind: 'refused', meaning: 'The signature of the message is not valid, or too old.' } },
  async handle({ params, ctx, use }) {
    await use.billing.webhooks.receive(
      params.provider,
      ctx.rawBody,
      (name) => ctx.header(name),
      requestFacts(ctx, path),
    );
    return { received: true };
  },
});
