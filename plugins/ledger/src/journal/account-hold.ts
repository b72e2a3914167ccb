import type { ServiceError, Transaction } from '@pacioli/core';
import type { ChartOfAccounts } from '@pacioli/taxonomy';
import { bookingRefusal } from './booking-refusal.ts';
import { naming } from './period-lock.ts';

/**
 * Keeps the accounts of lines that are about to be written from being deleted meanwhile. 422 for accounts that went since
 * the lines were checked (ledger L-47). The fence of months holds them already (ledger L-150).
 */
export async function holdAccounts(
  tx: Transaction,
  chart: ChartOfAccounts,
  lines: readonly { readonly elementId: string }[],
): Promise<void> {
  const ids = [...new Set(lines.map((line) => line.elementId))];
  const missing = await naming('The chart of accounts', () => chart.hold(tx, ids));
  if (missing.length > 0) throw accountsMissing(missing);
}

/** Ledger L-47: accounts that are not there, or have gone since the lines were checked. */
export function accountsMissing(ids: readonly string[]): ServiceError {
  return bookingRefusal('element_unmapped', `Element(s) not found: [${ids.join(', ')}]`, { element_ids: ids });
}
