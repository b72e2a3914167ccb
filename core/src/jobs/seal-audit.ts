import { auditChains } from '../audit/audit-chains.ts';
import { defineJob } from '../define/job.ts';

/** After so long a turn begins no further batch: the jobs of a service run one after the other. */
const maxTurnSeconds = 10;

export default defineJob({
  name: 'seal-audit',
  summary: 'Chains the rows of the audit records by hashes.',
  everySeconds: 60,
  maxSeconds: 55,
  async handle({ ctx }) {
    const stop = AbortSignal.any([ctx.signal, AbortSignal.timeout(maxTurnSeconds * 1_000)]);
    for (const chain of Object.values(auditChains)) {
      // Platform P-30: a transaction for each batch, so that nobody waits long for the chain.
      while (!stop.aborted && (await ctx.store.transaction('kernel', (tx) => chain.seal(tx))) > 0);
    }
  },
});
