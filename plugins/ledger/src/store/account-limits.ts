import { ServiceError, sql, type Transaction } from '@pacioli/core';
import type { PostedAccount } from '@pacioli/taxonomy';
import { graphOf } from './graph-of.ts';
import { naming } from './period-lock.ts';

/** An account that is below zero on its side, and where it is, in minor units. */
export interface Shortfall {
  readonly account: PostedAccount;
  readonly balance: bigint;
}

/**
 * Refuses with `BALANCE_BELOW_ZERO` when one of these accounts is below zero on its side, after something was taken
 * from it in this transaction (ledger L-213). Callers that take from the same account come one after the other from
 * here on.
 */
export async function requireNotNegative(tx: Transaction, accounts: readonly PostedAccount[]): Promise<void> {
  const short = await firstBelowZero(tx, accounts);
  if (short !== undefined) throw belowZero(short, 'Post less');
}

/** The first of these accounts that is below zero; waits as `requireNotNegative` does. */
export async function firstBelowZero(
  tx: Transaction,
  accounts: readonly PostedAccount[],
): Promise<Shortfall | undefined> {
  if (accounts.length === 0) return undefined;
  const graphId = graphOf(tx);
  const ids = accounts.map(({ id }) => id).sort();
  await naming('An account with no_negative', () =>
    tx.query(sql`
      SELECT pg_advisory_xact_lock(hashtextextended('pacioli.account.' || ${graphId} || '.' || id, 0)) FROM unnest(${ids}::text[]) AS id`),
  );
  // A statement of its own: it sees what those have committed that this one waited for.
  const rows = await tx.query(sql<{ element_id: string; net: string }>`
    SELECT element_id, (sum(debit_amount) - sum(credit_amount))::text AS net FROM ledger_line_item
    WHERE graph_id = ${graphId} AND is_landed AND element_id = ANY (${ids}::text[]) GROUP BY element_id`);
  const nets = new Map(rows.map(({ element_id: id, net }) => [id, BigInt(net)]));
  return accounts
    .map((account) => ({ account, balance: onItsSide(account, nets.get(account.id) ?? 0n) }))
    .find(({ balance }) => balance < 0n);
}

/** Debits less credits as the account counts them: above zero on the side where it stands. */
export function onItsSide({ balanceType }: PostedAccount, net: bigint): bigint {
  return balanceType === 'debit' ? net : -net;
}

/** The refusal, with what can be done about it. */
export function belowZero(
  { account, balance }: Shortfall,
  remedy: string,
  details: Readonly<Record<string, unknown>> = {},
): ServiceError {
  return new ServiceError(
    'invalid_input',
    'BALANCE_BELOW_ZERO',
    `Account ${account.code ?? account.id} ${account.name} may not fall below zero, and would be at ${balance} minor units. ` +
      `${remedy}, or take no_negative out of the metadata of the account.`,
    { details: { account_id: account.id, balance: balance.toString(), ...details } },
  );
}
