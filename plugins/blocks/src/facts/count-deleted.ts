import { type RawBuilder, sql, type Transaction } from '@pacioli/core';

/** Runs a DELETE without RETURNING, and returns the number of deleted rows. */
export async function countDeleted(tx: Transaction, deletion: RawBuilder<unknown>): Promise<number> {
  const [row] = await tx.query(sql<{ deleted: number }>`
    with gone as (${deletion} returning 1) select count(*)::int as deleted from gone`);
  return row?.deleted ?? 0;
}
