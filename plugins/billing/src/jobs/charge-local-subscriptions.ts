import { defineJob } from '@pacioli/core';
import { paymentPort } from '../payments/index.ts';
import { localProvider } from '../providers.ts';

export default defineJob({
  name: 'charge-local-subscriptions',
  summary: 'Charges due subscriptions, retries failed charges and expires checkouts of the embedded payment provider.',
  everySeconds: 300,
  services: { localProvider, paymentPort },
  maxSeconds: 240,
  async handle({ ctx, use }) {
    if (use.paymentPort.provider === 'local') await use.localProvider.charges.runCycle(ctx.signal);
  },
});
