import { invalidInput, type RawBuilder, sql, type Transaction } from '@pacioli/core';
import { maxAmount } from '../values/index.ts';
import { withLockName } from './locked-months.ts';

/**
 * Amounts from this number of minor units on are checked against a total. Smaller ones would have to be a thousand to pass
 * the limit by themselves, so they are not (ledger L-2).
 */
const largeAmount = 2n ** 43n;

/** Debits that a write adds to the books. */
export interface AddedDebits {
  readonly amount: bigint;
  readonly currency: string;
  /** Entries that the write replaces, so that their debits do not count. */
  readonly insteadOf?: readonly string[];
}

/**
 * Rejects debits that would take the total of all entries, drafts included, above what JSON carries exactly (ledger
 * L-2): the total of the debits bounds the balance of every account.
 */
export async function requireCapacityForDebits(tx: Transaction, added: AddedDebits): Promise<void> {
  const graphId = tx.graphId;
  const replaced = [...(added.insteadOf ?? [])];
  await requireCapacity(tx, added.amount, {
    what: `The debits of these books in ${added.currency}`,
    // Entries that are replaced and drafts are in open months, so the totals of closed months count in full and nothing
    // else of those months is read (ledger L-218).
    sum: sql<TotalRow>`
      SELECT sum(amount) AS total FROM (
        SELECT debit_total AS amount FROM ledger_month_total
        WHERE graph_id = ${graphId} AND period = (SELECT max(period) FROM ledger_month_total WHERE graph_id = ${graphId})
          AND currency = ${added.currency}
        UNION ALL
        SELECT debit_amount FROM ledger_line_item
        WHERE graph_id = ${graphId} AND is_landed AND currency = ${added.currency} AND entry_id <> ALL (${replaced}::text[])
          AND posting_date >= ledger_lines_begin(${graphId})
        UNION ALL
        SELECT l.debit_amount FROM ledger_entry AS e JOIN ledger_line_item AS l ON l.graph_id = e.graph_id AND l.entry_id = e.id
        WHERE e.graph_id = ${graphId} AND e.status = 'draft' AND e.currency = ${added.currency} AND e.id <> ALL (${replaced}::text[])
          AND e.posting_date >= ledger_lines_begin(${graphId})
      ) AS part`,
  });
}

/**
 * Rejects an amount that would take the total of all events with amounts of this size above what JSON carries exactly
 * (ledger L-2, L-100). They are about a thousand at most, and an index has only them.
 */
export async function requireCapacityForAmount(
  tx: Transaction,
  event: { readonly amount: number | null; readonly currency: string },
): Promise<void> {
  // A literal, because the planner would not find the index by a parameter.
  const large = sql.lit(Number(largeAmount));
  await requireCapacity(tx, BigInt(Math.abs(event.amount ?? 0)), {
    what: `The amounts of the events in ${event.currency}`,
    sum: sql<TotalRow>`SELECT sum(abs(amount)) AS total FROM ledger_event
      WHERE graph_id = ${tx.graphId} AND currency = ${event.currency} AND status NOT IN ('voided', 'superseded')
        AND (amount >= ${large} OR amount <= -${large})`,
  });
}

/**
 * Serializes large additions to the books until the transaction ends: two at once would each fit, so the sum is a later
 * statement, which sees what the other has committed. This lock precedes period locks and row locks (ledger L-150).
 */
async function lockCapacity(tx: Transaction, added: bigint): Promise<void> {
  if (added < largeAmount) return;
  await withLockName('The total of these books', () =>
    tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended('pacioli.book-totals.' || ${tx.graphId}, 0))`),
  );
}

interface TotalRow {
  readonly total: string | null;
}

async function requireCapacity(
  tx: Transaction,
  added: bigint,
  { what, sum }: { readonly what: string; readonly sum: RawBuilder<TotalRow> },
): Promise<void> {
  if (added < largeAmount) return;
  await lockCapacity(tx, added);
  const [row] = await tx.query(sum);
  const total = BigInt(row?.total ?? 0) + added;
  if (total > BigInt(maxAmount))
    throw invalidInput(
      `${what} would add up to ${total} minor units, above ${maxAmount}, the largest amount that is shown exactly. Record a smaller amount.`,
    );
}
