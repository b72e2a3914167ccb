import { type RawBuilder, sql } from 'kysely';
import { monthOf, startOfMonth } from '../calendar.ts';
import type { KernelCreditTransaction } from '../rows.gen.ts';
import { columnsOf, type RowOf } from '../store/columns.ts';
import type { Transaction } from '../store/store.ts';
import { ratio, toCredits } from './amounts.ts';
import { findPool, type Pool, type PoolOwner, type TransactionType } from './pool-rows.ts';

/** The filter of a transaction list (platform C-14); days are in UTC and inclusive. */
export interface TransactionFilter {
  readonly type?: TransactionType;
  readonly operationType?: string;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly limit: number;
  readonly offset: number;
}

const transactionColumns = columnsOf<KernelCreditTransaction>()(
  'id',
  'type',
  'amount_hundredths',
  'operation_type',
  'description',
  'metadata',
  'idempotency_key',
  'operation_id',
  'request_id',
  'user_id',
  'created_at',
);

type TransactionRow = RowOf<typeof transactionColumns> & { readonly metadata: Readonly<Record<string, unknown>> };

type SummaryRow = Pick<KernelCreditTransaction, 'operation_type'> & {
  readonly amount_hundredths: number;
  readonly transactions: number;
  readonly first_at: Date;
  readonly last_at: Date;
};

export interface CreditReads {
  summary: typeof readSummary;
  transactions: typeof readTransactions;
  isBooked: typeof isBooked;
}

/** Reads the summary of a pool in its wire form, or undefined without a pool (platform C-13). */
async function readSummary(tx: Transaction, owner: PoolOwner, now: Date) {
  const pool = await findPool(tx, owner, { hold: false });
  if (pool === undefined) return undefined;
  const [used] = await tx.query<{ consumed: number; transactions: number }>(sql`
    SELECT COALESCE(-sum(amount_hundredths), 0)::bigint AS consumed, count(*) AS transactions
    FROM kernel_credit_transaction
    WHERE pool_id = ${pool.id} AND type = 'consumption' AND created_at >= ${countsFrom(pool, now)}`);
  const [last] = await tx.query<Pick<KernelCreditTransaction, 'created_at'>>(sql`
    SELECT created_at FROM kernel_credit_transaction WHERE pool_id = ${pool.id} AND type = 'allocation'
    ORDER BY created_at DESC, id DESC LIMIT 1`);
  const consumed = used?.consumed ?? 0;
  return {
    graph_id: owner.graphId,
    graph_tier: pool.subscriber_id === null ? pool.tier : `${pool.graph_id}-repository`,
    current_balance: toCredits(pool.balance_hundredths),
    monthly_allocation: toCredits(pool.allocation_hundredths),
    consumed_this_month: toCredits(consumed),
    transaction_count: used?.transactions ?? 0,
    usage_percentage: ratio(consumed * 100, pool.allocation_hundredths),
    last_allocation_date: last?.created_at.toISOString() ?? null,
  };
}

/** Usage counts from the first of the month, for subscribers from their last reset. */
function countsFrom(pool: Pool, now: Date): Date {
  return pool.subscriber_id === null ? startOfMonth(monthOf(now)) : pool.period_started_at;
}

/** Reads a page of a pool's transactions in wire form, newest first; undefined without a pool (platform C-14). */
async function readTransactions(tx: Transaction, owner: PoolOwner, filter: TransactionFilter) {
  const pool = await findPool(tx, owner, { hold: false });
  if (pool === undefined) return undefined;
  const where = conditions(pool, filter);
  const rows = await tx.query<TransactionRow>(sql`
    SELECT ${transactionColumns}
    FROM kernel_credit_transaction WHERE ${where}
    ORDER BY created_at DESC, id DESC LIMIT ${filter.limit} OFFSET ${filter.offset}`);
  const groups = await tx.query<SummaryRow>(sql`
    SELECT operation_type, sum(amount_hundredths)::bigint AS amount_hundredths, count(*) AS transactions,
      min(created_at) AS first_at, max(created_at) AS last_at
    FROM kernel_credit_transaction WHERE ${where} GROUP BY operation_type ORDER BY operation_type`);
  const [all] = await tx.query<{ transactions: number }>(sql`
    SELECT count(*) AS transactions FROM kernel_credit_transaction WHERE pool_id = ${pool.id}`);
  return {
    transactions: rows.map(transactionOf),
    summary: Object.fromEntries(groups.map((group) => [group.operation_type, summaryOf(group)])),
    total_count: all?.transactions ?? 0,
    filtered_count: groups.reduce((sum, group) => sum + group.transactions, 0),
    date_range: {
      ...(filter.startDate === undefined ? {} : { start: filter.startDate }),
      ...(filter.endDate === undefined ? {} : { end: filter.endDate }),
    },
  };
}

function conditions(pool: Pool, filter: TransactionFilter): RawBuilder<unknown> {
  const all = [sql`pool_id = ${pool.id}`];
  if (filter.type !== undefined) all.push(sql`type = ${filter.type}`);
  if (filter.operationType !== undefined) all.push(sql`operation_type = ${filter.operationType}`);
  if (filter.startDate !== undefined) all.push(sql`created_at >= ${startOf(filter.startDate)}`);
  if (filter.endDate !== undefined) {
    const next = new Date(startOf(filter.endDate).getTime() + 86_400_000);
    all.push(sql`created_at < ${next}`);
  }
  return sql.join(all, sql` AND `);
}

function startOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}

function transactionOf(row: TransactionRow) {
  return {
    id: row.id,
    type: row.type,
    amount: toCredits(row.amount_hundredths),
    description: row.description,
    metadata: { operation_type: row.operation_type, ...row.metadata },
    created_at: row.created_at.toISOString(),
    operation_id: row.operation_id,
    idempotency_key: row.idempotency_key,
    request_id: row.request_id,
    user_id: row.user_id,
  };
}

function summaryOf(row: SummaryRow) {
  return {
    operation_type: row.operation_type,
    total_amount: toCredits(row.amount_hundredths),
    transaction_count: row.transactions,
    average_amount: ratio(row.amount_hundredths, row.transactions * 100),
    first_transaction: row.first_at.toISOString(),
    last_transaction: row.last_at.toISOString(),
  };
}

/** True if a transaction with this idempotency key exists. */
async function isBooked(tx: Transaction, idempotencyKey: string): Promise<boolean> {
  const rows = await tx.query(
    sql`SELECT 1 FROM kernel_credit_transaction WHERE idempotency_key = ${idempotencyKey} LIMIT 1`,
  );
  return rows.length > 0;
}

export const creditReads: CreditReads = {
  summary: readSummary,
  transactions: readTransactions,
  isBooked,
};
