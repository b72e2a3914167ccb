import { defineJob } from '@pacioli/core';
import localPaymentNews from '../events/local-payment-news.ts';
import { signatureHeader } from '../local/index.ts';
import { billing, localProvider } from '../providers.ts';

export default defineJob({
  name: 'deliver-local-payment-news',
  summary: 'Delivers messages of the embedded payment provider to the webhook, signed like those of any provider.',
  on: localPaymentNews,
  services: { localProvider, billing },
  maxSeconds: 60,
  async handle({ payload, use }) {
    const rawBody = JSON.stringify(payload);
    const signature = use.localProvider.webhooks.sign(rawBody);
    const header = (name: string): string | undefined => (name === signatureHeader ? signature : undefined);
    await use.billing.webhooks.receive('local', rawBody, header, { endpoint: 'the embedded payment provider' });
  },
});
