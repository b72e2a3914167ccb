import { defineJob, kernel, kernelSettings, operationRuns } from '@pacioli/core';
import { refreshStaleGraphs, settleEndedBuilds } from '../refresh/index.ts';

/** A turn starts nothing after this time, because the jobs of a service run one after the other. */
const maxTurnSeconds = 20;

export default defineJob({
  name: 'refresh-stale-graphs',
  summary: 'Materializes stale entity graphs that were not written for 30 seconds, and ends builds without a worker.',
  everySeconds: 10,
  maxSeconds: 60,
  services: { settings: kernelSettings, store: kernel.store, graphs: kernel.graphs, runs: operationRuns },
  async handle({ ctx, use }) {
    const turn = { ...ctx, signal: AbortSignal.any([ctx.signal, AbortSignal.timeout(maxTurnSeconds * 1_000)]) };
    await settleEndedBuilds(use, turn);
    if (use.settings.graphs.autoRefresh) await refreshStaleGraphs(use, turn);
  },
});
