import { sql, type Transaction } from '@pacioli/core';

/**
 * Tells the planner how large the books have become. Before statements over a whole month, and between large writes.
 */
export async function gatherStatistics(tx: Transaction): Promise<void> {
  await tx.query(sql`SELECT ledger_gather_statistics()`);
}
