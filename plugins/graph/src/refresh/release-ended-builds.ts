import type { Graphs, Log, OperationRuns, Store } from '@pacioli/core';
import { type BuildInProgress, buildsInProgress, releaseBuild, restorePrefix } from '../generations/index.ts';
import { isOpenRun, noteBuildFailure } from '../health/index.ts';

export interface ReleaseServices {
  readonly store: Store;
  readonly graphs: Pick<Graphs, 'markStale'>;
  readonly runs: Pick<OperationRuns, 'state'>;
}

const buildsPerRead = 100;

/**
 * Releases builds whose run has ended without releasing them, after a lost worker or a time limit. Their stale mark is
 * restored, and the failure is reported (graphs M-22, M-32).
 */
export async function releaseEndedBuilds(
  services: ReleaseServices,
  { now, signal, log }: { now(): Date; readonly signal: AbortSignal; readonly log: Log },
): Promise<void> {
  let after = '';
  while (!signal.aborted) {
    const page = await services.store.transaction(
      'kernel',
      (tx) => buildsInProgress(tx, { after, limit: buildsPerRead }),
      {
        readOnly: true,
      },
    );
    for (const build of page) {
      await release(services, build, now()).catch((error: unknown) => {
        log.error('the end of a build could not be stored', { graphId: build.graph_id, error });
      });
    }
    if (page.length < buildsPerRead) return;
    after = page.at(-1)?.graph_id ?? after;
  }
}

async function release({ store, graphs, runs }: ReleaseServices, build: BuildInProgress, now: Date): Promise<void> {
  const { graph_id: graphId, builder: run, last_number: number } = build;
  await store.transaction({ graphId }, async (tx) => {
    // A restore or import is not a run; it ends its build itself.
    if (run.startsWith(`${restorePrefix}_`)) return;
    const state = await runs.state(tx, run); // Undefined for a run whose record was removed since.
    if (isOpenRun(state)) return;
    const { isReleased, mark } = await releaseBuild(tx, { graphId, run, number });
    if (!isReleased) return;
    if (mark !== undefined) await graphs.markStale(tx, graphId, mark.reason, mark.since);
    if (state?.status === 'failed') await noteBuildFailure(tx, graphId, state.error ?? 'unknown', now);
  });
}
