import { type Ids, type RawBuilder, sql, type Transaction, textList } from '@pacioli/core';
import type { ChartOfAccounts } from '@pacioli/taxonomy';
import { totals } from '../domain/lines.ts';
import { monthsOfDates } from '../domain/periods.ts';
import type { JournalPlan, PlannedEntry } from '../tokens.ts';
import { graphOf } from './graph-of.ts';

/** An event as it is stored. */
export interface NewEvent {
  readonly id: string;
  readonly event_type: string;
  readonly event_class: string;
  readonly event_category: string;
  readonly event_action: string | null;
  readonly status: string;
  readonly occurred_at: string;
  readonly effective_at: string | null;
  readonly source: string;
  readonly external_id: string | null;
  readonly external_url: string | null;
  readonly amount: number | null;
  readonly currency: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly dimension_ids: readonly string[];
  readonly agent_id: string | null;
  readonly resource_type: string | null;
  readonly resource_element_id: string | null;
  readonly obligated_by_event_id: string | null;
  readonly discharges_event_id: string | null;
  readonly created_at: string;
  readonly created_by: string;
}

/** What the journal takes over from its event. */
export type WrittenEvent = Pick<
  NewEvent,
  'id' | 'event_type' | 'event_category' | 'source' | 'external_id' | 'currency' | 'description' | 'created_at'
>;

/** What stands in the way of an event. */
export type Refusal =
  | { readonly kind: 'duplicate'; readonly eventId: string }
  /** With the month that the calendar begins with. */
  | { readonly kind: 'closed'; readonly period: string; readonly begins: string | null }
  | { readonly kind: 'no-account'; readonly ids: readonly string[] }
  | { readonly kind: 'no-transaction' }
  | { readonly kind: 'other-currency'; readonly currency: string };

/** Writes events with their transactions, entries and lines: all of one event in one statement. */
export class JournalWriter {
  readonly #ids: Ids;
  readonly #chart: ChartOfAccounts;

  constructor(parts: { readonly ids: Ids; readonly chart: ChartOfAccounts }) {
    this.#ids = parts.ids;
    this.#chart = parts.chart;
  }

  /** Writes an event and what it does to the journal. Nothing is written when something stands in the way. */
  async write(tx: Transaction, event: NewEvent, plan: JournalPlan | undefined): Promise<Refusal | undefined> {
    const graphId = graphOf(tx);
    const outcome = await this.#write(
      tx,
      event,
      plan,
      sql`
        INSERT INTO ledger_event (graph_id, id, event_type, event_class, event_category, event_action, status, occurred_at, effective_at,
          source, external_id, external_url, amount, currency, description, metadata, dimension_ids, agent_id, resource_type,
          resource_element_id, obligated_by_event_id, discharges_event_id, created_at, created_by)
        SELECT ${graphId}, id, event_type, event_class, event_category, event_action, status, occurred_at, effective_at, source, external_id,
          external_url, amount, currency, description, metadata, dimension_ids, agent_id, resource_type, resource_element_id,
          obligated_by_event_id, discharges_event_id, created_at, created_by
        FROM free, jsonb_to_record(${JSON.stringify(event)}::jsonb) AS e (id text, event_type text, event_class text, event_category text,
          event_action text, status text, occurred_at timestamptz, effective_at timestamptz, source text, external_id text, external_url text,
          amount bigint, currency text, description text, metadata jsonb, dimension_ids text[], agent_id text, resource_type text,
          resource_element_id text, obligated_by_event_id text, discharges_event_id text, created_at timestamptz, created_by text)
        ON CONFLICT (graph_id, source, external_id) WHERE external_id IS NOT NULL DO NOTHING
        RETURNING true AS is_recorded`,
    );
    if (outcome === undefined) return undefined;
    // A second delivery is told so first, whatever else is in its way (L-82, L-83); a race was won and committed by now.
    const earlier =
      event.external_id === null ? undefined : await this.findByExternalId(tx, event.source, event.external_id);
    if (earlier !== undefined) return { kind: 'duplicate', eventId: earlier };
    if (outcome === 'taken') throw new Error('An event was neither recorded nor refused.');
    return outcome;
  }

  /** Writes what an event does to the journal that was recorded before; `created_at` is the time of the write. */
  async writeLater(tx: Transaction, event: WrittenEvent, plan: JournalPlan): Promise<Refusal | undefined> {
    const outcome = await this.#write(tx, event, plan, sql`SELECT true AS is_recorded FROM free`);
    if (outcome === 'taken') throw new Error('The journal of an event was neither written nor refused.');
    return outcome;
  }

  /** The statement of both; they differ in the row of the event. `taken` says that there is such a row already. */
  async #write(
    tx: Transaction,
    event: WrittenEvent,
    plan: JournalPlan | undefined,
    recorded: RawBuilder<unknown>,
  ): Promise<Refusal | 'taken' | undefined> {
    const graphId = graphOf(tx);
    const rows = this.#rows(event, plan);
    const months = plan === undefined ? [] : monthsOf(plan);
    const accounts = [...new Set(rows.lines.map((line) => line.element_id))];
    const [outcome] = await tx.query(sql<Outcome>`
      WITH calendar AS (
        SELECT closed_through FROM ledger_fiscal_calendar WHERE graph_id = ${graphId}
      ), closed AS (
        SELECT m.name FROM unnest(${textList(months)}) AS m (name)
        LEFT JOIN ledger_fiscal_period AS p ON p.graph_id = ${graphId} AND p.name = m.name
        WHERE p.status = 'closed' OR (p.name IS NULL AND m.name <= (SELECT closed_through FROM calendar))
        ORDER BY m.name LIMIT 1
      ), missing AS (
        -- The fence of the months keeps those that are there (L-150).
        ${this.#chart.missing(graphId, accounts)}
      ), existing AS (
        SELECT currency FROM ledger_transaction WHERE graph_id = ${graphId} AND id = ${rows.existingTransactionId} AND status <> 'void'
      ), found AS (
        SELECT ${rows.existingTransactionId}::text IS NULL OR EXISTS (SELECT FROM existing) AS yes,
          (SELECT currency FROM existing WHERE currency <> ${event.currency}) AS other_currency
      ), free AS (
        SELECT 1 FROM found WHERE yes AND other_currency IS NULL
          AND NOT EXISTS (SELECT FROM closed) AND NOT EXISTS (SELECT FROM missing)
      ), event AS (
        ${recorded}
      ), months AS (
        INSERT INTO ledger_fiscal_period (graph_id, name, status)
        SELECT ${graphId}, m.name, 'open' FROM unnest(${textList(months)}) AS m (name), event, calendar
        ON CONFLICT DO NOTHING
      ), books AS (
        -- Ledger L-5a: the first posted entry decides, and no draft does.
        UPDATE ledger_entity SET functional_currency = ${event.currency}
        WHERE graph_id = ${graphId} AND is_parent AND functional_currency IS NULL AND ${rows.postedCount} > 0 AND EXISTS (SELECT FROM event)
      ), undone AS (
        UPDATE ledger_entry SET status = 'reversed', updated_at = ${event.created_at}::timestamptz
        WHERE graph_id = ${graphId} AND id = ANY (${textList(rows.reversedIds)}) AND EXISTS (SELECT FROM event)
          -- Hardly any event reverses something: without this a kept plan may read all entries to find none.
          AND ${rows.reversedIds.length} > 0
      ), grouping AS (
        INSERT INTO ledger_transaction (graph_id, id, event_id, type, category, amount, currency, date, description, source, source_id, status,
          posted_at, metadata, created_at, updated_at)
        SELECT ${graphId}, id, ${event.id}, ${event.event_type}, ${event.event_category}, amount, ${event.currency}, date, description,
          ${event.source}, ${event.external_id}, status, posted_at, metadata, ${event.created_at}::timestamptz, ${event.created_at}::timestamptz
        FROM event, jsonb_to_recordset(${JSON.stringify(rows.transactions)}::jsonb)
          AS t (id text, amount bigint, date date, description text, status text, posted_at timestamptz, metadata jsonb)
      ), entries AS (
        INSERT INTO ledger_entry (graph_id, id, transaction_id, event_id, type, status, posting_date, currency, memo, provenance, reversal_of,
          posted_at, created_at, updated_at)
        SELECT ${graphId}, id, transaction_id, ${event.id}, type, status, posting_date, ${event.currency}, memo, ${plan?.provenance ?? 'manual_entry'}, reversal_of,
          posted_at, ${event.created_at}::timestamptz, ${event.created_at}::timestamptz
        FROM event, jsonb_to_recordset(${JSON.stringify(rows.entries)}::jsonb)
          AS j (id text, transaction_id text, type text, status text, posting_date date, memo text, reversal_of text, posted_at timestamptz)
      ), lines AS (
        INSERT INTO ledger_line_item (graph_id, entry_id, line_order, id, element_id, posting_date, currency, is_landed, debit_amount,
          credit_amount, description, metadata)
        SELECT ${graphId}, entry_id, line_order, id, element_id, posting_date, ${event.currency}, is_landed, debit_amount, credit_amount, description, metadata
        FROM event, jsonb_to_recordset(${JSON.stringify(rows.lines)}::jsonb) AS l (entry_id text, line_order integer, id text, element_id text,
          posting_date date, is_landed boolean, debit_amount bigint, credit_amount bigint, description text, metadata jsonb)
      )
      SELECT (SELECT name FROM closed) AS closed,
        (SELECT (SELECT min(name) FROM ledger_fiscal_period WHERE graph_id = ${graphId}) FROM closed) AS begins,
        (SELECT jsonb_agg(id ORDER BY id) FROM missing) AS missing, found.yes AS transaction_found,
        found.other_currency, EXISTS (SELECT FROM event) AS is_recorded FROM found`);
    return outcomeOf(outcome);
  }

  /** The id of the event that has this source and external id; undefined when there is none. */
  async findByExternalId(tx: Transaction, source: string, externalId: string): Promise<string | undefined> {
    const [row] = await tx.query(sql<{ id: string }>`
      SELECT id FROM ledger_event WHERE graph_id = ${graphOf(tx)} AND source = ${source} AND external_id = ${externalId}`);
    return row?.id;
  }

  #rows(event: WrittenEvent, plan: JournalPlan | undefined) {
    const groups = groupsOf(plan).map((entries) => ({ id: plan?.transactionId ?? this.#ids.make('txn'), entries }));
    const transactions =
      plan === undefined || plan.transactionId !== null
        ? []
        : groups.map(({ id, entries }) => ({ id, ...transactionRow(event, plan, entries) }));
    const entries = groups.flatMap((group) =>
      group.entries.map((entry) => ({
        id: this.#ids.make('je'),
        transaction_id: group.id,
        type: entry.type,
        status: entry.status,
        posting_date: entry.postingDate,
        memo: entry.memo,
        reversal_of: entry.reversalOf,
        posted_at: entry.status === 'posted' ? event.created_at : null,
        lines: entry.lines,
      })),
    );
    const lines = entries.flatMap((entry) =>
      entry.lines.map((line, index) => ({
        entry_id: entry.id,
        line_order: index + 1,
        id: this.#ids.make('li'),
        element_id: line.elementId,
        posting_date: entry.posting_date,
        is_landed: entry.status === 'posted',
        debit_amount: line.debit.toString(),
        credit_amount: line.credit.toString(),
        description: line.description,
        metadata: line.metadata,
      })),
    );
    return {
      transactions,
      entries: entries.map(({ lines: _lines, ...entry }) => entry),
      lines,
      postedCount: entries.filter(({ status }) => status === 'posted').length,
      existingTransactionId: plan?.transactionId ?? null,
      reversedIds: entries.flatMap((entry) => (entry.reversal_of === null ? [] : [entry.reversal_of])),
    };
  }
}

/** The entries of each new transaction: all in one, or one in each. */
function groupsOf(plan: JournalPlan | undefined): readonly (readonly PlannedEntry[])[] {
  if (plan === undefined || plan.entries.length === 0) return [];
  return plan.oneTransactionEach === true ? plan.entries.map((entry) => [entry]) : [plan.entries];
}

function transactionRow(event: WrittenEvent, plan: JournalPlan, entries: readonly PlannedEntry[]) {
  const isPosted = entries.every((entry) => entry.status === 'posted');
  return {
    amount: entries.reduce((sum, entry) => sum + totals(entry.lines).debit, 0n).toString(),
    date: entries.map((entry) => entry.postingDate).sort()[0],
    description: event.description ?? entries[0]?.memo ?? null,
    status: isPosted ? 'posted' : 'pending',
    posted_at: isPosted ? event.created_at : null,
    // Ledger L-112: a replay needs the version of the rule.
    metadata: plan.rule === undefined ? null : { handler_id: plan.rule.id, handler_version: plan.rule.version },
  };
}

function monthsOf(plan: JournalPlan): readonly string[] {
  return monthsOfDates(plan.entries.map((entry) => entry.postingDate));
}

/** What the statement of a write answers. */
interface Outcome {
  readonly closed: string | null;
  readonly begins: string | null;
  readonly missing: readonly string[] | null;
  readonly transaction_found: boolean;
  readonly other_currency: string | null;
  readonly is_recorded: boolean;
}

function outcomeOf(outcome: Outcome | undefined): Refusal | 'taken' | undefined {
  if (outcome === undefined) throw new Error('Recording an event answers one row.');
  if (outcome.is_recorded) return undefined;
  if (outcome.missing !== null) return { kind: 'no-account', ids: outcome.missing };
  if (!outcome.transaction_found) return { kind: 'no-transaction' };
  if (outcome.other_currency !== null) return { kind: 'other-currency', currency: outcome.other_currency };
  return outcome.closed === null ? 'taken' : { kind: 'closed', period: outcome.closed, begins: outcome.begins };
}
