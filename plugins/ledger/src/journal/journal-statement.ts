import { type RawBuilder, sql, textList } from '@pacioli/core';
import type { JournalRows, WrittenEvent } from './journal-rows.ts';

/** The journal of an event, as one statement. */
export interface JournalStatement {
  readonly graphId: string;
  readonly event: Omit<WrittenEvent, 'description'>;
  readonly rows: JournalRows;
  /** The months in which the entries are dated. */
  readonly months: readonly string[];
  /**
   * Returns one row when the event is recorded. It must read from `unblocked`, which is empty when the write is
   * refused: nothing else prevents a write to a closed month.
   */
  readonly recorded: RawBuilder<unknown>;
  /** The accounts that the caller checks once the statement has run; undefined when there are none. */
  readonly accounts: RawBuilder<unknown> | undefined;
  /** Creates the months and sets the currency of the books; without it nothing is written when they are missing. */
  readonly createsMonths: boolean;
}

/** One row for each account that was found, and at least one; these columns are equal in all of them. */
export interface Outcome {
  readonly is_recorded: boolean;
  /** A month has no row yet, or the books have no currency: run it again with `createsMonths`. */
  readonly is_unprepared: boolean;
  /** The first closed month. */
  readonly closed: string | null;
  readonly transaction_found: boolean;
  readonly other_currency: string | null;
}

/**
 * Writes the journal of an event. Each part of a statement has a start-up cost even without rows, so parts that few
 * events need are included only for those events.
 */
export function journalStatement(statement: JournalStatement): RawBuilder<Outcome> {
  const { graphId, rows, months, recorded, accounts, createsMonths } = statement;
  const existingId = rows.existingTransactionId;
  const hasEntries = rows.entries.length > 0;
  return sql<Outcome>`
    WITH calendar AS (
      SELECT closed_through FROM ledger_fiscal_calendar WHERE graph_id = ${graphId}
    ), state AS MATERIALIZED (
      SELECT
        min(m.name) FILTER (WHERE p.status = 'closed' OR (p.name IS NULL AND m.name <= c.closed_through)) AS closed,
        ${createsMonths ? sql`false` : unprepared(graphId, rows)} AS is_unprepared
      FROM unnest(${textList(months)}) AS m (name)
      LEFT JOIN ledger_fiscal_period AS p ON p.graph_id = ${graphId} AND p.name = m.name LEFT JOIN calendar AS c ON true
    ) ${existingId === null ? sql`` : existing(statement, existingId)}, unblocked AS (
      SELECT 1 FROM state WHERE closed IS NULL AND NOT is_unprepared
        ${existingId === null ? sql`` : sql`AND EXISTS (SELECT FROM existing) AND NOT EXISTS (SELECT FROM other)`}
    ), event AS (
      ${recorded}
    ) ${createsMonths ? monthsAndCurrency(statement) : sql``}
    ${rows.reversedIds.length > 0 ? reversed(statement) : sql``}
    ${rows.transactions.length > 0 ? transactions(statement) : sql``} ${hasEntries ? entriesAndLines(statement) : sql``}
    SELECT EXISTS (SELECT FROM event) AS is_recorded, is_unprepared, closed,
      ${existingId === null ? sql`true` : sql`EXISTS (SELECT FROM existing)`} AS transaction_found,
      ${existingId === null ? sql`NULL` : sql`(SELECT currency FROM other)`} AS other_currency
      ${accounts === undefined ? sql`FROM state` : sql`, a.* FROM state LEFT JOIN (${accounts}) AS a ON true`}`;
}

/** True when a month has no row, or a first posted entry is to set the currency of the books. */
function unprepared(graphId: string, { postedCount }: JournalRows): RawBuilder<unknown> {
  const lacksMonth = sql`EXISTS (SELECT FROM calendar) AND coalesce(bool_or(p.name IS NULL), false)`;
  if (postedCount === 0) return lacksMonth;
  return sql`(${lacksMonth}) OR EXISTS (
    SELECT FROM ledger_entity WHERE graph_id = ${graphId} AND is_parent AND functional_currency IS NULL)`;
}

/** The transaction that the entries join, and its currency when that differs from theirs. */
function existing({ graphId, event }: JournalStatement, id: string): RawBuilder<unknown> {
  return sql`, existing AS (
      SELECT currency FROM ledger_transaction WHERE graph_id = ${graphId} AND id = ${id} AND status <> 'void'
    ), other AS (
      SELECT currency FROM existing WHERE currency <> ${event.currency}
    )`;
}

/** The first posted entry decides the currency of the books; drafts do not (ledger L-5a). */
function monthsAndCurrency({ graphId, event, months, rows }: JournalStatement): RawBuilder<unknown> {
  return sql`, months AS (
      INSERT INTO ledger_fiscal_period (graph_id, name, status)
      SELECT ${graphId}, m.name, 'open' FROM unnest(${textList(months)}) AS m (name), event, calendar
      ON CONFLICT DO NOTHING
    ), books AS (
      UPDATE ledger_entity SET functional_currency = ${event.currency}
      WHERE graph_id = ${graphId} AND is_parent AND functional_currency IS NULL AND ${rows.postedCount} > 0
        AND EXISTS (SELECT FROM event)
    )`;
}

function reversed({ graphId, event, rows }: JournalStatement): RawBuilder<unknown> {
  return sql`, reversed AS (
      UPDATE ledger_entry SET status = 'reversed', updated_at = ${event.created_at}::timestamptz
      WHERE graph_id = ${graphId} AND id = ANY (${textList(rows.reversedIds)}) AND EXISTS (SELECT FROM event)
    )`;
}

function transactions({ graphId, event, rows }: JournalStatement): RawBuilder<unknown> {
  return sql`, transactions AS (
      INSERT INTO ledger_transaction (
        graph_id, id, event_id, type, category, amount, currency, date, description, source, source_id, status,
        posted_at, metadata, created_at, updated_at)
      SELECT ${graphId}, id, ${event.id}, ${event.event_type}, ${event.event_category}, amount, ${event.currency}, date,
        description, ${event.source}, ${event.external_id}, status, posted_at, metadata,
        ${event.created_at}::timestamptz, ${event.created_at}::timestamptz
      FROM event, jsonb_to_recordset(${JSON.stringify(rows.transactions)}::jsonb) AS t (
        id text, amount bigint, date date, description text, status text, posted_at timestamptz, metadata jsonb)
    )`;
}

function entriesAndLines({ graphId, event, rows }: JournalStatement): RawBuilder<unknown> {
  return sql`, entries AS (
      INSERT INTO ledger_entry (
        graph_id, id, transaction_id, event_id, type, status, posting_date, currency, memo, provenance, reversal_of,
        posted_at, created_at, updated_at)
      SELECT ${graphId}, id, transaction_id, ${event.id}, type, status, posting_date, ${event.currency}, memo,
        ${rows.provenance}, reversal_of, posted_at, ${event.created_at}::timestamptz, ${event.created_at}::timestamptz
      FROM event, jsonb_to_recordset(${JSON.stringify(rows.entries)}::jsonb) AS j (
        id text, transaction_id text, type text, status text, posting_date date, memo text, reversal_of text,
        posted_at timestamptz)
    ), lines AS (
      INSERT INTO ledger_line_item (
        graph_id, entry_id, line_order, id, element_id, posting_date, currency, is_landed, debit_amount, credit_amount,
        description, metadata)
      SELECT ${graphId}, entry_id, line_order, id, element_id, posting_date, ${event.currency}, is_landed, debit_amount,
        credit_amount, description, metadata
      FROM event, jsonb_to_recordset(${JSON.stringify(rows.lines)}::jsonb) AS l (
        entry_id text, line_order integer, id text, element_id text, posting_date date, is_landed boolean,
        debit_amount bigint, credit_amount bigint, description text, metadata jsonb)
    )`;
}
