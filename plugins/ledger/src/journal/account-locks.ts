import type { ServiceError, Transaction } from '@pacioli/core';
import type { ChartOfAccounts } from '@pacioli/taxonomy';
import { bookingRefusal } from './booking-refusal.ts';
import { withLockName } from './locked-months.ts';

/**
 * Locks the accounts of lines that are about to be written, so that nobody deletes them. Throws 422 for accounts
 * deleted since the lines were checked (ledger L-47). The period locks already cover them (ledger L-150).
 */
export async function lockAccounts(
  tx: Transaction,
  chart: ChartOfAccounts,
  lines: readonly { readonly elementId: string }[],
): Promise<void> {
  const ids = [...new Set(lines.map((line) => line.elementId))];
  const missing = await withLockName('The chart of accounts', () => chart.hold(tx, ids));
  if (missing.length > 0) throw accountsMissing(missing);
}

/** The error for accounts that do not exist, or were deleted after the lines were checked (ledger L-47). */
export function accountsMissing(ids: readonly string[]): ServiceError {
  return bookingRefusal('element_unmapped', `Element(s) not found: [${ids.join(', ')}]`, { element_ids: ids });
}
