import { sql, type Transaction } from '@pacioli/core';

/** How long a build keeps others out after its last sign of life, in seconds. */
export const lease_seconds = 300;

interface Row {
  readonly active: number;
  readonly materialized_count: number;
  readonly builder: string | null;
  readonly builder_until: Date | null;
  readonly taken_reason: string | null;
}

/** The generation that reads go to, or undefined before the first one was made. */
export async function activeGeneration(tx: Transaction, graphId: string): Promise<number | undefined> {
  const [row] = await tx.query(sql<Row>`SELECT active FROM graph_generation WHERE graph_id = ${graphId}`);
  return row?.active;
}

/** Remembers the empty first generation; keeps what another process remembered before. */
export async function saveFirstGeneration(tx: Transaction, graphId: string): Promise<void> {
  await tx.query(sql`INSERT INTO graph_generation (graph_id, active, last_number) VALUES (${graphId}, 0, 0)
    ON CONFLICT (graph_id) DO NOTHING`);
}

export interface BuildState {
  /** The graph was materialized at least once. */
  readonly wasBuilt: boolean;
  /** Another run builds this graph and its lease has not ended. */
  readonly isTaken: boolean;
  /** Set when a build that died took the stale mark with it. */
  readonly takenReason: string | undefined;
}

export async function buildState(tx: Transaction, graphId: string, run: string, now: Date): Promise<BuildState> {
  const [row] =
    await tx.query(sql<Row>`SELECT materialized_count, builder, builder_until, taken_reason FROM graph_generation
    WHERE graph_id = ${graphId}`);
  const isLeased = row?.builder != null && row.builder !== run && row.builder_until != null && row.builder_until > now;
  return {
    wasBuilt: (row?.materialized_count ?? 0) > 0,
    isTaken: isLeased,
    takenReason: row?.taken_reason ?? undefined,
  };
}

/** Takes the lease and the next number in one statement; undefined when another run holds it. */
export async function takeBuild(
  tx: Transaction,
  build: {
    readonly graphId: string;
    readonly run: string;
    readonly now: Date;
    readonly takenReason: string | undefined;
  },
): Promise<{ readonly number: number; readonly active: number } | undefined> {
  const until = new Date(build.now.getTime() + lease_seconds * 1_000);
  const [row] = await tx.query(sql<{ last_number: number; active: number }>`
    UPDATE graph_generation SET last_number = last_number + 1, builder = ${build.run}, builder_until = ${until},
      taken_reason = COALESCE(${build.takenReason ?? null}::text, taken_reason)
    WHERE graph_id = ${build.graphId} AND (builder IS NULL OR builder = ${build.run} OR builder_until <= ${build.now})
    RETURNING last_number, active`);
  return row === undefined ? undefined : { number: row.last_number, active: row.active };
}

/** Says that the run still builds. */
export async function renewBuild(tx: Transaction, graphId: string, run: string, now: Date): Promise<void> {
  const until = new Date(now.getTime() + lease_seconds * 1_000);
  await tx.query(
    sql`UPDATE graph_generation SET builder_until = ${until} WHERE graph_id = ${graphId} AND builder = ${run}`,
  );
}

/** Makes the built generation the one that is read. False when the lease was lost meanwhile: then nothing changes. */
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
    materialized_count = materialized_count + 1, total_rows = ${build.rows}, builder = NULL, builder_until = NULL, taken_reason = NULL
    WHERE graph_id = ${build.graphId} AND builder = ${build.run} RETURNING graph_id`);
  return updated.length === 1;
}

/** Gives the lease back after a failed build and returns the stale reason that it had taken. */
export async function releaseBuild(tx: Transaction, graphId: string, run: string): Promise<string | undefined> {
  const [row] = await tx.query(sql<{ taken_reason: string | null }>`SELECT taken_reason FROM graph_generation
    WHERE graph_id = ${graphId} AND builder = ${run} FOR UPDATE`);
  await tx.query(sql`UPDATE graph_generation SET builder = NULL, builder_until = NULL, taken_reason = NULL
    WHERE graph_id = ${graphId} AND builder = ${run}`);
  return row?.taken_reason ?? undefined;
}
