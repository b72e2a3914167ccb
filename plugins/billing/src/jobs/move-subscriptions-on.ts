import { defineJob } from '@pacioli/core';
import { billing } from '../providers.ts';

export default defineJob({
  name: 'move-subscriptions-on',
  summary: 'Ends, renews and expires subscriptions that are due.',
  // Platform B-4 requires a run within an hour, and within ten minutes of an immediate end.
  everySeconds: 300,
  services: { billing },
  maxSeconds: 240,
  async handle({ ctx, use }) {
    await use.billing.lifecycle.runCycle(ctx.signal);
    await use.billing.tierChanges.settleLost();
  },
});
