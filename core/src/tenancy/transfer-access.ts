import type { TransferRow } from '../files/file-transfers.ts';
import type { Store } from '../store/store.ts';
import { readGraphAccess } from './graph-access-rows.ts';
import { effectiveRole, isAtLeast } from './roles.ts';

/** False if the user of a grant lost the role on the graph since then. A grant from before grants had a user stays. */
export async function mayTransfer(
  store: Store,
  grant: Pick<TransferRow, 'graph_id' | 'user_id'>,
  role: 'viewer' | 'member',
): Promise<boolean> {
  if (grant.user_id === null) return true;
  const row = await readGraphAccess(store, grant.user_id, grant.graph_id);
  const current = row === undefined ? undefined : effectiveRole(row.grant_role, row.org_role);
  return current !== undefined && isAtLeast(current, role);
}
