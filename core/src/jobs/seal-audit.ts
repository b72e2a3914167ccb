import { auditChains } from '../audit/audit-tables.ts';
import { defineJob } from '../define/job.ts';

/** A turn starts no batch after this time, because the jobs of a service run sequentially. */
const maxTurnSeconds = 10;

export default defineJob({
  name: 'seal-audit',
  summary: 'Seals new audit rows into their hash chain.',
  everySeconds: 60,
  maxSeconds: 55,
  async handle({ ctx }) {
    const stop = AbortSignal.any([ctx.signal, AbortSignal.timeout(maxTurnSeconds * 1_000)]);
    for (const chain of Object.values(auditChains)) {
      // One transaction per batch, so that the lock of the chain is held briefly (platform P-30).
      while (!stop.aborted && (await ctx.store.transaction('kernel', (tx) => chain.seal(tx))) > 0);
    }
  },
});
