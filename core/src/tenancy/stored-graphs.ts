import { sql } from 'kysely';
import type { WriteBlock } from '../define/context.ts';
import type { KernelGraph } from '../rows.gen.ts';
import type { Clock, GraphRecord, Graphs, SettledStatus, StaleGraph } from '../services/kernel-tokens.ts';
import { columnsOf, type RowOf } from '../store/columns.ts';
import type { Transaction } from '../store/store.ts';
import { memberGraphId } from './graph-id.ts';
import { hasRoleOnGraph, isTopLevelGraphOf, staleMark, staleMarkLock, staleMarkPrecisionMs } from './graph-rows.ts';

const graphColumns = columnsOf<KernelGraph>()(
  'graph_id',
  'org_id',
  'name',
  'graph_type',
  'tier',
  'status',
  'extensions',
  'parent_id',
  'created_at',
  'stale_since',
  'stale_reason',
);

type GraphRow = RowOf<typeof graphColumns>;

const maxGraphsOfOrg = 1_000;

function recordOf(row: GraphRow): GraphRecord {
  return {
    id: row.graph_id,
    orgId: row.org_id,
    name: row.name,
    type: row.graph_type,
    tier: row.tier,
    status: row.status,
    extensions: row.extensions,
    createdAt: row.created_at,
    ...(row.parent_id === null ? {} : { parentId: row.parent_id }),
    ...(row.stale_since === null ? {} : { staleSince: row.stale_since }),
    ...(row.stale_reason === null ? {} : { staleReason: row.stale_reason }),
  };
}

/** The registry of graphs in the store. */
export class StoredGraphs implements Graphs {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async find(tx: Transaction, graphId: string): Promise<GraphRecord | undefined> {
    const [row] = await tx.query(sql<GraphRow>`
      SELECT ${graphColumns} FROM kernel_graph WHERE graph_id = ${graphId}`);
    return row === undefined ? undefined : recordOf(row);
  }

  async ofOrg(tx: Transaction, orgId: string): Promise<readonly GraphRecord[]> {
    const rows = await tx.query(sql<GraphRow>`
      SELECT ${graphColumns} FROM kernel_graph g WHERE ${isTopLevelGraphOf(orgId)}
      ORDER BY created_at, graph_id LIMIT ${maxGraphsOfOrg}`);
    return rows.map(recordOf);
  }

  async hasMember(tx: Transaction, graphId: string, userId: string): Promise<boolean> {
    const rows = await tx.query(sql<Pick<KernelGraph, 'graph_id'>>`
      SELECT g.graph_id FROM kernel_graph g JOIN kernel_org_user m ON m.org_id = g.org_id AND m.user_id = ${userId}
      LEFT JOIN kernel_graph_user a ON a.user_id = m.user_id AND a.graph_id = ${memberGraphId(graphId)}
      WHERE g.graph_id = ${graphId} AND ${hasRoleOnGraph}`);
    return rows.length > 0;
  }

  async subgraphCount(tx: Transaction, graphId: string): Promise<number> {
    const [count] = await tx.query(sql<{ graphs: number }>`
      SELECT count(*) AS graphs FROM kernel_graph
      WHERE parent_id = ${graphId} AND status IN ('creating', 'active', 'suspended', 'deleting')`);
    return count?.graphs ?? 0;
  }

  async markStale(tx: Transaction, graphId: string, reason: string, since?: Date): Promise<void> {
    await tx.query(staleMark(graphId, reason, this.#clock.now(), since));
  }

  async markReplaced(tx: Transaction, graphId: string, reason: string): Promise<void> {
    const now = this.#clock.now();
    await tx.query(sql`UPDATE kernel_graph SET stale_marked_at = NULL, stale_since = ${now},
      stale_reason = ${reason} WHERE graph_id = ${graphId}`);
  }

  async quietStale(
    tx: Transaction,
    {
      quietSince,
      after,
      limit,
    }: { readonly quietSince: Date; readonly after?: StaleGraph | undefined; readonly limit: number },
  ): Promise<readonly StaleGraph[]> {
    const afterLastPage =
      after === undefined ? sql`` : sql`AND (stale_marked_at, graph_id) > (${after.markedAt}, ${after.id})`;
    const rows = await tx.query(sql<
      GraphRow & { readonly stale_marked_at: NonNullable<KernelGraph['stale_marked_at']> }
    >`
      SELECT ${graphColumns}, stale_marked_at FROM kernel_graph
      WHERE stale_since IS NOT NULL AND stale_marked_at <= ${new Date(quietSince.getTime() - staleMarkPrecisionMs)} ${afterLastPage}
        AND graph_type = 'entity' AND parent_id IS NULL AND status = 'active' AND write_block IS NULL
      ORDER BY stale_marked_at, graph_id LIMIT ${limit}`);
    return rows.map((row) => ({ ...recordOf(row), markedAt: row.stale_marked_at }));
  }

  async setWriteBlock(tx: Transaction, graphId: string, block: WriteBlock | null, isPastDue = false): Promise<void> {
    await tx.query(sql`UPDATE kernel_graph SET write_block = ${block}, is_past_due = ${isPastDue},
      updated_at = ${this.#clock.now()} WHERE graph_id = ${graphId}`);
  }

  async setStatus(tx: Transaction, graphId: string, status: SettledStatus): Promise<void> {
    await tx.query(sql`UPDATE kernel_graph SET status = ${status}, updated_at = ${this.#clock.now()}
      WHERE graph_id = ${graphId} AND status <> 'creating'`);
  }

  async setTier(tx: Transaction, graphId: string, tier: string): Promise<void> {
    await tx.query(sql`UPDATE kernel_graph SET tier = ${tier}, updated_at = ${this.#clock.now()}
      WHERE graph_id = ${graphId} OR parent_id = ${graphId}`);
  }

  async addExtension(tx: Transaction, graphId: string, domain: string): Promise<boolean> {
    const rows = await tx.query(sql<Pick<KernelGraph, 'graph_id'>>`
      UPDATE kernel_graph SET updated_at = ${this.#clock.now()},
        extensions = ARRAY(SELECT unnest(extensions || ${domain}::text) AS domain ORDER BY domain)
      WHERE graph_id = ${graphId} AND NOT ${domain} = ANY (extensions) RETURNING graph_id`);
    return rows.length > 0;
  }

  async clearStale(tx: Transaction, graphId: string): Promise<{ since: Date; reason: string } | undefined> {
    // Waits for writers that have marked the graph: the build reads their rows, or their mark stays (graphs M-32).
    await tx.query(sql`SELECT pg_advisory_xact_lock(${staleMarkLock(graphId)})`);
    const [before] = await tx.query(sql<Pick<KernelGraph, 'stale_since' | 'stale_reason'>>`
      SELECT stale_since, stale_reason FROM kernel_graph WHERE graph_id = ${graphId} FOR UPDATE`);
    await tx.query(sql`UPDATE kernel_graph SET stale_since = NULL, stale_reason = NULL, stale_marked_at = NULL
      WHERE graph_id = ${graphId}`);
    if (before?.stale_since == null) return undefined;
    return { since: before.stale_since, reason: before.stale_reason ?? '' };
  }
}
