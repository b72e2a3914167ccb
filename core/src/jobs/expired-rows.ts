import { type RawBuilder, sql } from 'kysely';
import type { JobContext } from '../define/job.ts';
import type { Transaction } from '../store/store.ts';

/** The rows that one transaction of a clean-up removes. */
export const maxRowsPerTurn = 5_000;

/** Deletes in batches, each in its own transaction, so that the locks of a clean-up are held briefly. */
export async function removeExpiredRows(ctx: JobContext, table: string, condition: RawBuilder<unknown>): Promise<void> {
  await inBatches(ctx, async (tx) => {
    // Reads the rows by their addresses, whatever the planner knows about them. Repeats the condition, because a row may
    // be renewed while this statement waits for it: an idempotency key that has expired is claimed in place, and the new
    // version of the row must remain.
    const rows = await tx.query(sql`DELETE FROM ${sql.table(table)} WHERE ${condition} AND ctid = ANY (ARRAY(
      SELECT ctid FROM ${sql.table(table)} WHERE ${condition} LIMIT ${maxRowsPerTurn})) RETURNING 1 AS gone`);
    return rows.length;
  });
}

/** Repeats a step until it removes less than a full batch. */
export async function inBatches(ctx: JobContext, remove: (tx: Transaction) => Promise<number>): Promise<void> {
  for (let removed = maxRowsPerTurn; removed === maxRowsPerTurn && !ctx.signal.aborted; )
    removed = await ctx.store.transaction('kernel', remove);
}
