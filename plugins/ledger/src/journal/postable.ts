import { invalidInput, type ServiceError, type Transaction } from '@pacioli/core';
import type { ChartOfAccounts, PostedAccount } from '@pacioli/taxonomy';
import { type LimitedAccount, onItsSide } from './account-limits.ts';
import { bookingRefusal } from './booking-refusal.ts';
import type { PlannedEntry } from './journal-plan.ts';
import { netByAccount, totals } from './lines.ts';
import { withLockName } from './locked-months.ts';

/** Entries to check before they are written, drafts included. */
export interface Postable {
  readonly entries: readonly (Pick<PlannedEntry, 'lines' | 'reversalOf'> & Partial<Pick<PlannedEntry, 'status'>>)[];
}

/** The accounts of the lines, each once. */
export function accountsOf(plan: Postable | undefined): readonly string[] {
  return [...new Set(plan?.entries.flatMap((entry) => entry.lines.map((line) => line.elementId)))];
}

/** Requires that every account exists, is not a header, is active and is in the entry's currency (ledger L-47, L-5). */
export function requirePostable(
  accounts: ReadonlyMap<string, PostedAccount>,
  ids: readonly string[],
  plan: Postable,
  currency: string,
): void {
  const missing = ids.filter((id) => !accounts.has(id));
  if (missing.length > 0) throw accountsMissing(missing);
  const isReversal = plan.entries.every((entry) => entry.reversalOf !== null);
  for (const id of ids) {
    const account = accounts.get(id);
    if (account === undefined) continue;
    const label = `Account ${account.code ?? account.id}`;
    if (account.isAbstract || account.isPlaceholder)
      throw invalidInput(`${label} ${account.name} is a header and cannot be posted to`);
    // Entries posted before an account was retired can still be reversed.
    if (!account.isActive && !isReversal)
      throw invalidInput(`${label} ${account.name} is retired and cannot be posted to`);
    if (account.currency !== null && account.currency !== currency)
      throw invalidInput(`${label} is kept in ${account.currency}; entry is in ${currency}`);
  }
}

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
  const missing = await withLockName('The chart of accounts', () => chart.lockAndFindMissing(tx, ids));
  if (missing.length > 0) throw accountsMissing(missing);
}

/** The error for accounts that do not exist, or were deleted after the lines were checked (ledger L-47). */
function accountsMissing(ids: readonly string[]): ServiceError {
  return bookingRefusal('element_unmapped', `Element(s) not found: [${ids.join(', ')}]`, { element_ids: ids });
}

/**
 * The accounts that the lines reduce and that may not fall below zero (ledger L-213); drafts do not reduce an account
 * yet.
 */
export function limitedAmong(
  accounts: ReadonlyMap<string, PostedAccount>,
  plan: Postable,
  currency: string,
): readonly LimitedAccount[] {
  const nets = netByAccount(plan.entries.flatMap(({ lines, status }) => (status === 'posted' ? lines : [])));
  return [...accounts.values()]
    .filter((account) => account.isNeverNegative && onItsSide(account, nets.get(account.id) ?? 0n) < 0n)
    .map((account) => ({ account, currency }));
}

/** The debits that the lines add to the books. Reversals do not count, because they must always be possible. */
export function debitsAdded(plan: Postable | undefined): bigint {
  const entries = plan?.entries.filter(({ reversalOf }) => reversalOf === null) ?? [];
  return entries.reduce((sum, { lines }) => sum + totals(lines).debit, 0n);
}
