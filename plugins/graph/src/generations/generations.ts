import { sql, type Transaction } from '@pacioli/core';
import type { GraphGeneration } from '../rows.gen.ts';

/** The generation that serves reads, or undefined before the first one exists. */
export async function activeGeneration(tx: Transaction, graphId: string): Promise<number | undefined> {
  const [row] = await tx.query(
    sql<Pick<GraphGeneration, 'active'>>`SELECT active FROM graph_generation WHERE graph_id = ${graphId}`,
  );
  return row?.active;
}

/** The end of the last build; null before the first one. */
export async function materializedAt(tx: Transaction, graphId: string): Promise<Date | null> {
  const [row] = await tx.query(
    sql<
      Pick<GraphGeneration, 'materialized_at'>
    >`SELECT materialized_at FROM graph_generation WHERE graph_id = ${graphId}`,
  );
  return row?.materialized_at ?? null;
}

/** Records the empty first generation unless another process already has. */
export async function saveFirstGeneration(tx: Transaction, graphId: string): Promise<void> {
  await tx.query(sql`INSERT INTO graph_generation (graph_id, active, last_number) VALUES (${graphId}, 0, 0)
    ON CONFLICT (graph_id) DO NOTHING`);
}

/** Since when a graph is stale, and why. */
export interface StaleMark {
  readonly since: Date;
  readonly reason: string;
}

export interface BuildState {
  /** True if the graph was materialized at least once. */
  readonly wasBuilt: boolean;
  /** The stale mark that a running build, or one that has crashed, has taken over. */
  readonly taken: StaleMark | undefined;
}

export async function buildState(tx: Transaction, graphId: string): Promise<BuildState> {
  const [row] = await tx.query(sql<
    Pick<GraphGeneration, 'materialized_count' | 'taken_reason'> & { readonly since: Date }
  >`SELECT materialized_count, taken_reason, coalesce(taken_since, materialized_at, now()) AS since
    FROM graph_generation WHERE graph_id = ${graphId}`);
  const taken = row?.taken_reason == null ? undefined : { since: row.since, reason: row.taken_reason };
  return { wasBuilt: (row?.materialized_count ?? 0) > 0, taken };
}

/** The build that is in progress or has crashed; locks the row, so that two builds cannot start at once. */
export async function currentBuilder(tx: Transaction, graphId: string): Promise<string | undefined> {
  const [row] = await tx.query(
    sql<Pick<GraphGeneration, 'builder'>>`SELECT builder FROM graph_generation WHERE graph_id = ${graphId} FOR UPDATE`,
  );
  return row?.builder ?? undefined;
}

/** Assigns the next generation number to a run. Any builder recorded before can no longer commit. */
export async function startBuild(
  tx: Transaction,
  build: { readonly graphId: string; readonly run: string; readonly taken: StaleMark | undefined },
): Promise<{ readonly number: number; readonly active: number }> {
  // A mark that a crashed build had taken over is older than a new one.
  const [row] = await tx.query(sql<Pick<GraphGeneration, 'last_number' | 'active'>>`
    UPDATE graph_generation SET last_number = last_number + 1, builder = ${build.run},
      taken_since = CASE WHEN taken_reason IS NULL THEN ${build.taken?.since ?? null}::timestamptz ELSE taken_since END,
      taken_reason = COALESCE(taken_reason, ${build.taken?.reason ?? null}::text)
    WHERE graph_id = ${build.graphId} RETURNING last_number, active`);
  if (row === undefined) throw new Error('The first generation of a graph is made before its first build.');
  return { number: row.last_number, active: row.active };
}

/** Makes the built generation the active one. Returns false and changes nothing if a later build replaced it. */
export async function activate(
  tx: Transaction,
  build: {
    readonly graphId: string;
    readonly run: string;
    readonly number: number;
    readonly rows: number;
    readonly now: Date;
  },
): Promise<boolean> {
  const updated =
    await tx.query(sql`UPDATE graph_generation SET active = ${build.number}, materialized_at = ${build.now},
    materialized_count = materialized_count + 1, total_rows = ${build.rows}, builder = NULL, taken_reason = NULL, taken_since = NULL
    WHERE graph_id = ${build.graphId} AND builder = ${build.run} AND last_number = ${build.number} RETURNING graph_id`);
  return updated.length === 1;
}

/** A build that has started and not ended. */
export type BuildInProgress = Pick<GraphGeneration, 'graph_id' | 'last_number'> & {
  readonly builder: NonNullable<GraphGeneration['builder']>;
};

/** The prefix of the builders that are no runs: restores and imports. */
export const restorePrefix = 'restore';

/** The builds in progress of all graphs in the order of their ids, in a kernel transaction. */
export function buildsInProgress(
  tx: Transaction,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly BuildInProgress[]> {
  return tx.query(sql<BuildInProgress>`SELECT graph_id, builder, last_number FROM graph_generation
    WHERE builder IS NOT NULL AND graph_id > ${after} ORDER BY graph_id LIMIT ${limit}`);
}

/** The run that builds the graph of the transaction, or that has ended without ending its build. */
export async function builderOf(tx: Transaction): Promise<string | undefined> {
  const [row] = await tx.query(
    sql<Pick<GraphGeneration, 'builder'>>`SELECT builder FROM graph_generation WHERE graph_id = ${tx.graphId}`,
  );
  return row?.builder ?? undefined;
}

/**
 * Ends a failed build and returns the stale mark that it had taken over. The number distinguishes this attempt from a
 * later one of the same run, whose build continues and is not ended.
 */
export async function releaseBuild(
  tx: Transaction,
  { graphId, run, number }: { readonly graphId: string; readonly run: string; readonly number: number },
): Promise<{ readonly isReleased: boolean; readonly mark: StaleMark | undefined }> {
  const { taken } = await buildState(tx, graphId);
  const released =
    await tx.query(sql`UPDATE graph_generation SET builder = NULL, taken_reason = NULL, taken_since = NULL
    WHERE graph_id = ${graphId} AND builder = ${run} AND last_number = ${number} RETURNING graph_id`);
  const isReleased = released.length === 1;
  return { isReleased, mark: isReleased ? taken : undefined };
}
