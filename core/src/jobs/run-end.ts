import { sql } from 'kysely';
import type { Operation } from '../define/operation.ts';
import { releaseKey } from '../envelope/idempotency.ts';
import type { Kernel } from '../envelope/kernel.ts';
import { type EmittedEvent, saveEvents } from '../envelope/record.ts';
import { touchedJson } from '../envelope/touched.ts';
import type { KernelOperation } from '../rows.gen.ts';
import type { Graphs } from '../services/kernel-tokens.ts';
import { storableJson, storableText } from '../store/storable.ts';
import type { Transaction } from '../store/store.ts';
import { appendEvent } from './events.ts';
import { type Lease, type StoredRun, wholeProgress } from './run-context.ts';
import type { Failure } from './run-failure.ts';

interface Completion {
  readonly operation: Operation;
  readonly result: unknown;
  readonly events: readonly EmittedEvent[];
  readonly startedAt: Date;
}

/** Stores the result of a run with its events; of a run that was canceled meanwhile only the result (platform L-9). */
export async function storeCompletion(
  kernel: Kernel,
  graphs: Graphs,
  { run, owner }: Lease,
  { operation, result, events, startedAt }: Completion,
): Promise<void> {
  const now = kernel.clock.now();
  await kernel.store.transaction('kernel', async (tx) => {
    const stored = storableJson(result ?? null);
    const done = await tx.query(sql<Pick<KernelOperation, 'id'>>`
      UPDATE kernel_operation SET status = 'completed', result = ${stored}::jsonb,
        progress = progress || ${wholeProgress}::jsonb, finished_at = ${now}, lease_owner = NULL, lease_until = NULL
      WHERE id = ${run.id} AND status = 'running' AND lease_owner = ${owner} RETURNING id`);
    if (done.length === 0) {
      await tx.query(
        sql`UPDATE kernel_operation SET result = ${stored}::jsonb WHERE id = ${run.id} AND status = 'cancelled'`,
      );
      return;
    }
    await saveEvents(tx, run.graph_id, events, now);
    if (operation.stale !== undefined && run.graph_id !== null)
      await graphs.markStale(tx, run.graph_id, operation.stale);
    const milliseconds = now.getTime() - startedAt.getTime();
    await appendEvent(
      tx,
      run.id,
      'operation_completed',
      { message: 'Completed.', result: result ?? null, execution_time_ms: milliseconds },
      now,
    );
    await saveAuditRow(tx, run, { status: 'completed', error: null, milliseconds, now, touched: touchedJson(result) });
  });
}

/** Stores why a run has failed. `owner` limits it to a run that this worker still has; otherwise any worker had it. */
export async function storeFailure(
  tx: Transaction,
  run: Pick<StoredRun, 'id'>,
  failure: Failure,
  { now, owner }: { readonly now: Date; readonly owner?: string },
): Promise<void> {
  const known = await withReceipts(tx, run.id, failure.details);
  const details = known === null ? null : storableJson(known);
  const text = storableText(failure.text);
  const failed = await tx.query(sql<Pick<KernelOperation, 'id'>>`
    UPDATE kernel_operation SET status = 'failed', error = ${text}, error_details = ${details}::jsonb, finished_at = ${now},
      lease_owner = NULL, lease_until = NULL
    WHERE id = ${run.id} AND status = 'running' AND (${owner ?? null}::text IS NULL OR lease_owner = ${owner ?? null})
    RETURNING id`);
  if (failed.length === 0) return;
  // The same key must start a new run, not replay the failed one (platform N-24).
  await releaseKey(tx, run.id);
  await appendEvent(tx, run.id, 'operation_error', { message: text, error: text, error_details: known }, now);
  const status = failure.isRefusal === true ? 'refused' : 'failed';
  await saveAuditRow(tx, run, { status, error: text, milliseconds: 0, now, touched: null });
}

/** A run makes at most so many writes that its failure lists. */
const maxReceipts = 1_000;

/**
 * Adds the receipts that the run reported as `details.write`, unless the failure lists them: a run that was cut off could
 * not say what it had written (ai-surface 7.5).
 */
async function withReceipts(tx: Transaction, id: string, details: Failure['details']): Promise<Failure['details']> {
  if (details?.['writes'] !== undefined) return details;
  const reported = await tx.query(sql<{ readonly write: unknown }>`
    SELECT payload #> '{details,write}' AS write FROM kernel_operation_event
    WHERE operation_id = ${id} AND type = 'operation_progress' AND payload #> '{details,write}' IS NOT NULL
    ORDER BY sequence LIMIT ${maxReceipts}`);
  return reported.length === 0 ? details : { ...details, writes: reported.map(({ write }) => write) };
}

interface RunEnd {
  readonly status: 'completed' | 'refused' | 'failed';
  readonly error: string | null;
  readonly milliseconds: number;
  readonly now: Date;
  readonly touched: string | null;
}

async function saveAuditRow(
  tx: Transaction,
  run: Pick<StoredRun, 'id'>,
  { status, error, milliseconds, now, touched }: RunEnd,
): Promise<void> {
  await tx.query(sql`
    INSERT INTO kernel_operation_audit (operation_id, graph_id, user_id, operation, surface, status, duration_ms, error,
      input_fingerprint, key_hash, request_id, credential, key_prefix, touched, at)
    SELECT operation_id, graph_id, user_id, operation, 'worker', ${status}, ${milliseconds}::integer, ${error}::text,
      input_fingerprint, key_hash, request_id, credential, key_prefix, ${touched}::text::jsonb, ${now}::timestamptz
    FROM kernel_operation_audit WHERE operation_id = ${run.id} AND status = 'pending'`);
}
