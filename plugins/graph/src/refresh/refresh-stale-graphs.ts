import {
  type Graphs,
  isServiceError,
  type Log,
  type OperationRuns,
  type StaleGraph,
  type Store,
  systemCaller,
} from '@pacioli/core';
import { noteBuildFailure } from '../health/index.ts';
import { claimRefresh, dueRefreshes, noteEnded, noteStarted, startedRefreshes } from './stored-refreshes.ts';

export interface RefreshServices {
  readonly store: Store;
  readonly graphs: Pick<Graphs, 'quietStale'>;
  readonly runs: Pick<OperationRuns, 'startRun' | 'state'>;
}

interface Turn {
  readonly signal: AbortSignal;
  readonly log: Log;
  now(): Date;
}

/** A graph is refreshed when no write has marked it stale for this time (graphs M-33). */
const quietMs = 30_000;
const graphsPerRead = 100;
/** A worker executes four runs at once, so a place is left for those of users. */
const maxInProgress = 3;

/**
 * Starts the refreshes that are due: runs of the operation `materialize` by the system, which cost nothing and have the
 * same lock, limits and record as those of users. Returns their ids.
 */
export async function refreshStaleGraphs(services: RefreshServices, turn: Turn): Promise<readonly string[]> {
  const inProgress = await settleStarted(services, turn);
  if (inProgress >= maxInProgress) return [];
  const quietSince = new Date(turn.now().getTime() - quietMs);
  const started: string[] = [];
  let after: StaleGraph | undefined;
  for (;;) {
    const page = await services.store.transaction(
      'kernel',
      async (tx) => {
        const stale = await services.graphs.quietStale(tx, { quietSince, after, limit: graphsPerRead });
        return {
          stale,
          due: await dueRefreshes(
            tx,
            stale.map(({ id }) => id),
            turn.now(),
          ),
        };
      },
      { readOnly: true },
    );
    for (const graph of page.stale.filter(({ id }) => page.due.has(id))) {
      if (turn.signal.aborted || inProgress + started.length >= maxInProgress) return started;
      const operationId = await refresh(services, turn, graph);
      if (operationId !== undefined) started.push(operationId);
    }
    if (page.stale.length < graphsPerRead || turn.signal.aborted) return started;
    after = page.stale.at(-1);
  }
}

/** Records the ends of earlier refreshes; returns how many are still in progress. */
async function settleStarted({ store, runs }: RefreshServices, { now }: Turn): Promise<number> {
  return store.transaction('kernel', async (tx) => {
    let open = 0;
    for (const { graph_id, operation_id } of await startedRefreshes(tx, maxInProgress)) {
      const status = (await runs.state(tx, operation_id))?.status;
      if (status === 'pending' || status === 'running') open += 1;
      else await noteEnded(tx, graph_id, { hasFailed: status === 'failed', now: now() });
    }
    return open;
  });
}

async function refresh(
  { store, runs }: RefreshServices,
  { now, log }: Turn,
  graph: StaleGraph,
): Promise<string | undefined> {
  if (!(await store.transaction('kernel', (tx) => claimRefresh(tx, graph.id, now())))) return undefined;
  const { id } = graph;
  const operationId = await startBuild(runs, graph).catch(async (error: unknown) => {
    // A user builds the graph now, or the queue is full: it is tried again after the next wait.
    if (isServiceError(error) && (error.kind === 'conflict' || error.kind === 'rate_limited')) return undefined;
    log.error('a stale graph could not be refreshed', { graphId: id, error });
    await store.transaction('kernel', (tx) => noteEnded(tx, id, { hasFailed: true, now: now() }));
    if (isServiceError(error) && error.kind !== 'internal') {
      await store.transaction({ graphId: id }, (tx) => noteBuildFailure(tx, id, error.message, now()));
    }
    return undefined;
  });
  if (operationId !== undefined) await store.transaction('kernel', (tx) => noteStarted(tx, id, operationId));
  return operationId;
}

async function startBuild(
  runs: RefreshServices['runs'],
  { id, orgId, name, type, tier, extensions }: StaleGraph,
): Promise<string> {
  const { operationId } = await runs.startRun({
    name: 'materialize',
    caller: systemCaller,
    graph: { id, orgId, name, type, tier, extensions, role: 'admin' },
    input: {},
    requestId: `refresh-${id}`,
  });
  return operationId;
}
