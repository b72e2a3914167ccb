import { sql } from 'kysely';
import { createToken, type Token } from '../container/token.ts';
import type { Caller } from '../define/context.ts';
import type { KernelCreditTransaction, KernelGraph } from '../rows.gen.ts';
import type { Clock } from '../services/kernel-tokens.ts';
import type { Store, Transaction } from '../store/store.ts';
import { isTopLevelGraphOf, isUsable } from '../tenancy/graph-rows.ts';
import { requireManager, requireMembership } from '../tenancy/org-access.ts';
import { tierNumbers } from '../tenancy/tier-numbers.ts';
import { ratio, toCredits } from './amounts.ts';

const dayMs = 86_400_000;
const maxTrendDays = 30;
const maxGraphs = 1000;
const bytesPerGb = 1024 ** 3;

type GraphRow = Pick<KernelGraph, 'graph_id' | 'name' | 'tier'> & {
  readonly consumed: number;
  readonly ai_operations: number;
  readonly allocation: number;
  readonly storage_bytes: number;
};

interface DayRow {
  readonly graph_id: NonNullable<KernelCreditTransaction['graph_id']>;
  readonly day: string;
  readonly consumed: number;
  readonly ai_operations: number;
}

export const orgUsage: Token<OrgUsage> = createToken('kernel.org-usage');

/** The usage of the graphs of an organization, for its owners and admins (platform U-10). */
export class OrgUsage {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(use: { readonly store: Store; readonly clock: Clock }) {
    this.#store = use.store;
    this.#clock = use.clock;
  }

  /** Reads the last `days` days including today, in wire form. Throws 403 for plain members. */
  async read(caller: Caller, orgId: string, days: number) {
    const end = this.#clock.now();
    const start = new Date(end.getTime() - days * dayMs);
    return this.#store.transaction(
      'kernel',
      async (tx) => {
        requireManager(await requireMembership(tx, caller, orgId), 'see its usage');
        const graphs = await graphRows(tx, orgId, start);
        const daily = await dayRows(tx, orgId, start);
        return {
          org_id: orgId,
          period_days: days,
          start_date: start.toISOString(),
          end_date: end.toISOString(),
          summary: summaryOf(graphs, days),
          graph_details: graphs.map(detailOf),
          daily_trend: trendOf(daily, end, Math.min(days, maxTrendDays)),
        };
      },
      { readOnly: true },
    );
  }
}

/** Reads the usage of each top-level graph; subgraphs are included in their parent's pool and snapshot. */
function graphRows(tx: Transaction, orgId: string, since: Date): Promise<readonly GraphRow[]> {
  return tx.query<GraphRow>(sql`
    SELECT g.graph_id, g.name, g.tier, COALESCE(p.allocation_hundredths, 0) AS allocation,
      COALESCE((SELECT -sum(t.amount_hundredths) FROM kernel_credit_transaction t WHERE t.pool_id = p.id
        AND t.type = 'consumption' AND t.created_at >= ${since}), 0)::bigint AS consumed,
      (SELECT count(DISTINCT COALESCE(t.operation_id, t.id)) FROM kernel_credit_transaction t WHERE t.pool_id = p.id
        AND t.type = 'consumption' AND t.created_at >= ${since}) AS ai_operations,
      COALESCE((SELECT u.amount FROM kernel_usage_event u WHERE u.graph_id = g.graph_id
        AND u.type = 'storage_snapshot' ORDER BY u.at DESC LIMIT 1), 0) AS storage_bytes
    FROM kernel_graph g LEFT JOIN kernel_credit_pool p ON p.graph_id = g.graph_id AND p.subscriber_id IS NULL
    WHERE ${isTopLevelGraphOf(orgId)}
    ORDER BY g.created_at, g.graph_id LIMIT ${maxGraphs}`);
}

/** Reads the usage of each graph per day in UTC. */
function dayRows(tx: Transaction, orgId: string, since: Date): Promise<readonly DayRow[]> {
  return tx.query<DayRow>(sql`
    SELECT t.graph_id, to_char(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
      -sum(t.amount_hundredths)::bigint AS consumed, count(DISTINCT COALESCE(t.operation_id, t.id)) AS ai_operations
    FROM kernel_graph g JOIN kernel_credit_pool p ON p.graph_id = g.graph_id AND p.subscriber_id IS NULL
      JOIN kernel_credit_transaction t ON t.pool_id = p.id
    WHERE g.org_id = ${orgId} AND ${isUsable} AND t.type = 'consumption'
      AND t.created_at >= ${since}
    GROUP BY t.graph_id, day`);
}

function summaryOf(graphs: readonly GraphRow[], days: number) {
  const sum = (pick: (graph: GraphRow) => number): number => graphs.reduce((total, graph) => total + pick(graph), 0);
  const consumed = sum((graph) => graph.consumed);
  const caps = graphs.map(({ tier }) => tierNumbers(tier).maxStorageGb ?? 0);
  return {
    total_credits_used: toCredits(consumed),
    total_ai_operations: sum((graph) => graph.ai_operations),
    total_storage_gb: gigabytes(sum((graph) => graph.storage_bytes)),
    daily_avg_credits: ratio(consumed, days * 100),
    projected_monthly_credits: ratio(consumed * 30, days * 100),
    credits_limit: Math.floor(toCredits(sum((graph) => graph.allocation))),
    storage_limit_gb: caps.reduce((total, cap) => total + cap, 0),
  };
}

function detailOf(graph: GraphRow) {
  return {
    graph_id: graph.graph_id,
    graph_name: graph.name,
    tier: graph.tier,
    credits_used: toCredits(graph.consumed),
    ai_operations: graph.ai_operations,
    storage_gb: gigabytes(graph.storage_bytes),
    monthly_credits: toCredits(graph.allocation),
  };
}

/** Builds one row per day, including days without usage, ending today. */
function trendOf(rows: readonly DayRow[], end: Date, days: number) {
  return Array.from({ length: days }, (_, index) => {
    const date = new Date(end.getTime() - (days - 1 - index) * dayMs).toISOString().slice(0, 10);
    const mine = rows.filter(({ day }) => day === date);
    return {
      date,
      credits_used: toCredits(mine.reduce((total, { consumed }) => total + consumed, 0)),
      ai_operations: mine.reduce((total, row) => total + row.ai_operations, 0),
    };
  });
}

/** Converts bytes to gigabytes with nine decimals, so that single bytes show (graphs H-22). */
export function gigabytes(bytes: number): number {
  return Number((bytes / bytesPerGb).toFixed(9));
}
