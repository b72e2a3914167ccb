import { invalidInput, type Transaction } from '@pacioli/core';
import type { ChartOfAccounts } from '@pacioli/taxonomy';
import { naming } from './store/period-fence.ts';

/**
 * Keeps the accounts of lines that are about to be written from being deleted meanwhile. It belongs after the fence of the
 * months (ledger L-150). 422 for accounts that went since the lines were checked (ledger L-47).
 */
export async function holdAccounts(
  tx: Transaction,
  chart: ChartOfAccounts,
  lines: readonly { readonly elementId: string }[],
): Promise<void> {
  const ids = [...new Set(lines.map((line) => line.elementId))].sort();
  if (ids.length === 0) return;
  const held = await naming('An account of the entry', () => chart.hold(tx, ids));
  const missing = ids.filter((id) => !held.has(id));
  if (missing.length > 0) throw invalidInput(`Element(s) not found: [${missing.join(', ')}]`, { element_ids: missing });
}
