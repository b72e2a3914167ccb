import { defineJob } from '@pacioli/core';
import { lifecycle, tierChanges } from '../tokens.ts';

export default defineJob({
  name: 'move-subscriptions-on',
  summary: 'Ends, renews and expires subscriptions that are due.',
  // Platform B-4 requires a run within an hour, and within ten minutes of an immediate end.
  everySeconds: 300,
  services: { lifecycle, tierChanges },
  maxSeconds: 240,
  async handle({ ctx, use }) {
    await use.lifecycle.runCycle(ctx.signal);
    await use.tierChanges.settleLost();
  },
});
