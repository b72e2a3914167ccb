import { sql } from 'kysely';
import { createToken, type Token } from '../container/token.ts';
import type { KernelCreditTransaction, KernelOperationAudit, KernelUsageEvent } from '../rows.gen.ts';
import type { Transaction } from '../store/store.ts';
import { ratio, toCredits } from './amounts.ts';

const maxEvents = 50;
const maxSlowQueries = 20;
/** Slower queries are recorded individually (graphs H-31). */
export const slowQueryMs = 5_000;

/** A period from `start` (inclusive) to `end` (exclusive). */
export interface UsagePeriod {
  readonly start: Date;
  readonly end: Date;
}

/** The bytes that a graph used, over hourly snapshots. */
export interface StorageUse {
  readonly average_bytes: number;
  readonly max_bytes: number;
  readonly min_bytes: number;
  readonly snapshots: number;
}

/** Reads the usage of one graph, in kernel transactions. */
export interface GraphUsage {
  storage(tx: Transaction, graphId: string, period: UsagePeriod): Promise<StorageUse>;
  credits(tx: Transaction, graphId: string, period: UsagePeriod): Promise<CreditUse>;
  performance(tx: Transaction, graphId: string, period: UsagePeriod): Promise<Performance>;
  /** Lists usage events, newest first. */
  events(tx: Transaction, graphId: string, period: UsagePeriod): Promise<readonly UsageRecord[]>;
}

export interface UsageRecord extends Readonly<Record<string, unknown>> {
  readonly type: string;
  readonly at: string;
  readonly amount: number;
}

export interface CreditUse {
  readonly consumed: number;
  readonly calls: number;
  readonly transactions: number;
  /** By the purpose of the credits. */
  readonly operations: Readonly<Record<string, { readonly credits: number; readonly calls: number }>>;
}

export interface Performance {
  readonly total_operations: number;
  readonly operation_stats: Readonly<Record<string, OperationStats>>;
  readonly slow_queries: readonly Readonly<Record<string, unknown>>[];
  /** 0 to 100, reduced for failed and slow calls (graphs, open points). */
  readonly score: number;
}

export interface OperationStats {
  readonly count: number;
  /** Calls that failed in the service, or took too long. */
  readonly failed: number;
  /** Calls that the caller must make differently, such as with another body. */
  readonly refused: number;
  readonly average_ms: number;
  readonly max_ms: number;
}

export const graphUsage: Token<GraphUsage> = createToken('kernel.graph-usage');

/** Reads the tables of usage, credits and audit. */
export const storedGraphUsage: GraphUsage = { storage, credits, performance, events };

async function storage(tx: Transaction, graphId: string, { start, end }: UsagePeriod): Promise<StorageUse> {
  const [row] = await tx.query<StorageUse>(sql`
    SELECT COALESCE(avg(amount), 0)::bigint AS average_bytes, COALESCE(max(amount), 0) AS max_bytes,
      COALESCE(min(amount), 0) AS min_bytes, count(*) AS snapshots
    FROM kernel_usage_event WHERE graph_id = ${graphId} AND type = 'storage_snapshot'
      AND at >= ${start} AND at < ${end}`);
  return row ?? { average_bytes: 0, max_bytes: 0, min_bytes: 0, snapshots: 0 };
}

async function credits(tx: Transaction, graphId: string, { start, end }: UsagePeriod): Promise<CreditUse> {
  const rows = await tx.query<
    Pick<KernelCreditTransaction, 'type' | 'operation_type'> & { readonly amount: number; readonly rows: number }
  >(sql`
    SELECT t.type, t.operation_type, sum(t.amount_hundredths)::bigint AS amount, count(*) AS rows
    FROM kernel_credit_pool p JOIN kernel_credit_transaction t ON t.pool_id = p.id
    WHERE p.graph_id = ${graphId} AND p.subscriber_id IS NULL AND t.created_at >= ${start} AND t.created_at < ${end}
    GROUP BY t.type, t.operation_type ORDER BY t.operation_type`);
  const used = rows.filter(({ type }) => type === 'consumption');
  const sum = (pick: (row: { amount: number; rows: number }) => number, of = used): number =>
    of.reduce((total, row) => total + pick(row), 0);
  return {
    consumed: toCredits(sum(({ amount }) => 0 - amount)),
    calls: sum((row) => row.rows),
    transactions: sum((row) => row.rows, [...rows]),
    operations: Object.fromEntries(
      used.map((row) => [row.operation_type, { credits: toCredits(0 - row.amount), calls: row.rows }]),
    ),
  };
}

async function performance(tx: Transaction, graphId: string, { start, end }: UsagePeriod): Promise<Performance> {
  const runs = await tx.query<OperationStats & Pick<KernelOperationAudit, 'operation'>>(sql`
    -- A worker run also has a row for its acceptance.
    SELECT operation, count(DISTINCT operation_id) AS count, count(*) FILTER (WHERE status = 'failed') AS failed,
      count(*) FILTER (WHERE status = 'refused') AS refused,
      coalesce(avg(duration_ms) FILTER (WHERE status <> 'pending'), 0)::integer AS average_ms, max(duration_ms) AS max_ms
    FROM kernel_operation_audit WHERE graph_id = ${graphId} AND at >= ${start} AND at < ${end}
    GROUP BY operation ORDER BY operation`);
  const slow = await tx.query<
    Pick<KernelUsageEvent, 'at' | 'amount'> & { readonly details: Readonly<Record<string, unknown>> }
  >(sql`
    SELECT at, amount, details FROM kernel_usage_event WHERE graph_id = ${graphId} AND type = 'query_executed'
      AND amount >= ${slowQueryMs} AND at >= ${start} AND at < ${end} ORDER BY amount DESC LIMIT ${maxSlowQueries}`);
  const total = runs.reduce((count, row) => count + row.count, 0);
  const failed = runs.reduce((count, row) => count + row.failed, 0);
  const errorsPercent = ratio(failed * 100, total);
  const slowRatio = ratio(slow.length, total + slow.length);
  return {
    total_operations: total + slow.length,
    operation_stats: Object.fromEntries(runs.map(({ operation, ...stats }) => [operation, stats])),
    slow_queries: slow.map(({ at, amount, details }) => ({ ...details, at: at.toISOString(), duration_ms: amount })),
    score: Math.round(100 - Math.min(100, errorsPercent * 10 + slowRatio * 100)),
  };
}

async function events(tx: Transaction, graphId: string, { start, end }: UsagePeriod): Promise<readonly UsageRecord[]> {
  const rows = await tx.query<
    Pick<KernelUsageEvent, 'type' | 'at' | 'amount'> & { readonly details: Record<string, unknown> }
  >(sql`
    SELECT type, at, amount, details FROM kernel_usage_event WHERE graph_id = ${graphId}
      AND at >= ${start} AND at < ${end} ORDER BY at DESC, id DESC LIMIT ${maxEvents}`);
  return rows.map(({ details, ...row }) => ({ ...details, ...row, at: row.at.toISOString() }));
}
