import { sql } from 'kysely';
import type { KernelCreditPool, KernelCreditTransaction } from '../rows.gen.ts';
import { columnsOf, type RowOf } from '../store/columns.ts';
import type { Transaction } from '../store/store.ts';

/** The owner of a pool: a graph, or one subscriber of a shared repository (platform C-2). */
export interface PoolOwner {
  readonly graphId: string;
  /** Only for shared repositories. */
  readonly subscriberId?: string;
}

const columns = columnsOf<KernelCreditPool>()(
  'id',
  'graph_id',
  'subscriber_id',
  'tier',
  'allocation_hundredths',
  'balance_hundredths',
  'is_active',
  'period_started_at',
  'alert_month',
  'alert_level',
);

export type Pool = RowOf<typeof columns>;

export type TransactionType = KernelCreditTransaction['type'];

/** A change of a balance with its reason. */
export interface NewTransaction
  extends Pick<KernelCreditTransaction, 'id' | 'type' | 'amount_hundredths' | 'description'> {
  readonly operationType: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly idempotencyKey?: string;
  readonly operationId?: string;
  readonly requestId?: string;
  readonly userId?: string;
  readonly at: Date;
}

/** Finds the pool of an owner; subgraphs use their parent's. `hold` locks its row until the transaction ends. */
export async function findPool(
  tx: Transaction,
  owner: PoolOwner,
  { hold }: { readonly hold: boolean },
): Promise<Pool | undefined> {
  const whose =
    owner.subscriberId === undefined ? sql`subscriber_id IS NULL` : sql`subscriber_id = ${owner.subscriberId}`;
  const [pool] = await tx.query<Pool>(sql`
    SELECT ${columns} FROM kernel_credit_pool
    WHERE ${whose} AND graph_id = COALESCE((SELECT parent_id FROM kernel_graph WHERE graph_id = ${owner.graphId}),
      ${owner.graphId}) ${hold ? sql`FOR UPDATE` : sql``}`);
  return pool;
}

/** Locks a pool by id until the transaction ends. */
export async function lockPool(tx: Transaction, id: string): Promise<Pool | undefined> {
  const [pool] = await tx.query<Pool>(sql`SELECT ${columns} FROM kernel_credit_pool WHERE id = ${id} FOR UPDATE`);
  return pool;
}

/** Inserts an empty pool; undefined if the owner already has one. */
export async function insertPool(
  tx: Transaction,
  pool: Omit<Pool, 'balance_hundredths' | 'is_active' | 'alert_month' | 'alert_level'>,
): Promise<Pool | undefined> {
  const [made] = await tx.query<Pool>(sql`
    INSERT INTO kernel_credit_pool (id, graph_id, subscriber_id, tier, allocation_hundredths, balance_hundredths,
      period_started_at, created_at, updated_at)
    VALUES (${pool.id}, ${pool.graph_id}, ${pool.subscriber_id}, ${pool.tier}, ${pool.allocation_hundredths}, 0,
      ${pool.period_started_at}, ${pool.period_started_at}, ${pool.period_started_at})
    ON CONFLICT DO NOTHING RETURNING ${columns}`);
  return made;
}

/**
 * The only place where a balance changes: the transaction and the new balance are written together, in the caller's
 * database transaction, which must hold the lock on the pool (platform C-5). A duplicate idempotency key rolls it back.
 */
export async function book(tx: Transaction, pool: Pool, entry: NewTransaction): Promise<Pool> {
  if (!Number.isSafeInteger(entry.amount_hundredths)) throw new Error('Credits are stored as whole hundredths.');
  const graphId = pool.subscriber_id === null ? pool.graph_id : null;
  await tx.query(sql`
    INSERT INTO kernel_credit_transaction (id, pool_id, graph_id, type, amount_hundredths, operation_type, description,
      metadata, idempotency_key, operation_id, request_id, user_id, created_at)
    VALUES (${entry.id}, ${pool.id}, ${graphId}, ${entry.type}, ${entry.amount_hundredths}, ${entry.operationType},
      ${entry.description}, ${JSON.stringify(entry.metadata ?? {})}::text::jsonb, ${entry.idempotencyKey ?? null},
      ${entry.operationId ?? null}, ${entry.requestId ?? null}, ${entry.userId ?? null}, ${entry.at})`);
  return changeBalance(tx, pool, entry.amount_hundredths, entry.at);
}

/** Deletes a reservation's transaction and restores its amount; the same rule as `book`. */
export async function unbook(tx: Transaction, pool: Pool, transactionId: string, at: Date): Promise<Pool> {
  const [row] = await tx.query<Pick<KernelCreditTransaction, 'amount_hundredths'>>(sql`
    DELETE FROM kernel_credit_transaction WHERE id = ${transactionId} AND pool_id = ${pool.id} AND type = 'reservation'
    RETURNING amount_hundredths`);
  if (row === undefined) throw new Error(`The reservation ${transactionId} is not in its pool.`);
  return changeBalance(tx, pool, -row.amount_hundredths, at);
}

async function changeBalance(tx: Transaction, pool: Pool, by: number, at: Date): Promise<Pool> {
  const [after] = await tx.query<Pool>(sql`
    UPDATE kernel_credit_pool SET balance_hundredths = balance_hundredths + ${by}, updated_at = ${at}
    WHERE id = ${pool.id} AND balance_hundredths = ${pool.balance_hundredths} RETURNING ${columns}`);
  // This transaction holds the lock, so a different balance means that other code writes to the table.
  if (after === undefined) throw new Error(`The credit pool ${pool.id} was changed without its lock.`);
  return after;
}
