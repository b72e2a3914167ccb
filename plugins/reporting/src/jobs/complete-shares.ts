import { defineJob } from '@pacioli/core';
import { Distribution, distributionServices } from '../distribution/index.ts';

export default defineJob({
  name: 'complete-shares',
  summary: 'Completes deliveries of reports that were interrupted.',
  everySeconds: 60,
  maxSeconds: 600,
  services: distributionServices,
  async handle({ ctx, use }) {
    await new Distribution(use).completeInterrupted({ now: ctx.now(), signal: ctx.signal });
  },
});
