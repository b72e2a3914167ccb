import {
  isRunTimedOut,
  isServiceError,
  type OperationRuns,
  type RunState,
  type Store,
  sql,
  type Transaction,
} from '@pacioli/core';
import { type BuildRequest, type BuildResult, builderOf } from '../generations/index.ts';
import type { GraphBuildFailure } from '../rows.gen.ts';
import type { GraphBuilder } from '../tokens.ts';

const maxReasonCharacters = 500;

/** Records why the last build of a graph has failed, until one succeeds (graphs H-4, M-22). */
export async function noteBuildFailure(tx: Transaction, graphId: string, reason: string, now: Date): Promise<void> {
  await tx.query(sql`INSERT INTO graph_build_failure (graph_id, reason, failed_at)
    VALUES (${graphId}, ${reason.slice(0, maxReasonCharacters)}, ${now})
    ON CONFLICT (graph_id) DO UPDATE SET reason = excluded.reason, failed_at = excluded.failed_at`);
}

async function forgetBuildFailure(tx: Transaction): Promise<void> {
  await tx.query(sql`DELETE FROM graph_build_failure WHERE graph_id = ${tx.graphId}`);
}

/** Builds a graph within a run, and records whether that has failed. */
export async function buildOrNoteFailure(
  { store, graphBuilder }: { readonly store: Store; readonly graphBuilder: GraphBuilder },
  request: BuildRequest,
): Promise<BuildResult> {
  const { graph, signal, now } = request;
  const result = await graphBuilder.build(request).catch(async (error: unknown) => {
    // A run that is canceled has not failed, and the next attempt of one that is repeated may succeed.
    if (!signal.aborted || isRunTimedOut(signal)) {
      const reason = isRunTimedOut(signal) ? signal.reason.message : reasonOf(error);
      // In its own transaction, because a run that took too long has none any more.
      await store
        .transaction({ graphId: graph.id }, (tx) => noteBuildFailure(tx, graph.id, reason, now()))
        .catch(() => undefined); // The error of the build is reported; that of its note would hide it.
    }
    throw error;
  });
  await request.transaction(forgetBuildFailure);
  return result;
}

/** The message for callers; internal errors are replaced by a reference. */
const reasonOf = (error: unknown): string =>
  isServiceError(error) && error.kind !== 'internal'
    ? error.message
    : 'An internal error occurred. The status of the operation has its reference.';

/** True for a run that has not ended; false for one that has, or whose record was removed since. */
export const isOpenRun = (state: RunState | undefined): boolean =>
  state !== undefined && ['pending', 'running', 'awaiting_input'].includes(state.status);

/**
 * Returns why the last build of the graph of the transaction has failed; undefined if it has not. A run whose worker was
 * lost leaves its build open until a job ends it, so the state of the run counts first.
 */
export async function lastBuildFailure(
  tx: Transaction,
  runs: Pick<OperationRuns, 'state'>,
): Promise<string | undefined> {
  const builder = await builderOf(tx);
  const run = builder === undefined ? undefined : await runs.state(tx, builder);
  if (run?.status === 'failed') return run.error ?? 'unknown';
  const [row] = await tx.query(
    sql<Pick<GraphBuildFailure, 'reason'>>`SELECT reason FROM graph_build_failure WHERE graph_id = ${tx.graphId}`,
  );
  return row?.reason;
}
