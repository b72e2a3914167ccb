import { type Store, sql } from '@pacioli/core';

export interface SeenLine {
  readonly id: string;
  readonly line_order: number;
  readonly element_id: string;
  readonly posting_date: string;
  readonly currency: string;
  readonly is_landed: boolean;
  readonly debit_amount: number;
  readonly credit_amount: number;
}

export interface SeenEntry {
  readonly id: string;
  readonly transaction_id: string | null;
  readonly event_id: string | null;
  readonly type: string;
  readonly status: 'draft' | 'posted' | 'reversed';
  readonly posting_date: string;
  readonly currency: string;
  readonly memo: string | null;
  readonly provenance: string;
  readonly source_structure_id: string | null;
  readonly reversal_of: string | null;
  readonly posted_at: string | null;
  readonly version: number;
  readonly lines: readonly SeenLine[];
}

export interface SeenEvent {
  readonly id: string;
  readonly event_type: string;
  readonly status: string;
  readonly currency: string;
  readonly agent_id: string | null;
  readonly source: string;
  readonly external_id: string | null;
  readonly amount: number | null;
  readonly discharges_event_id: string | null;
  readonly obligated_by_event_id: string | null;
  readonly replaced_by_event_id: string | null;
  readonly replaces_event_id: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface SeenTransaction {
  readonly id: string;
  readonly event_id: string | null;
  readonly status: 'pending' | 'posted' | 'void';
  readonly amount: number;
  readonly date: string;
}

export interface SeenSchedule {
  readonly structure_id: string;
  readonly ended_on: string | null;
  readonly disposed_on: string | null;
  readonly definition: Readonly<Record<string, unknown>>;
  readonly months: readonly {
    readonly period: string;
    readonly amount: number;
    readonly accumulated: number;
    readonly scope: 'historical' | 'in_scope';
  }[];
}

/** All books of a graph, read in one statement so that no write is seen half done. */
export interface BooksSnapshot {
  readonly entries: readonly SeenEntry[];
  readonly events: readonly SeenEvent[];
  readonly transactions: readonly SeenTransaction[];
  readonly months: readonly { readonly name: string; readonly status: 'open' | 'closing' | 'closed' }[];
  readonly calendar: { readonly closed_through: string | null; readonly close_target: string | null } | null;
  readonly schedules: readonly SeenSchedule[];
  /** The functional currency; null while nothing has set it. */
  readonly functionalCurrency: string | null;
  /** Versions of entries that were replaced, as `entry:version`. */
  readonly history: readonly string[];
}

/** Reads the books of a graph from its store. */
export async function readBooks(store: Store, graphId: string): Promise<BooksSnapshot> {
  const rows = await store.transaction({ graphId }, (tx) =>
    tx.query(sql<{ seen: BooksSnapshot }>`
      SELECT jsonb_build_object(
        'entries', (SELECT coalesce(jsonb_agg(to_jsonb(e) || jsonb_build_object('lines', (
          SELECT coalesce(jsonb_agg(to_jsonb(l) ORDER BY l.line_order), '[]') FROM ledger_line_item AS l
          WHERE l.graph_id = e.graph_id AND l.entry_id = e.id)) ORDER BY e.id), '[]')
          FROM ledger_entry AS e WHERE e.graph_id = ${graphId}),
        'events', (SELECT coalesce(jsonb_agg(to_jsonb(v) ORDER BY v.id), '[]') FROM ledger_event AS v WHERE v.graph_id = ${graphId}),
        'transactions', (SELECT coalesce(jsonb_agg(to_jsonb(t) ORDER BY t.id), '[]') FROM ledger_transaction AS t WHERE t.graph_id = ${graphId}),
        'months', (SELECT coalesce(jsonb_agg(to_jsonb(p) ORDER BY p.name), '[]') FROM ledger_fiscal_period AS p WHERE p.graph_id = ${graphId}),
        'calendar', (SELECT to_jsonb(c) FROM ledger_fiscal_calendar AS c WHERE c.graph_id = ${graphId}),
        'schedules', (SELECT coalesce(jsonb_agg(to_jsonb(s) || jsonb_build_object('months', (
          SELECT coalesce(jsonb_agg(to_jsonb(m) ORDER BY m.period), '[]') FROM ledger_schedule_month AS m
          WHERE m.graph_id = s.graph_id AND m.structure_id = s.structure_id)) ORDER BY s.structure_id), '[]')
          FROM ledger_schedule AS s WHERE s.graph_id = ${graphId}),
        'functionalCurrency', (SELECT functional_currency FROM ledger_entity WHERE graph_id = ${graphId} AND is_parent),
        'history', (SELECT coalesce(jsonb_agg(h.entry_id || ':' || h.version ORDER BY h.entry_id, h.version), '[]')
          FROM ledger_entry_history AS h WHERE h.graph_id = ${graphId})) AS seen`),
  );
  const [row] = rows;
  if (row === undefined) throw new Error('An aggregate query returned no row.');
  return row.seen;
}

/** True for entries that count in balances, which includes reversed ones (ledger 0). */
export const isPosted = (entry: SeenEntry): boolean => entry.status !== 'draft';

/** True for events that were voided or superseded. */
export const isRetracted = (event: SeenEvent): boolean => event.status === 'voided' || event.status === 'superseded';

/** Sums debits and credits by account, in minor units, over the posted entries of a range of dates, both included. */
export function postedSums(
  seen: Pick<BooksSnapshot, 'entries'>,
  from = '0001-01-01',
  through = '9999-12-31',
): ReadonlyMap<string, { readonly debit: bigint; readonly credit: bigint }> {
  const sums = new Map<string, { debit: bigint; credit: bigint }>();
  const entries = seen.entries.filter(
    (entry) => isPosted(entry) && entry.posting_date >= from && entry.posting_date <= through,
  );
  for (const line of entries.flatMap((entry) => entry.lines)) {
    const sum = sums.get(line.element_id) ?? { debit: 0n, credit: 0n };
    sums.set(line.element_id, {
      debit: sum.debit + BigInt(line.debit_amount),
      credit: sum.credit + BigInt(line.credit_amount),
    });
  }
  return sums;
}
