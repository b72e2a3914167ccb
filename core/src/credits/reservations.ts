import { sql } from 'kysely';
import type { KernelCreditReservation, KernelCreditTransaction } from '../rows.gen.ts';
import { columnsOf, type RowOf } from '../store/columns.ts';
import type { Transaction } from '../store/store.ts';
import { alertWhenLow } from './credit-alerts.ts';
import type { CreditParts } from './pool-changes.ts';
import { book, lockPool, type Pool, unbook } from './pool-rows.ts';

/** The idempotency key of a settled call's transaction begins with this; the operation id and the call's number follow. */
const consumptionKeyPrefix = 'consumption_';

/** An unsettled reservation is released after this time (platform C-8). */
export const maxUnsettledSeconds = 300;

/** One model call of one run; the pair is settled at most once, so each call to a provider has its own (platform C-11). */
export interface CallKey {
  readonly operationId: string;
  readonly callIndex: number;
}

/** The caller of a model call, for the transaction's row (platform C-9). */
export interface CallFacts extends CallKey {
  /** The purpose of the credits, such as the operator's name. */
  readonly operationType: string;
  readonly userId: string;
  readonly requestId: string;
}

/** The cost of a settled call. */
export interface Charge {
  readonly charged_hundredths: number;
  /** True if the call cost more than the allowed overrun: the run must stop (platform C-8). */
  readonly isExhausted: boolean;
}

const reservationColumns = columnsOf<KernelCreditReservation>()(
  'operation_id',
  'call_index',
  'pool_id',
  'state',
  'attempt',
  'reserved_hundredths',
  'charged_hundredths',
  'transaction_id',
);

type ReservationRow = RowOf<typeof reservationColumns>;

/** Reads the reservation of a call in any state. The caller holds the lock on the pool, so it cannot change. */
async function reservationOf(
  tx: Transaction,
  { operationId, callIndex }: CallKey,
): Promise<ReservationRow | undefined> {
  const [row] = await tx.query<ReservationRow>(sql`
    SELECT ${reservationColumns}
    FROM kernel_credit_reservation WHERE operation_id = ${operationId} AND call_index = ${callIndex}`);
  return row;
}

/**
 * Reserves an amount in a locked pool; false if the balance is too low. An open reservation of the call is kept. Throws
 * for a call that is already settled, because another call with its number would be free (platform C-11).
 */
export async function reserveIn(
  parts: CreditParts,
  tx: Transaction,
  pool: Pool,
  call: CallFacts,
  amountHundredths: number,
): Promise<boolean> {
  const earlier = await reservationOf(tx, call);
  const at = parts.clock.now();
  const expires = new Date(at.getTime() + maxUnsettledSeconds * 1000);
  if (earlier?.state === 'settled')
    throw new Error(
      `Call ${call.callIndex} of ${call.operationId} is already charged. Give a further call its own number.`,
    );
  if (earlier?.state === 'open') {
    await tx.query(sql`UPDATE kernel_credit_reservation SET expires_at = ${expires}
      WHERE operation_id = ${call.operationId} AND call_index = ${call.callIndex}`);
    return true;
  }
  if (pool.balance_hundredths < amountHundredths) return false;
  const attempt = (earlier?.attempt ?? 0) + 1;
  const id = parts.ids.make('tx');
  await book(tx, pool, {
    id,
    type: 'reservation',
    amount_hundredths: -amountHundredths,
    operationType: call.operationType,
    description: `Reserved for a model call of ${call.operationType}`,
    metadata: { operator: call.operationType, call_index: call.callIndex },
    idempotencyKey: `reservation_${call.operationId}_${call.callIndex}_${attempt}`,
    operationId: call.operationId,
    requestId: call.requestId,
    userId: call.userId,
    at,
  });
  await tx.query(sql`
    INSERT INTO kernel_credit_reservation (operation_id, call_index, pool_id, state, attempt, reserved_hundredths,
      transaction_id, expires_at)
    VALUES (${call.operationId}, ${call.callIndex}, ${pool.id}, 'open', ${attempt}, ${amountHundredths}, ${id}, ${expires})
    ON CONFLICT (operation_id, call_index) DO UPDATE SET state = 'open', attempt = excluded.attempt,
      pool_id = excluded.pool_id, reserved_hundredths = excluded.reserved_hundredths,
      transaction_id = excluded.transaction_id, expires_at = excluded.expires_at`);
  return true;
}

/**
 * Replaces the reservation with the actual cost. An excess is charged down to `floorHundredths`; a call
 * whose reservation expired is still charged.
 */
export async function settleIn(
  parts: CreditParts,
  tx: Transaction,
  pool: Pool,
  call: CallFacts,
  cost: {
    readonly costHundredths: number;
    readonly floorHundredths: number;
    readonly metadata: Readonly<Record<string, unknown>>;
  },
): Promise<Charge> {
  const { costHundredths, floorHundredths, metadata } = cost;
  const earlier = await reservationOf(tx, call);
  if (earlier?.state === 'settled') return { charged_hundredths: earlier.charged_hundredths, isExhausted: false };
  if (earlier === undefined && costHundredths === 0) return { charged_hundredths: 0, isExhausted: false };
  const at = parts.clock.now();
  const isOpen = earlier?.state === 'open' && earlier.transaction_id !== null;
  const freed = isOpen ? await unbook(tx, pool, earlier.transaction_id ?? '', at) : pool;
  const chargedHundredths = Math.min(costHundredths, Math.max(0, freed.balance_hundredths - floorHundredths));
  const after = await book(tx, freed, {
    id: parts.ids.make('tx'),
    type: 'consumption',
    amount_hundredths: -chargedHundredths,
    operationType: call.operationType,
    description: `Model call of ${call.operationType}`,
    metadata: { ...metadata, operator: call.operationType, operation_id: call.operationId, call_index: call.callIndex },
    idempotencyKey: `${consumptionKeyPrefix}${call.operationId}_${call.callIndex}`,
    operationId: call.operationId,
    requestId: call.requestId,
    userId: call.userId,
    at,
  });
  await tx.query(sql`
    INSERT INTO kernel_credit_reservation (operation_id, call_index, pool_id, state, reserved_hundredths,
      charged_hundredths, expires_at)
    VALUES (${call.operationId}, ${call.callIndex}, ${pool.id}, 'settled', 0, ${chargedHundredths}, ${at})
    ON CONFLICT (operation_id, call_index) DO UPDATE SET state = 'settled',
      charged_hundredths = excluded.charged_hundredths, transaction_id = NULL`);
  await alertWhenLow(tx, { events: parts.events, pool: after, at });
  return { charged_hundredths: chargedHundredths, isExhausted: chargedHundredths < costHundredths };
}

/** The settled calls of a run, with the credits and tokens that were charged for them. */
export interface ChargedCalls {
  readonly calls: number;
  readonly hundredths: number;
  /** All input, also what was read from or stored in the provider's cache. */
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
}

/** Sums up the settled calls of a run over all its attempts. */
export async function chargedCalls(tx: Transaction, operationId: string): Promise<ChargedCalls> {
  const tokens = (field: string) => sql`coalesce(sum((t.metadata->>${field})::bigint), 0)::bigint`;
  const [row] = await tx.query<ChargedCalls>(sql`
    SELECT count(*)::integer AS calls, coalesce(sum(r.charged_hundredths), 0)::bigint AS hundredths,
      ${tokens('input_tokens')} AS "inputTokens", ${tokens('cached_input_tokens')} AS "cachedInputTokens",
      ${tokens('cache_write_tokens')} AS "cacheWriteTokens", ${tokens('output_tokens')} AS "outputTokens"
    FROM kernel_credit_reservation r
    LEFT JOIN kernel_credit_transaction t ON t.idempotency_key = ${consumptionKeyPrefix} || r.operation_id || '_' || r.call_index
    WHERE r.operation_id = ${operationId} AND r.state = 'settled'`);
  if (row === undefined) throw new Error('An aggregate returns a row.');
  return row;
}

/** Releases the reservation of a call, if it has an open one. */
export async function releaseCall(
  parts: CreditParts,
  tx: Transaction,
  call: CallKey,
  description: string,
): Promise<void> {
  const seen = await reservationOf(tx, call);
  const pool = seen === undefined ? undefined : await lockPool(tx, seen.pool_id);
  // Reads again: the call may have been settled while this waited for the lock.
  const row = await reservationOf(tx, call);
  if (pool === undefined || row?.state !== 'open') return;
  const [held] = await tx.query<Pick<KernelCreditTransaction, 'operation_type' | 'user_id' | 'request_id'>>(sql`
    SELECT operation_type, user_id, request_id FROM kernel_credit_transaction WHERE id = ${row.transaction_id}`);
  await book(tx, pool, {
    id: parts.ids.make('tx'),
    type: 'refund',
    amount_hundredths: row.reserved_hundredths,
    operationType: held?.operation_type ?? 'refund',
    description,
    metadata: { call_index: call.callIndex },
    idempotencyKey: `refund_${call.operationId}_${call.callIndex}_${row.attempt}`,
    operationId: call.operationId,
    ...(held?.request_id == null ? {} : { requestId: held.request_id }),
    ...(held?.user_id == null ? {} : { userId: held.user_id }),
    at: parts.clock.now(),
  });
  await tx.query(sql`UPDATE kernel_credit_reservation SET state = 'released', transaction_id = NULL
    WHERE operation_id = ${call.operationId} AND call_index = ${call.callIndex}`);
}

/** Lists the calls whose reservation expired unsettled, oldest first. */
export async function unsettledCalls(tx: Transaction, now: Date, maxRows: number): Promise<readonly CallKey[]> {
  return tx.query<{
    readonly operationId: KernelCreditReservation['operation_id'];
    readonly callIndex: KernelCreditReservation['call_index'];
  }>(sql`
    SELECT operation_id AS "operationId", call_index AS "callIndex" FROM kernel_credit_reservation
    WHERE state = 'open' AND expires_at <= ${now} ORDER BY expires_at LIMIT ${maxRows}`);
}
