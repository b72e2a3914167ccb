import { defineJob } from '@pacioli/core';
import { distributionServices, InterruptedShares } from '../distribution/index.ts';

export default defineJob({
  name: 'complete-shares',
  summary: 'Completes deliveries of reports that were interrupted.',
  everySeconds: 60,
  maxSeconds: 600,
  services: distributionServices,
  async handle({ ctx, use }) {
    const interrupted = new InterruptedShares(use);
    await interrupted.complete({ now: ctx.now(), signal: ctx.signal });
    await interrupted.removeEnded({ signal: ctx.signal });
  },
});
