import { ServiceError, sql, type Transaction } from '@pacioli/core';
import type { PostedAccount } from '@pacioli/taxonomy';
import type { LedgerLineItem } from '../rows.gen.ts';
import { behindLocks, withLockName } from './locked-months.ts';

/** An account that may not fall below zero, in one of the currencies of its lines: amounts of others do not cover it. */
export interface LimitedAccount {
  readonly account: PostedAccount;
  readonly currency: string;
}

/** An account that is below zero on its side, with its balance in minor units of the currency. */
export interface Shortfall extends LimitedAccount {
  readonly balance: bigint;
}

/**
 * Throws `BALANCE_BELOW_ZERO` when one of these accounts is below zero on its side, after this transaction has reduced
 * it (ledger L-213). Concurrent reductions of the same account are serialized from here on.
 */
export async function requireNotNegative(tx: Transaction, limited: readonly LimitedAccount[]): Promise<void> {
  const short = await firstBelowZero(tx, limited);
  if (short !== undefined) throw belowZero(short, 'Post less');
}

/** The first of these accounts that is below zero; serializes callers as `requireNotNegative` does. */
export async function firstBelowZero(
  tx: Transaction,
  limited: readonly LimitedAccount[],
): Promise<Shortfall | undefined> {
  if (limited.length === 0) return undefined;
  const ids = [...new Set(limited.map(({ account }) => account.id))].sort();
  // Sent together, because the next caller waits for every message in between.
  const rows = await behindLocks(lockAccountLimits(tx, ids), netsOf(tx, ids));
  return limited
    .map(({ account, currency }) => {
      const row = rows.find((each) => each.element_id === account.id && each.currency === currency);
      return { account, currency, balance: onItsSide(account, BigInt(row?.net ?? 0)) };
    })
    .find(({ balance }) => balance < 0n);
}

function lockAccountLimits(tx: Transaction, ids: readonly string[]): Promise<unknown> {
  return withLockName('An account with no_negative', () =>
    tx.query(sql`
      SELECT pg_advisory_xact_lock(hashtextextended('pacioli.account.' || ${tx.graphId} || '.' || id, 0)) FROM unnest(${[...ids]}::text[]) AS id`),
  );
}

type NetRow = Pick<LedgerLineItem, 'element_id' | 'currency'> & { readonly net: string };

/**
 * Debits less credits of these accounts by currency: the totals of the last closed month, and the lines since then
 * (ledger L-218). A statement of its own, so that it sees the commits of the transactions for which the lock before it
 * has waited.
 */
function netsOf(tx: Transaction, accountIds: readonly string[]): Promise<readonly NetRow[]> {
  const graphId = tx.graphId;
  const ids = [...accountIds];
  return tx.query(sql<NetRow>`
    SELECT element_id, currency, sum(net)::text AS net FROM (
      SELECT element_id, currency, debit_total - credit_total AS net FROM ledger_month_total
      WHERE graph_id = ${graphId} AND period = (SELECT max(period) FROM ledger_month_total WHERE graph_id = ${graphId})
        AND element_id = ANY (${ids}::text[])
      UNION ALL
      SELECT element_id, currency, sum(debit_amount - credit_amount) FROM ledger_line_item
      WHERE graph_id = ${graphId} AND is_landed AND element_id = ANY (${ids}::text[])
        AND posting_date >= ledger_lines_begin(${graphId})
      GROUP BY element_id, currency
    ) AS part GROUP BY element_id, currency`);
}

/** The balance in the account's natural direction: positive on its normal side. */
export function onItsSide({ balanceType }: PostedAccount, net: bigint): bigint {
  return balanceType === 'debit' ? net : -net;
}

/** The error, with a remedy. */
export function belowZero(
  { account, currency, balance }: Shortfall,
  remedy: string,
  details: Readonly<Record<string, unknown>> = {},
): ServiceError {
  return new ServiceError(
    'invalid_input',
    'BALANCE_BELOW_ZERO',
    `Account ${account.code ?? account.id} ${account.name} must not fall below zero, but would be at ${balance} minor units of ${currency}. ` +
      `${remedy}, or remove no_negative from the metadata of the account.`,
    { details: { account_id: account.id, currency, balance: balance.toString(), ...details } },
  );
}
