import { defineJob, kernel, kernelSettings, operationRuns } from '@pacioli/core';
import { refreshStaleGraphs, releaseEndedBuilds } from '../refresh/index.ts';

/** Starts nothing after this time, so that other scheduled jobs of the process are not delayed. */
const maxTurnSeconds = 20;

export default defineJob({
  name: 'refresh-stale-graphs',
  summary: 'Materializes stale entity graphs that were not written for 30 seconds, and ends builds without a worker.',
  everySeconds: 10,
  maxSeconds: 60,
  services: { settings: kernelSettings, store: kernel.store, graphs: kernel.graphs, runs: operationRuns },
  async handle({ ctx, use }) {
    const turn = { ...ctx, signal: AbortSignal.any([ctx.signal, AbortSignal.timeout(maxTurnSeconds * 1_000)]) };
    await releaseEndedBuilds(use, turn);
    if (use.settings.graphs.autoRefresh) await refreshStaleGraphs(use, turn);
  },
});
