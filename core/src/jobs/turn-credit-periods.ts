import { turnDuePeriods } from '../credits/period-turns.ts';
import { defineJob } from '../define/job.ts';
import { eventPublisher } from '../services/events.ts';
import { kernel } from '../services/kernel-tokens.ts';

export default defineJob({
  name: 'turn-credit-periods',
  summary: 'Replaces the remaining credits with the allocation of a new month, or of 30 days for subscribers.',
  everySeconds: 600,
  maxSeconds: 300,
  services: { store: kernel.store, clock: kernel.clock, ids: kernel.ids, events: eventPublisher },
  async handle({ ctx, use }) {
    const pools = await turnDuePeriods(use, ctx.signal);
    if (pools > 0) ctx.log.info('credit pools have begun a new period', { pools });
  },
});
