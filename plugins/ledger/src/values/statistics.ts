import { sql, type Transaction } from '@pacioli/core';

/** Updates the query planner's statistics of tables that have doubled, between writes of thousands of rows. */
export async function gatherStatistics(tx: Transaction): Promise<void> {
  await tx.query(sql`SELECT ledger_gather_statistics()`);
}
