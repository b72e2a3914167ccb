import { defineJob } from '../define/job.ts';
import { graphRemovals } from './graph-removals.ts';

export default defineJob({
  name: 'remove-graphs',
  summary: 'Removes the data of deleted graphs, after their final backups.',
  everySeconds: 30,
  services: { removals: graphRemovals },
  maxSeconds: 600,
  async handle({ ctx, use }) {
    await use.removals.runDue(ctx.signal);
  },
});
