import { type RawBuilder, sql, type Transaction } from '@pacioli/core';
import type { ChartOfAccounts } from '@pacioli/taxonomy';
import type { Balances } from '../balances/index.ts';
import type { LedgerEvent } from '../rows.gen.ts';
import { exactMinor } from '../values/index.ts';
import type { AgedBalance, Aging } from './aging.ts';
import { originatingTypes, type Side } from './settlement.ts';

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

/** Sums open items by event, not by account, and never across currencies (ledger L-5a, L-100). */
export class OpenBalances implements Aging {
  readonly #chart: ChartOfAccounts;
  readonly #balances: Balances;

  constructor(parts: { readonly chart: ChartOfAccounts; readonly balances: Balances }) {
    this.#chart = parts.chart;
    this.#balances = parts.balances;
  }

  /** The total in the functional currency, and the open events that it leaves out (ledger L-5). */
  async total(
    tx: Transaction,
    side: Side,
  ): Promise<{ readonly total: OpenTotal; readonly foreign: readonly ForeignOpen[] }> {
    const functional = await this.#balances.currency(tx);
    const rows = await tx.query(sql<
      Pick<LedgerEvent, 'currency'> & { readonly total: string; readonly agents: number; readonly events: number }
    >`
      WITH ${await this.#open(tx, side, sql``)}
      SELECT currency, sum(balance)::text AS total, count(DISTINCT agent_id) AS agents, count(*) AS events FROM open
      WHERE balance <> 0 GROUP BY currency ORDER BY currency`);
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
    const only = agentIds === undefined ? sql`` : sql`AND o.agent_id = ANY (${[...agentIds]}::text[])`;
    const rows = await tx.query(sql<
      Pick<LedgerEvent, 'agent_id' | 'currency'> & { readonly total: string; readonly events: number }
    >`
      WITH ${await this.#open(tx, side, only)}
      SELECT agent_id, sum(balance)::text AS total, count(*) FILTER (WHERE balance <> 0) AS events, currency FROM open
      GROUP BY agent_id, currency HAVING sum(balance) <> 0 ORDER BY abs(sum(balance)) DESC, agent_id, currency LIMIT ${maxAgents}`);
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

  /** Days are in UTC; nothing later than the given day counts (ledger L-102). */
  async aging(tx: Transaction, side: Side, asOf: string): Promise<readonly AgedBalance[]> {
    const rows = await tx.query(sql<
      Pick<LedgerEvent, 'currency'> & Pick<AgedBalance, 'bucket' | 'events'> & { readonly total: string }
    >`
      WITH ${await this.#open(tx, side, sql`AND (o.occurred_at AT TIME ZONE 'UTC')::date <= ${asOf}::date`, asOf)},
      aged AS (SELECT currency, balance, ${asOf}::date - ${dueDate} AS days FROM open WHERE balance <> 0)
      SELECT CASE WHEN days <= 0 THEN 'current' WHEN days <= 30 THEN '1-30' WHEN days <= 60 THEN '31-60' WHEN days <= 90 THEN '61-90'
          ELSE 'over-90' END AS bucket, currency, sum(balance)::text AS total, count(*) AS events
      FROM aged GROUP BY 1, 2 ORDER BY min(days), currency`);
    return rows.map((row) => ({ ...row, total: BigInt(row.total) }));
  }

  /**
   * The originating events with the open amount of each. Both sides count only once they are in the books: an event
   * whose entries are all drafts does not count, whatever its status (ledger L-100b).
   */
  async #open(tx: Transaction, side: Side, only: RawBuilder<unknown>, asOf?: string): Promise<RawBuilder<unknown>> {
    const settled = asOf === undefined ? sql`` : sql`AND (d.occurred_at AT TIME ZONE 'UTC')::date <= ${asOf}::date`;
    const accounts = side === 'receivable' ? await this.#receivableAccounts(tx) : [];
    return sql`open AS (
      -- Ledger L-70: the amount of a credit note is negative, so its settlements are added to it.
      SELECT o.agent_id, o.currency, o.occurred_at, coalesce(o.metadata->>'due_date', o.metadata->>'qb_due_date') AS due,
        o.amount - CASE WHEN o.amount < 0 THEN -1 ELSE 1 END * coalesce((
          SELECT sum(s.amount) FROM ledger_event_settlement AS s
          JOIN ledger_event AS d ON d.graph_id = s.graph_id AND d.id = s.discharging_event_id AND d.currency = o.currency
            AND d.status IN ('committed', 'fulfilled') AND ${hasPosted(sql`d`)} ${settled}
          WHERE s.graph_id = o.graph_id AND s.originating_event_id = o.id), 0)
        + CASE WHEN o.amount < 0 THEN coalesce((SELECT sum(u.amount) FROM ledger_event_settlement AS u
          WHERE u.graph_id = o.graph_id AND u.discharging_event_id = o.id), 0) ELSE 0 END AS balance
      FROM ledger_event AS o
      WHERE o.graph_id = ${tx.graphId} AND o.event_type = ANY (${[...originatingTypes[side]]}::text[])
        AND o.event_type IN ('invoice_issued', 'sales_receipt_recorded', 'bill_received')
        AND o.status IN ('committed', 'fulfilled') AND o.amount IS NOT NULL AND ${hasPosted(sql`o`)} ${only}
        -- Ledger L-101: a sale that was paid immediately leaves nothing open.
        AND (o.event_type <> 'sales_receipt_recorded' OR EXISTS (
          SELECT FROM ledger_entry AS e JOIN ledger_line_item AS l ON l.graph_id = e.graph_id AND l.entry_id = e.id
          WHERE e.graph_id = o.graph_id AND e.event_id = o.id AND l.debit_amount > 0 AND l.element_id = ANY (${accounts}::text[]))))`;
  }

  async #receivableAccounts(tx: Transaction): Promise<string[]> {
    const accounts = await this.#chart.all(tx, { includeInactive: true });
    return accounts.filter((account) => account.subClassification === 'receivable').map((account) => account.id);
  }
}

/** True for an event that has a posted entry, or no entry at all. */
function hasPosted(event: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((SELECT bool_or(x.status <> 'draft') FROM ledger_entry AS x
    WHERE x.graph_id = ${event}.graph_id AND x.event_id = ${event}.id), true)`;
}
