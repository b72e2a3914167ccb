import { defineTool, type Freshness, graphReads, model, operationRuns, type RunState } from '@pacioli/core';
import { connectionView } from '../connections/index.ts';
import { connections } from '../providers.ts';

export default defineTool({
  name: 'get-graph-sync-status',
  title: 'Get the state of syncs',
  description:
    'Whether the data is up to date: the connections to outside systems with the result of their last sync, and ' +
    'whether the analytical graph is behind the records. Read it before you rely on recent numbers; sync-connection ' +
    'and materialize bring the data up to date.',
  role: 'viewer',
  effect: 'read',
  gate: { graphs: ['tenant'] },
  input: model('GetGraphSyncStatusArguments', {}, { closed: true }),
  services: { connections, runs: operationRuns, graphs: graphReads },

  async handle({ ctx, use }) {
    const [reads] = use.graphs;
    return ctx.transaction(async (tx) => {
      const live = await use.connections.stored.list(tx);
      const runs = await use.runs.states(
        tx,
        live.flatMap(({ syncOperationId }) => syncOperationId ?? []),
      );
      return {
        graph_id: ctx.graph.id,
        connections: live.map((connection) => ({
          ...connectionView(connection),
          last_run: lastRun(connection.syncOperationId, runs),
        })),
        analytical_graph: reads === undefined ? null : stateOf(await reads.freshness(tx, ctx.graph)),
      };
    });
  },
});

/** The last sync, whatever its outcome; null before the first one, and after its record was removed. */
function lastRun(operationId: string | null, runs: ReadonlyMap<string, RunState>) {
  const run = operationId === null ? undefined : runs.get(operationId);
  return run === undefined ? null : { operation_id: operationId, status: run.status, error: run.error };
}

function stateOf({ materializedAt, staleSince, staleReason }: Freshness) {
  return {
    materialized_at: materializedAt?.toISOString() ?? null,
    is_stale: staleSince !== null,
    stale_since: staleSince?.toISOString() ?? null,
    stale_reason: staleReason,
  };
}
