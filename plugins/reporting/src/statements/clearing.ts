import type { ClearingAccounts } from '@pacioli/ledger';
import type { Account, AccountMapping } from '@pacioli/taxonomy';
import type { Layout } from './statement-lines.ts';

const incomeSummary = /\bincome summary\b/i;

/**
 * The accounts of which an entry that closes income to equity consists (reporting S-2a): those of flows, those of the
 * earnings home, and other balance-sheet accounts named income summary.
 */
export function clearingAccounts(
  layout: Layout,
  mapping: AccountMapping,
  accounts: readonly Pick<Account, 'id' | 'name' | 'periodType'>[],
): ClearingAccounts {
  const concepts = new Map(mapping.arcs.map((arc) => [arc.accountId, arc.concept]));
  const found = { flowIds: [] as string[], equityIds: [] as string[], summaryIds: [] as string[] };
  for (const { id, name, periodType } of accounts) {
    const concept = concepts.get(id);
    if ((concept?.periodType ?? periodType) === 'duration') found.flowIds.push(id);
    else if (concept?.qname != null && layout.leafOf(concept.qname)?.qname === layout.earningsHome)
      found.equityIds.push(id);
    else if (incomeSummary.test(name)) found.summaryIds.push(id);
  }
  return found;
}
