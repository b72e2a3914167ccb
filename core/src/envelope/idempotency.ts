import { type RawBuilder, sql } from 'kysely';
import { ServiceError } from '../errors/service-error.ts';
import { validationFailure } from '../errors/to-wire.ts';
import type { KernelIdempotency, KernelOperation, KernelOperationAudit } from '../rows.gen.ts';
import { canonicalJson, sha256 } from '../schema/canonical.ts';
import { StoreError, type Transaction } from '../store/store.ts';
import { atSecond, type Envelope } from './envelope.ts';
import type { HttpRequest } from './http.ts';
import { resultOf } from './packed-result.ts';
import { type AuditedCall, findAuditedCall, type RestoreResult } from './restored-results.ts';

/** The idempotency key of a request, with the fields that scope it (platform N-20, N-21). */
export interface IdempotencyKey {
  readonly userId: string;
  /** `-` for operations without a graph. */
  readonly graphId: string;
  readonly operation: string;
  readonly hash: string;
  readonly fingerprint: string;
}

/**
 * Fingerprints a request, to detect a key reused for another one (platform N-21). It includes the path parameters: the
 * same body for another row is another request.
 */
export function fingerprintOf(input: unknown, params: Readonly<Record<string, string>>): string {
  return sha256(canonicalJson(Object.keys(params).length === 0 ? input : { params, input }));
}

/** 16 bytes: enough that no two keys or requests have one digest, and half of what a table of them would take. */
const storedHexDigits = 32;

/** A fingerprint as audit rows have it; those of earlier versions have all 64 digits. */
export function storedFingerprint(fingerprint: string): string {
  return fingerprint.slice(0, storedHexDigits);
}

/** The key as it is stored: one digest with all fields that scope it. */
function storedKey({ userId, graphId, operation, hash }: IdempotencyKey): RawBuilder<unknown> {
  return sql`decode(${sha256(`${userId} ${graphId} ${operation} ${hash}`).slice(0, storedHexDigits)}, 'hex')`;
}

/** Reads the Idempotency-Key header: 1 to 255 visible ASCII characters, or none (platform N-20). */
export function idempotencyKeyOf(request: HttpRequest): string | undefined {
  return hashOfKey(request.header('idempotency-key'));
}

/** The hash of an idempotency key, as it is stored; throws 422 for a malformed one. */
export function hashOfKey(key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return sha256(key);
  throw validationFailure([
    {
      loc: ['header', 'Idempotency-Key'],
      msg: 'Must be 1 to 255 visible ASCII characters',
      type: 'string_pattern_mismatch',
    },
  ]);
}

/** The run for which a key is claimed. */
export interface Claim {
  readonly operationId: string;
  readonly startedAt: Date;
  readonly replayHours: number;
  readonly isOfWorker: boolean;
  /** Rebuilds the result for a replay, if the operation stores none. */
  readonly restore?: RestoreResult | undefined;
}

/**
 * Claims a key for a run in its transaction, or returns the envelope of the earlier request with that key. Nearly every
 * key is new, so its row is inserted without ON CONFLICT, which would write the row to the log twice. If two requests
 * insert one key at the same time, the second fails on the primary key and runs again with `claimKey`.
 */
export function inTransactionOfKey<Result>(
  key: IdempotencyKey | undefined,
  run: Claim,
  transaction: (claim: (tx: Transaction) => Promise<Envelope | undefined>) => Promise<Result>,
): Promise<Result> {
  if (key === undefined) return transaction(async () => undefined);
  return transaction(async (tx) => ((await claimNewKey(tx, key, run)) ? undefined : claimKey(tx, key, run))).catch(
    (error: unknown) => {
      const isTaken = error instanceof StoreError && error.constraint === 'kernel_idempotency_pkey';
      if (!isTaken) throw error;
      return transaction((tx) => claimKey(tx, key, run));
    },
  );
}

/** False if there is a row of this key, expired or not. Waits for a concurrent one, and then throws. */
async function claimNewKey(tx: Transaction, key: IdempotencyKey, run: Claim): Promise<boolean> {
  const digest = storedKey(key);
  const [claimed] = await tx
    .query(sql<{ is_claimed: true }>`
    INSERT INTO kernel_idempotency (key_hash, graph_id, operation_id, is_of_worker, expires_at)
    SELECT ${digest}, ${key.graphId}, ${run.operationId}, ${run.isOfWorker}, ${expiryOf(run)}
    WHERE NOT EXISTS (SELECT FROM kernel_idempotency WHERE key_hash = ${digest})
    RETURNING true AS is_claimed`)
    .catch(rejectInProgress);
  return claimed !== undefined;
}

/**
 * Claims a key for a run, or returns the envelope of the earlier request with that key. The inserted row is the lock:
 * concurrent requests with the same key wait here, so that only one does the work and the others replay its result.
 */
export async function claimKey(tx: Transaction, key: IdempotencyKey, run: Claim): Promise<Envelope | undefined> {
  // Takes over an expired row of the same key.
  const [claimed] = await tx
    .query(sql<{ is_claimed: true }>`
    INSERT INTO kernel_idempotency AS k (key_hash, graph_id, operation_id, is_of_worker, expires_at)
    VALUES (${storedKey(key)}, ${key.graphId}, ${run.operationId}, ${run.isOfWorker}, ${expiryOf(run)})
    ON CONFLICT (key_hash) DO UPDATE
      SET operation_id = excluded.operation_id, is_of_worker = excluded.is_of_worker, expires_at = excluded.expires_at
      WHERE k.expires_at <= ${run.startedAt}
    RETURNING true AS is_claimed`)
    .catch(rejectInProgress);
  if (claimed !== undefined) return undefined;
  const earlier = await findEarlier(tx, key, run.startedAt, run.restore);
  if (earlier === undefined)
    throw new Error(`The operation record of an idempotency key of '${key.operation}' no longer exists.`);
  return earlier;
}

function expiryOf({ startedAt, replayHours }: Claim): Date {
  return new Date(startedAt.getTime() + replayHours * 3_600_000);
}

/** The row of a key is locked until the first request ends. */
function rejectInProgress(cause: unknown): never {
  if (!(cause instanceof StoreError && cause.code === 'lock-timeout')) throw cause;
  throw new ServiceError(
    'conflict',
    'IDEMPOTENCY_IN_PROGRESS',
    'The first request with this idempotency key is still in progress. ' +
      'Retry after it completes, with the same key and body.',
    { headers: { 'Retry-After': '1' }, cause },
  );
}

/** Releases the key of a run of a worker: one that was not started, has failed or was canceled (platform N-24). */
export async function releaseKey(tx: Transaction, operationId: string): Promise<void> {
  await tx.query(sql`DELETE FROM kernel_idempotency WHERE operation_id = ${operationId} AND is_of_worker`);
}

/** Returns the envelope of an earlier request with this key as a replay; 409 for a different body (platform N-21). */
export async function findEarlier(
  tx: Transaction,
  key: IdempotencyKey,
  now: Date,
  restore?: RestoreResult,
): Promise<Envelope | undefined> {
  // Replays are rare, so the record is read only for one.
  const [used] = await tx.query(sql<Pick<KernelIdempotency, 'operation_id'>>`
    SELECT operation_id FROM kernel_idempotency WHERE key_hash = ${storedKey(key)} AND expires_at > ${now}`);
  if (used === undefined) return undefined;
  const [audited] = await tx.query(sql<Pick<KernelOperationAudit, 'input_fingerprint'>>`
    SELECT input_fingerprint FROM kernel_operation_audit WHERE operation_id = ${used.operation_id} LIMIT 1`);
  if (audited === undefined) return undefined;
  if (storedFingerprint(audited.input_fingerprint) !== storedFingerprint(key.fingerprint)) {
    throw new ServiceError(
      'conflict',
      'IDEMPOTENCY_KEY_REUSED',
      `Idempotency key was reused with a different request body for operation '${key.operation}'. Use a fresh key for distinct payloads.`,
    );
  }
  return (await recordedEnvelope(tx, used.operation_id)) ?? restoredEnvelope(tx, used.operation_id, restore);
}

/** The envelope of a run that has a record. */
async function recordedEnvelope(tx: Transaction, operationId: string): Promise<Envelope | undefined> {
  const [row] = await tx.query(sql<
    Pick<KernelOperation, 'id' | 'name' | 'runs' | 'result' | 'packed_result' | 'user_id' | 'created_at'> & {
      readonly accepted: unknown;
    }
  >`
    SELECT id, name, runs, result, packed_result, task -> 'accepted' AS accepted, user_id, created_at
    FROM kernel_operation WHERE id = ${operationId}`);
  if (row === undefined) return undefined;
  const isInline = row.runs === 'inline';
  const result = isInline ? resultOf(row) : row.accepted;
  return earlierEnvelope({ ...row, started_at: row.created_at }, isInline ? 'completed' : 'pending', result);
}

/** The envelope of a run whose result the domain keeps. */
async function restoredEnvelope(
  tx: Transaction,
  operationId: string,
  restore: RestoreResult | undefined,
): Promise<Envelope | undefined> {
  const call = restore === undefined ? undefined : await findAuditedCall(tx, operationId);
  if (restore === undefined || call === undefined) return undefined;
  const { id, user_id: userId, ids } = call;
  return earlierEnvelope(call, 'completed', await restore({ operationId: id, userId, ids, tx }));
}

function earlierEnvelope(
  run: Pick<AuditedCall, 'id' | 'name' | 'user_id' | 'started_at'>,
  status: Envelope['status'],
  result: unknown,
): Envelope {
  return {
    operation: run.name,
    operationId: run.id,
    status,
    result: result ?? null,
    at: atSecond(run.started_at),
    createdBy: run.user_id,
    idempotentReplay: true,
  };
}
