import { credits } from '../credits/credits.ts';
import { defineJob } from '../define/job.ts';

export default defineJob({
  name: 'release-unsettled-credits',
  summary: 'Releases credits that were reserved for model calls but never settled.',
  everySeconds: 60,
  maxSeconds: 60,
  services: { credits },
  async handle({ ctx, use }) {
    const calls = await use.credits.releaseUnsettled();
    if (calls > 0) ctx.log.warn('credits of unsettled model calls were released', { calls });
  },
});
