import { sql, type Transaction } from '@pacioli/core';
import type { Balances } from '../balances/index.ts';
import type { LedgerOpenItem } from '../rows.gen.ts';
import { exactMinor } from '../values/index.ts';
import type { AgedBalance, Aging } from './aging.ts';
import type { Side } from './settlement.ts';

/** The open balance of one counterparty, in minor units; negative when overpaid. */
export interface OpenBalance {
  /** Empty for events without an agent. */
  readonly agent_id: string;
  readonly open_balance_cents: number;
  readonly open_event_count: number;
  readonly currency: string;
}

export interface OpenTotal {
  readonly total_open_cents: number;
  readonly counterparty_count: number;
  readonly open_event_count: number;
  readonly currency: string;
}

/** Events that are open in a currency other than the functional one. */
export interface ForeignOpen {
  readonly currency: string;
  readonly events: number;
}

/** Limit of counterparties in one response. */
const maxAgents = 10_000;

/** The due date on the event; a day beyond the end of its month rolls over into the next. */
const dueDate = sql`(CASE WHEN due ~ '^[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'
  THEN (left(due, 7) || '-01')::date + (right(due, 2)::integer - 1) ELSE (occurred_at AT TIME ZONE 'UTC')::date + 30 END)`;

/**
 * Sums open items by event, not by account, and never across currencies (ledger L-5a, L-100). Triggers store the open
 * amounts, so a read touches only what is open (ledger L-100c).
 */
export class OpenBalances implements Aging {
  readonly #balances: Balances;

  constructor(balances: Balances) {
    this.#balances = balances;
  }

  /** The total in the functional currency, and the open events that it leaves out (ledger L-5). */
  async total(
    tx: Transaction,
    side: Side,
  ): Promise<{ readonly total: OpenTotal; readonly foreign: readonly ForeignOpen[] }> {
    const functional = await this.#balances.currency(tx);
    const rows = await tx.query(sql<
      Pick<LedgerOpenItem, 'currency'> & { readonly total: string; readonly agents: number; readonly events: number }
    >`
      SELECT currency, sum(amount)::text AS total, count(DISTINCT agent_id) AS agents, count(*) AS events
      FROM ledger_open_item WHERE graph_id = ${tx.graphId} AND side = ${side} GROUP BY currency ORDER BY currency`);
    const row = rows.find(({ currency }) => currency === functional);
    return {
      total: {
        total_open_cents: exactMinor(BigInt(row?.total ?? 0), 'The total of the open items'),
        counterparty_count: row?.agents ?? 0,
        open_event_count: row?.events ?? 0,
        currency: functional,
      },
      foreign: rows.filter((each) => each !== row).map(({ currency, events }) => ({ currency, events })),
    };
  }

  /** The counterparties with open items, one row per currency, largest first; optionally only the given agents. */
  async byAgent(tx: Transaction, side: Side, agentIds?: readonly string[]): Promise<readonly OpenBalance[]> {
    if (agentIds?.length === 0) return [];
    const only = agentIds === undefined ? sql`` : sql`AND agent_id = ANY (${[...agentIds]}::text[])`;
    const rows = await tx.query(sql<
      Pick<LedgerOpenItem, 'agent_id' | 'currency'> & { readonly total: string; readonly events: number }
    >`
      SELECT agent_id, sum(amount)::text AS total, count(*) AS events, currency FROM ledger_open_item
      WHERE graph_id = ${tx.graphId} AND side = ${side} ${only} GROUP BY agent_id, currency HAVING sum(amount) <> 0
      ORDER BY abs(sum(amount)) DESC, agent_id, currency LIMIT ${maxAgents}`);
    return rows.map((row) => ({
      agent_id: row.agent_id ?? '',
      open_balance_cents: exactMinor(BigInt(row.total), 'The open balance of a counterparty'),
      open_event_count: row.events,
      currency: row.currency,
    }));
  }

  /**
   * One balance for each of these agents: in the functional currency, or, when nothing is open in it, the largest in
   * another one, which the row names. An agent with nothing open in any currency is absent (ledger L-5, L-35a).
   */
  async ofAgents(tx: Transaction, side: Side, agentIds: readonly string[]): Promise<ReadonlyMap<string, OpenBalance>> {
    const rows = await this.byAgent(tx, side, agentIds);
    const found = new Map<string, OpenBalance>();
    if (rows.length === 0) return found;
    const functional = await this.#balances.currency(tx);
    for (const row of rows) if (!found.has(row.agent_id) || row.currency === functional) found.set(row.agent_id, row);
    return found;
  }

  /**
   * Days are in UTC; nothing later than the given day counts (ledger L-102): what was settled after it is added to what
   * is open now, so that only open items and later settlements are read, each event by its key.
   */
  async aging(tx: Transaction, side: Side, asOf: string): Promise<readonly AgedBalance[]> {
    const graphId = tx.graphId;
    const rows = await tx.query(sql<
      Pick<LedgerOpenItem, 'currency'> & Pick<AgedBalance, 'bucket' | 'events'> & { readonly total: string }
    >`
      WITH later AS (
        SELECT s.originating_event_id AS id, d.currency, sum(s.amount) AS amount
        FROM ledger_event AS d CROSS JOIN LATERAL (
          SELECT t.originating_event_id, t.amount FROM ledger_event_settlement AS t
          WHERE t.graph_id = ${graphId} AND t.discharging_event_id = d.id OFFSET 0) AS s
        WHERE d.graph_id = ${graphId} AND d.occurred_at >= (${asOf}::date + 1)::timestamp AT TIME ZONE 'UTC'
          AND d.status IN ('committed', 'fulfilled') AND coalesce((SELECT bool_or(x.status <> 'draft')
            FROM ledger_entry AS x WHERE x.graph_id = d.graph_id AND x.event_id = d.id), true)
        GROUP BY s.originating_event_id, d.currency
      ), open AS (
        SELECT o.occurred_at, o.currency, coalesce(o.metadata->>'due_date', o.metadata->>'qb_due_date') AS due,
          a.amount + CASE WHEN o.amount < 0 THEN -1 ELSE 1 END * coalesce(l.amount, 0) AS balance
        FROM ledger_open_amounts(${graphId}, ARRAY(
          SELECT i.event_id FROM ledger_open_item AS i WHERE i.graph_id = ${graphId} AND i.side = ${side}
          UNION SELECT id FROM later)) AS a
        CROSS JOIN LATERAL (
          SELECT e.id, e.occurred_at, e.currency, e.amount, e.metadata FROM ledger_event AS e
          WHERE e.graph_id = ${graphId} AND e.id = a.event_id OFFSET 0) AS o
        LEFT JOIN later AS l ON l.id = o.id AND l.currency = o.currency
        WHERE a.side = ${side} AND (o.occurred_at AT TIME ZONE 'UTC')::date <= ${asOf}::date
      ), aged AS (SELECT currency, balance, ${asOf}::date - ${dueDate} AS days FROM open WHERE balance <> 0)
      SELECT CASE WHEN days <= 0 THEN 'current' WHEN days <= 30 THEN '1-30' WHEN days <= 60 THEN '31-60' WHEN days <= 90 THEN '61-90'
          ELSE 'over-90' END AS bucket, currency, sum(balance)::text AS total, count(*) AS events
      FROM aged GROUP BY 1, 2 ORDER BY min(days), currency`);
    return rows.map((row) => ({ ...row, total: BigInt(row.total) }));
  }
}
