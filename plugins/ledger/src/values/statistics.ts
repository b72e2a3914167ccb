import { sql, type Transaction } from '@pacioli/core';

/** Updates the query planner's statistics, before statements over a whole month and between large writes. */
export async function gatherStatistics(tx: Transaction): Promise<void> {
  await tx.query(sql`SELECT ledger_gather_statistics()`);
}
