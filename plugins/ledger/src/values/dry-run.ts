import { sql, type Transaction } from '@pacioli/core';

/** Does the work and rolls back everything that it wrote, locks included; returns or throws as the work does. */
export async function dryRun<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  await tx.query(sql`SAVEPOINT dry_run`);
  try {
    return await work();
  } finally {
    await tx.query(sql`ROLLBACK TO SAVEPOINT dry_run`);
  }
}
