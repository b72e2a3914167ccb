import { type RawBuilder, sql } from 'kysely';
import type { Caller, Surface } from '../define/context.ts';
import type { EventType } from '../define/event.ts';
import { isRefusal } from '../errors/kinds.ts';
import type { ServiceError } from '../errors/service-error.ts';
import { storableJson, storableText } from '../store/storable.ts';
import type { Transaction } from '../store/store.ts';
import { staleMark } from '../tenancy/graph-rows.ts';
import { atSecond, type Envelope } from './envelope.ts';
import { type IdempotencyKey, storedFingerprint } from './idempotency.ts';
import { packResult } from './packed-result.ts';
import { touchedJson } from './touched.ts';

/** A business event to be stored when the run commits. */
export interface EmittedEvent {
  readonly id: string;
  readonly event: EventType;
  readonly payload: unknown;
}

/** The bookkeeping of one run, in addition to its own effects. */
export interface RunRecord {
  readonly operationId: string;
  readonly operation: string;
  readonly caller: Caller;
  readonly graphId: string | null;
  readonly requestId: string;
  readonly surface: Surface;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly inputFingerprint: string;
  readonly key: IdempotencyKey | undefined;
  /** An envelope is replayed for this long (platform N-23). */
  readonly replayHours: number;
  readonly stale: string | undefined;
  /** The operation rebuilds its result from the domain, so the run has no record (platform N-5a). */
  readonly restoresResult: boolean;
  readonly events: readonly EmittedEvent[];
}

/** Writes the record, audit row, stale mark and outbox of an inline run as its last statement (platform N-10). */
export function saveInlineRun(tx: Transaction, run: RunRecord, result: unknown): void {
  const touched = touchedJson(result);
  // Without ids, nothing could tell which rows hold the result.
  const hasRecord = !run.restoresResult || touched === null;
  const parts = [...(hasRecord ? [recordPart(run, result)] : []), ...stalePart(run), ...outboxPart(run)];
  const beside = parts.length === 0 ? sql`` : sql`WITH ${sql.join(parts)}`;
  tx.queryAtEnd(sql`${beside} ${auditInsert(run, 'completed', null, touched)}`);
}

function recordPart(run: RunRecord, result: unknown): RawBuilder<unknown> {
  return sql`record AS (
    INSERT INTO kernel_operation (id, graph_id, user_id, name, runs, status, packed_result, created_at, updated_at, finished_at)
    VALUES (${run.operationId}, ${run.graphId}, ${run.caller.userId}, ${run.operation}, 'inline', 'completed',
      ${packResult(result)}, ${run.startedAt}, ${run.endedAt}, ${run.endedAt}))`;
}

/** Stores a run for a worker to execute, with its audit row (platform N-13). */
export async function savePendingRun(
  tx: Transaction,
  run: RunRecord,
  task: { readonly dedupeKey: string | null; readonly body: object },
): Promise<void> {
  await tx.query(sql`
    WITH record AS (
      INSERT INTO kernel_operation (id, graph_id, user_id, name, runs, status, task, dedupe_key, created_at, updated_at)
      VALUES (${run.operationId}, ${run.graphId}, ${run.caller.userId}, ${run.operation}, 'worker', 'pending',
        ${JSON.stringify(task.body)}::jsonb, ${task.dedupeKey}, ${run.startedAt}, ${run.startedAt})
    )
    ${auditInsert(run, 'pending', null)}`);
}

/** Writes the audit row of a write that is no operation as the last statement, such as one of a tool. */
export function saveAudit(tx: Transaction, run: RunRecord, result: unknown): void {
  tx.queryAtEnd(auditInsert(run, 'completed', null, touchedJson(result)));
}

/** Records a refused or failed call; its effects have been rolled back (platform N-4, N-30). */
export async function saveFailure(
  tx: Transaction,
  run: RunRecord,
  { kind, code, message }: Pick<ServiceError, 'kind' | 'code' | 'message'>,
): Promise<void> {
  await tx.query(auditInsert(run, isRefusal(kind) ? 'refused' : 'failed', storableText(`${code}: ${message}`)));
}

function auditInsert(run: RunRecord, status: string, error: string | null, touched: string | null = null) {
  return sql`INSERT INTO kernel_operation_audit (operation_id, graph_id, user_id, operation, surface, status, duration_ms, error,
      input_fingerprint, key_hash, request_id, credential, key_prefix, touched, at)
    VALUES (${run.operationId}, ${run.graphId}, ${run.caller.userId}, ${run.operation}, ${run.surface}, ${status},
      ${Math.max(0, run.endedAt.getTime() - run.startedAt.getTime())}, ${error}, ${storedFingerprint(run.inputFingerprint)},
      ${run.key?.hash.slice(0, 16) ?? null}, ${run.requestId}, ${run.caller.credential}, ${run.caller.keyPrefix ?? run.caller.grantId ?? null},
      ${touched}::text::jsonb, ${run.endedAt})`;
}

function stalePart(run: RunRecord): readonly RawBuilder<unknown>[] {
  if (run.stale === undefined || run.graphId === null) return [];
  return [sql`stale AS (${staleMark(run.graphId, run.stale, run.endedAt)})`];
}

function outboxPart(run: RunRecord): readonly RawBuilder<unknown>[] {
  return run.events.length === 0 ? [] : [sql`events AS (${outboxInsert(run.graphId, run.events, run.endedAt)})`];
}

/** Stores events of a worker run. */
export async function saveEvents(
  tx: Transaction,
  graphId: string | null,
  events: readonly EmittedEvent[],
  now: Date,
): Promise<void> {
  if (events.length > 0) await tx.query(outboxInsert(graphId, events, now));
}

function outboxInsert(graphId: string | null, events: readonly EmittedEvent[], now: Date) {
  const rows = events.map(({ id, event, payload }) => ({ id, topic: event.name, payload }));
  return sql`
    INSERT INTO kernel_outbox (id, graph_id, topic, payload, next_at)
    SELECT id, ${graphId}, topic, payload, ${now}
    FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS row (id text, topic text, payload jsonb)`;
}

/** Builds the envelope for the caller of a run. */
export function envelopeOf(run: RunRecord, status: Envelope['status'], result: unknown): Envelope {
  return {
    operation: run.operation,
    operationId: run.operationId,
    status,
    result: result ?? null,
    at: atSecond(run.startedAt),
    createdBy: run.caller.userId,
    idempotentReplay: false,
  };
}
