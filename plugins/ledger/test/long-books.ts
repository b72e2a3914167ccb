import { type RawBuilder, type Store, sql, type Transaction } from '@pacioli/core';
import { tamper, vacuum } from '@pacioli/testing';
import { vi } from 'vitest';
import type { Books } from './books.ts';

/** The tables that grow with the books. */
const growingTables = ['ledger_event', 'ledger_transaction', 'ledger_entry', 'ledger_line_item', 'ledger_agent'];

/** Below the limit of a test. Transactions of jobs are short, but the machine may be loaded. */
const maxSettlingMs = 240_000;

/** Rows `rare.from` to `rare.to` of long books differ from all others in every column by which a list filters. */
export const rare = { from: 101, to: 160 } as const;

/** The agent of all rows but the rare ones. */
export const agentOfMost = 'agt_most';

/** Events `from` to `to`; unless a day is given, ten for each day back from 2026-03-01. */
interface Added {
  readonly from: number;
  readonly to: number;
  readonly status?: 'draft' | 'posted';
  readonly day?: string;
}

/**
 * Adds events, each with a transaction, an entry and two lines, in SQL and without triggers, because the tests are about
 * reading them.
 */
export async function addEvents(
  store: Store,
  book: Books,
  { from, to, status = 'posted', day: only }: Added,
): Promise<void> {
  const isRare = `(n BETWEEN ${rare.from} AND ${rare.to})`;
  const day = only === undefined ? `(date '2026-03-01' - n / 10)` : `date '${only}'`;
  const rows = `generate_series(${from}, ${to}) AS n`;
  const id = (prefix: string) => `'${prefix}_' || lpad((1000000 - n)::text, 7, '0')`;
  const postedAt = status === 'posted' ? 'now()' : 'NULL';
  const eventStatus = status === 'posted' ? 'fulfilled' : 'classified';
  await tamper(
    store,
    `INSERT INTO ledger_event (graph_id, id, event_type, event_class, event_category, status, occurred_at, source, currency,
        metadata, agent_id, is_reconciling_item, created_at, created_by)
      SELECT '${book.graph}', ${id('evt')}, CASE WHEN ${isRare} THEN 'order_received' ELSE 'journal_entry_recorded' END,
        'economic', 'sales', CASE WHEN ${isRare} THEN 'captured' ELSE '${eventStatus}' END, ${day} + interval '10 hours',
        CASE WHEN ${isRare} THEN 'bank' ELSE 'manual' END, 'USD', '{}', CASE WHEN ${isRare} THEN NULL ELSE '${agentOfMost}' END,
        ${isRare}, now(), 'user_1' FROM ${rows};
    INSERT INTO ledger_transaction (graph_id, id, event_id, type, amount, currency, date, source, status, created_at, updated_at)
      SELECT '${book.graph}', ${id('txn')}, ${id('evt')}, CASE WHEN ${isRare} THEN 'order_received' ELSE 'journal_entry_recorded' END,
        100, 'USD', ${day}, 'manual', '${status === 'posted' ? 'posted' : 'pending'}', now(), now() FROM ${rows};
    INSERT INTO ledger_entry (graph_id, id, transaction_id, event_id, type, status, posting_date, currency, provenance, posted_at,
        created_at, updated_at)
      SELECT '${book.graph}', ${id('je')}, ${id('txn')}, ${id('evt')}, CASE WHEN ${isRare} THEN 'adjusting' ELSE 'standard' END,
        CASE WHEN ${isRare} THEN 'reversed' ELSE '${status}' END, ${day}, 'USD',
        CASE WHEN ${isRare} THEN 'ai_generated' ELSE 'manual_entry' END, CASE WHEN ${isRare} THEN now() ELSE ${postedAt} END,
        now(), now() FROM ${rows};
    INSERT INTO ledger_line_item (graph_id, entry_id, line_order, id, element_id, posting_date, currency, is_landed, debit_amount,
        credit_amount)
      SELECT '${book.graph}', ${id('je')}, side, ${id('li')} || '_' || side,
        CASE side WHEN 1 THEN '${book.id('1000')}' ELSE '${book.id('4000')}' END, ${day}, 'USD',
        ${status === 'posted'} OR ${isRare}, CASE side WHEN 1 THEN 100 ELSE 0 END, CASE side WHEN 1 THEN 0 ELSE 100 END
      FROM ${rows}, generate_series(1, 2) AS side`,
  );
}

/** Adds agents, of whom the rare ones differ from all others as those of `addEvents` do. */
export async function addAgents(store: Store, book: Books, { from, to }: Pick<Added, 'from' | 'to'>): Promise<void> {
  const isRare = `(n BETWEEN ${rare.from} AND ${rare.to})`;
  await tamper(
    store,
    `INSERT INTO ledger_agent (graph_id, id, agent_type, name, source, is_active, is_1099_recipient, metadata, created_at,
        updated_at, created_by)
      SELECT '${book.graph}', 'agt_' || n, CASE WHEN ${isRare} THEN 'lender' ELSE 'customer' END, 'Agent ' || n,
        CASE WHEN ${isRare} THEN 'bank' ELSE 'manual' END, NOT ${isRare}, false, '{}', now(), now(), 'user_1'
      FROM generate_series(${from}, ${to}) AS n`,
  );
}

/**
 * Gathers statistics and marks pages as visible to all, as a service does while its books grow. A transaction that runs
 * meanwhile, such as that of a job, can keep a page from being marked, so it is repeated.
 */
export async function settleTables(store: Store): Promise<void> {
  const isSettled = async (): Promise<boolean> => {
    await vacuum(store, growingTables);
    const [row] = await store.transaction('kernel', (tx) =>
      tx.query(sql<{ visible: boolean }>`
        SELECT bool_and(relallvisible >= relpages) AS visible FROM pg_class WHERE relname = ANY (${growingTables}::text[])`),
    );
    return row?.visible === true;
  };
  await vi.waitUntil(isSettled, { timeout: maxSettlingMs });
}

/** A node of a plan that PostgreSQL has run. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** Runs a statement that reads, and returns its plan. */
export async function planOf(tx: Transaction, statement: RawBuilder<unknown>): Promise<PlanNode> {
  const [row] = await tx.query(
    sql<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`,
  );
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  if (plan === undefined) throw new Error('EXPLAIN returned no plan.');
  return plan;
}

/** A plan's nodes from the root down. */
export function nodesOf(plan: PlanNode): readonly PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** The pages that a plan has read, from memory or from the disk. */
export function buffersOf(plan: PlanNode): number {
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}
