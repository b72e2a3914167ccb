import { sql } from 'kysely';
import type { KernelRateSlot } from '../rows.gen.ts';
import type { Store } from '../store/store.ts';
import { slotBefore, slotOf } from './sliding-window.ts';

/** Calls that a process has admitted but not yet shared with the others. */
export interface WindowDelta {
  readonly bucket: string;
  readonly seconds: number;
  readonly slots: ReadonlyMap<number, number>;
}

/** The calls that all processes have counted for a bucket. */
export interface WindowTotal {
  readonly bucket: string;
  readonly slots: ReadonlyMap<number, number>;
}

type SlotRow = Pick<KernelRateSlot, 'bucket' | 'slot' | 'calls'>;

/**
 * Adds the calls of this process and reads the totals of all, for many buckets in one transaction of two statements.
 * Buckets are written in sorted order, so that processes cannot deadlock.
 */
export async function exchangeWindows(
  store: Store,
  deltas: readonly WindowDelta[],
  nowMs: number,
): Promise<readonly WindowTotal[]> {
  const ordered = [...deltas].sort((a, b) => (a.bucket < b.bucket ? -1 : 1));
  const added = ordered.flatMap(({ bucket, slots, seconds }) =>
    [...slots].map(([slot, calls]) => ({ bucket, slot, calls, expires: expiryOf(seconds, nowMs) })),
  );
  const wanted = ordered.map(({ bucket, seconds }) => ({ bucket, before: slotBefore({ seconds }, nowMs) }));
  const rows = await store.transaction('kernel', async (tx) => {
    if (added.length > 0) {
      await tx.query(sql`
        INSERT INTO kernel_rate_slot AS s (bucket, slot, calls, expires_at)
        SELECT bucket, slot, calls, expires FROM jsonb_to_recordset(${JSON.stringify(added)}::text::jsonb)
          AS row (bucket text, slot bigint, calls integer, expires timestamptz)
        ORDER BY bucket, slot
        ON CONFLICT (bucket, slot) DO UPDATE SET calls = s.calls + excluded.calls`);
    }
    return tx.query(sql<SlotRow>`
      SELECT s.bucket, s.slot, s.calls FROM jsonb_to_recordset(${JSON.stringify(wanted)}::text::jsonb)
        AS row (bucket text, before bigint) JOIN kernel_rate_slot s ON s.bucket = row.bucket AND s.slot > row.before`);
  });
  const totals = new Map<string, Map<number, number>>(ordered.map(({ bucket }) => [bucket, new Map()]));
  for (const { bucket, slot, calls } of rows) totals.get(bucket)?.set(slot, calls);
  return [...totals].map(([bucket, slots]) => ({ bucket, slots }));
}

/**
 * Checks and counts one call in the store itself, so that only one of two processes gets the last slot.
 * Returns the calls in the window including this one, or undefined at the limit, with its slots.
 */
export async function countInStore(
  store: Store,
  call: { readonly bucket: string; readonly seconds: number; readonly maxCalls: number },
  nowMs: number,
): Promise<{ readonly isAdmitted: boolean; readonly slots: ReadonlyMap<number, number> }> {
  return store.transaction('kernel', async (tx) => {
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`pacioli.rate.${call.bucket}`}, 0))`);
    const rows = await tx.query(sql<Omit<SlotRow, 'bucket'>>`
      SELECT slot, calls FROM kernel_rate_slot WHERE bucket = ${call.bucket} AND slot > ${slotBefore(call, nowMs)}`);
    const slots = new Map(rows.map(({ slot, calls }) => [slot, calls]));
    const used = rows.reduce((sum, { calls }) => sum + calls, 0);
    if (used >= call.maxCalls) return { isAdmitted: false, slots };
    const slot = slotOf(call, nowMs);
    await tx.query(sql`
      INSERT INTO kernel_rate_slot AS s (bucket, slot, calls, expires_at)
      VALUES (${call.bucket}, ${slot}, 1, ${expiryOf(call.seconds, nowMs)})
      ON CONFLICT (bucket, slot) DO UPDATE SET calls = s.calls + 1`);
    slots.set(slot, (slots.get(slot) ?? 0) + 1);
    return { isAdmitted: true, slots };
  });
}

function expiryOf(seconds: number, nowMs: number): string {
  return new Date(nowMs + 2 * seconds * 1000).toISOString();
}
