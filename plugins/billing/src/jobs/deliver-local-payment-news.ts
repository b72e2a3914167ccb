import { defineJob } from '@pacioli/core';
import localPaymentNews from '../events/local-payment-news.ts';
import { signatureHeader } from '../local/local-webhooks.ts';
import { localWebhooks, webhooks } from '../tokens.ts';

export default defineJob({
  name: 'deliver-local-payment-news',
  summary: 'Delivers messages of the embedded payment provider to the webhook, signed like those of any provider.',
  on: localPaymentNews,
  services: { localWebhooks, webhooks },
  maxSeconds: 60,
  async handle({ payload, use }) {
    const rawBody = JSON.stringify(payload);
    const signature = use.localWebhooks.sign(rawBody);
    const header = (name: string): string | undefined => (name === signatureHeader ? signature : undefined);
    await use.webhooks.receive('local', rawBody, header, { endpoint: 'the embedded payment provider' });
  },
});
