import { sql } from 'kysely';
import type { KernelOperationEvent } from '../rows.gen.ts';
import { storableJson } from '../store/storable.ts';
import type { Transaction } from '../store/store.ts';

/** The channel that notifies other processes of a new event of an operation. */
export const operationChannel = 'pacioli_operation';

/** A stored event of a run (platform V-3, V-4). */
export interface OperationEvent {
  readonly sequence: number;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The final states of a run (platform 11.1). */
export const terminalStates: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/**
 * Appends an event to a run: the next sequence number is taken in the same statement, so there are no gaps.
 * Watchers in all processes are notified at the commit.
 */
export async function appendEvent(
  tx: Transaction,
  operationId: string,
  type: string,
  payload: object,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    WITH next AS (
      UPDATE kernel_operation SET event_count = event_count + 1, updated_at = ${now} WHERE id = ${operationId}
      RETURNING event_count)
    INSERT INTO kernel_operation_event (operation_id, sequence, type, payload, at)
    SELECT ${operationId}, event_count, ${type}, ${storableJson(payload)}::jsonb || jsonb_build_object(
      'operation_id', ${operationId}::text, 'timestamp', ${now.toISOString()}::text, 'sequence_number', event_count), ${now}
    FROM next`);
  await tx.query(sql`SELECT pg_notify(${operationChannel}, ${operationId})`);
}

/** Reads events from a sequence number, at most `maxRows`. */
export async function readEvents(
  tx: Transaction,
  operationId: string,
  from: number,
  rowsMax: number,
): Promise<readonly OperationEvent[]> {
  return tx.query(sql<
    Pick<KernelOperationEvent, 'sequence' | 'type'> & { readonly payload: Readonly<Record<string, unknown>> }
  >`
    SELECT sequence, type, payload FROM kernel_operation_event
    WHERE operation_id = ${operationId} AND sequence >= ${from} ORDER BY sequence LIMIT ${rowsMax}`);
}
