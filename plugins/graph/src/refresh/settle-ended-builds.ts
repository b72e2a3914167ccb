import type { Graphs, Log, OperationRuns, Store } from '@pacioli/core';
import { type BuildInProgress, buildsInProgress, releaseBuild } from '../generations/index.ts';
import { isOpenRun, noteBuildFailure } from '../health/index.ts';

export interface SettlementServices {
  readonly store: Store;
  readonly graphs: Pick<Graphs, 'markStale'>;
  readonly runs: Pick<OperationRuns, 'state'>;
}

const buildsPerRead = 100;

/**
 * Ends the builds whose run has ended without them, because its worker was lost or it took too long: the graph is as
 * stale as before, and a failure is reported like any other (graphs M-22, M-32).
 */
export async function settleEndedBuilds(
  parts: SettlementServices,
  { now, signal, log }: { now(): Date; readonly signal: AbortSignal; readonly log: Log },
): Promise<void> {
  let after = '';
  while (!signal.aborted) {
    const page = await parts.store.transaction(
      'kernel',
      (tx) => buildsInProgress(tx, { after, limit: buildsPerRead }),
      {
        readOnly: true,
      },
    );
    for (const build of page) {
      await settle(parts, build, now()).catch((error: unknown) => {
        log.error('the end of a build could not be stored', { graphId: build.graph_id, error });
      });
    }
    if (page.length < buildsPerRead) return;
    after = page.at(-1)?.graph_id ?? after;
  }
}

async function settle({ store, graphs, runs }: SettlementServices, build: BuildInProgress, now: Date): Promise<void> {
  const { graph_id: graphId, builder: run, last_number: number } = build;
  await store.transaction({ graphId }, async (tx) => {
    const state = await runs.state(tx, run);
    // What is no run, such as a restored backup, ends its build itself.
    if (state === undefined || isOpenRun(state)) return;
    const { isReleased, mark } = await releaseBuild(tx, { graphId, run, number });
    if (!isReleased) return;
    if (mark !== undefined) await graphs.markStale(tx, graphId, mark.reason, mark.since);
    if (state.status === 'failed') await noteBuildFailure(tx, graphId, state.error ?? 'unknown', now);
  });
}
