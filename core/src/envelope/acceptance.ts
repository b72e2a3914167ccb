import { sql } from 'kysely';
import type { FinishedAtOnce, Operation } from '../define/operation.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { KernelOperation } from '../rows.gen.ts';
import { sha256 } from '../schema/canonical.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import type { Transaction } from '../store/store.ts';
import { fingerprintOf } from './idempotency.ts';
import type { RunRecord } from './record.ts';

/** The most open runs per user and per graph (platform L-22). */
const maxOpenRunsPerUser = 20;
const maxOpenRunsPerGraph = 50;
/** The most users recorded as having joined one run. */
const maxJoined = 100;

type InFlightDuplicate = Pick<KernelOperation, 'id'> & { readonly accepted: Readonly<Record<string, unknown>> | null };

/**
 * Finds the run that an equal request joins instead of starting a new one. Equal requests are serialized here, so that
 * the second sees the first. With a date, runs since then count, even completed ones; without, only open runs.
 */
export async function findInFlightDuplicate(
  tx: Transaction,
  dedupeKey: string,
  since: Date | undefined,
): Promise<InFlightDuplicate | undefined> {
  await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${dedupeKey}, 0))`);
  const counts =
    since === undefined
      ? sql`finished_at IS NULL`
      : sql`created_at > ${since} AND status IN ('pending', 'running', 'awaiting_input', 'completed')`;
  const [duplicate] = await tx.query(sql<InFlightDuplicate>`
    SELECT id, task -> 'accepted' AS accepted FROM kernel_operation
    WHERE dedupe_key = ${dedupeKey} AND ${counts}
    ORDER BY created_at DESC LIMIT 1`);
  return duplicate;
}

/** Records that this user joined another user's open run, so that they may read it; at most `maxJoined` users. */
export async function noteJoined(tx: Transaction, operationId: string, userId: string): Promise<void> {
  await tx.query(sql`
    UPDATE kernel_operation SET joined_by = array_append(joined_by, ${userId})
    WHERE id = ${operationId} AND user_id <> ${userId} AND NOT ${userId} = ANY (joined_by)
      AND cardinality(joined_by) < ${maxJoined}`);
}

/**
 * Throws 429 if the user or the graph is at its limit of open runs (platform L-22). Acceptances are serialized per user
 * and then per graph, so that two requests cannot both take the last slot.
 */
export async function requireCapacity(
  tx: Transaction,
  { userId, graphId }: { readonly userId: string; readonly graphId: string | null },
): Promise<void> {
  for (const key of [`user ${userId}`, ...(graphId === null ? [] : [`graph ${graphId}`])]) {
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`pacioli.runs.${key}`}, 0))`);
  }
  const [open] = await tx.query(sql<{ of_user: number; of_graph: number }>`
    SELECT kernel_open_runs_of_user(${userId}) AS of_user,
      (SELECT count(*) FROM kernel_operation WHERE finished_at IS NULL AND graph_id = ${graphId}) AS of_graph`);
  if (open === undefined || (open.of_user < maxOpenRunsPerUser && open.of_graph < maxOpenRunsPerGraph)) return;
  throw new ServiceError(
    'rate_limited',
    'CONCURRENCY_LIMIT',
    `Too many operations are in progress (at most ${maxOpenRunsPerUser} for a user and ${maxOpenRunsPerGraph} for a graph). Wait until one ends.`,
    { headers: { 'Retry-After': '5' } },
  );
}

/** Returns the key by which equal requests join one run; null if each request is a separate run. */
export function dedupeKeyOf(
  operation: Operation,
  { input, params }: { readonly input: unknown; readonly params: Readonly<Record<string, string>> },
  run: Pick<RunRecord, 'graphId' | 'caller' | 'inputFingerprint'>,
): string | null {
  if (operation.joins !== undefined) {
    return sha256(`${operation.name} ${run.graphId} joins ${fingerprintOf(operation.joins(input), params)}`);
  }
  if (operation.dedupe === false || operation.exclusive !== undefined) return null;
  return sha256(`${operation.name} ${run.graphId} ${run.caller.userId} ${run.inputFingerprint}`);
}

/**
 * Throws the 409 of an exclusive operation while another run with its name is open, and returns the key by which this
 * run is found. Requests are serialized until the commit, across processes, so that only one of several is accepted.
 * The open run itself is the lock: nothing has to be released when it ends.
 */
export async function requireNoOpenRun(
  tx: Transaction,
  {
    operation,
    input,
    graphId,
  }: { readonly operation: Operation; readonly input: unknown; readonly graphId: string | null },
): Promise<string | null> {
  const { exclusive } = operation;
  const name = exclusive?.names(input);
  if (exclusive === undefined || name === undefined) return null;
  const key = sha256(`${operation.name} ${graphId} alone ${name}`);
  if ((await findInFlightDuplicate(tx, key, undefined)) === undefined) return key;
  throw new ServiceError('conflict', exclusive.code, exclusive.message);
}

/** The start of the window in which equal requests join a run (platform N-13); undefined if only open runs count. */
export function dedupeSince(operation: Operation, run: RunRecord, settings: KernelSettings): Date | undefined {
  if (operation.joins !== undefined) return undefined;
  return new Date(run.startedAt.getTime() - settings.operations.dedupeSeconds * 1000);
}

/** True if `prepare` or `admit` finished the operation. */
export function isFinishedAtOnce(value: unknown): value is FinishedAtOnce {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'finished-at-once';
}
