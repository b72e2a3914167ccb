import { type RawBuilder, sql, type Transaction } from '@pacioli/core';
import { graphOf } from './graph-of.ts';

/** Rows that one statement compares with the log. */
const rows_per_part = 1_000;

/** A table of the books whose rows are what the log says of them: added, with all changes since. */
interface LoggedTable {
  readonly table: string;
  readonly rows: string;
  readonly kinds: { readonly added: string; readonly changed: string; readonly removed: string };
  /** The columns of the key beside the graph; joined by a slash they are the subject of the log's rows. */
  readonly key: readonly string[];
  /** Of these the log holds a digest. */
  readonly digested: readonly string[];
}

/** As `ledger_log_table` set it up in a migration. */
const byRows = (
  table: string,
  kind: string,
  rows: string,
  key: readonly string[],
  digested: readonly string[] = [],
): LoggedTable => ({
  table,
  rows,
  kinds: { added: `${kind}_added`, changed: `${kind}_changed`, removed: `${kind}_removed` },
  key,
  digested,
});

const namesPeople = 'name,legal_name,tax_id,registration_number,duns,lei,email,phone,address,metadata'.split(',');

const loggedTables: readonly LoggedTable[] = [
  {
    table: 'ledger_event',
    rows: 'events',
    kinds: { added: 'event_recorded', changed: 'event_changed', removed: 'event_deleted' },
    key: ['id'],
    digested: [],
  },
  byRows('ledger_transaction', 'transaction', 'transactions', ['id']),
  byRows('ledger_event_settlement', 'settlement', 'settlements', ['discharging_event_id', 'originating_event_id']),
  byRows('ledger_entity', 'entity', 'entities with the currency of the books', ['id']),
  byRows('ledger_entity_taxonomy', 'entity_link', 'charts of entities', ['entity_id', 'taxonomy_id', 'basis']),
  byRows('ledger_fiscal_calendar', 'calendar_settings', 'settings of the calendar', ['id']),
  byRows('ledger_fiscal_period', 'month', 'months', ['name'], ['close_receipt']),
  byRows('ledger_agent', 'agent', 'agents', ['id'], namesPeople),
  byRows('ledger_schedule', 'schedule', 'schedules', ['structure_id'], ['definition']),
  byRows('ledger_schedule_month', 'schedule_month', 'months of schedules', ['structure_id', 'period']),
  byRows('ledger_entry_history', 'entry_history', 'former entries', ['entry_id', 'version'], ['content']),
  byRows('ledger_close_receipt_history', 'receipt_history', 'former receipts', ['period', 'id'], ['receipt']),
];

/** A check of one table against the log. */
export interface RowCheck {
  readonly rule: string;
  readonly meaning: string;
  /** The subjects of rows that the log does not say so, at most so many. */
  offenders(tx: Transaction, offenders_max: number): Promise<readonly string[]>;
}

export const rowChecks: readonly RowCheck[] = [
  ...loggedTables.map((logged) => ({
    rule: 'L-214',
    meaning: `the ${logged.rows} are as the log says`,
    offenders: async (tx: Transaction, offenders_max: number) => {
      const changed = await changedRows(tx, logged, offenders_max);
      return changed.length > 0 ? changed : vanishedRows(tx, logged, offenders_max);
    },
  })),
  {
    rule: 'L-193',
    meaning: 'the audit of the calendar is as the log says',
    offenders: (tx, offenders_max) =>
      unlikeLog(tx, { table: 'ledger_calendar_event', subject: 'id', kind: 'calendar' }, offenders_max),
  },
  {
    rule: 'L-112',
    meaning: 'the versions of handlers are as the log says',
    offenders: (tx, offenders_max) =>
      unlikeLog(
        tx,
        { table: 'ledger_event_handler_version', subject: 'handler_id', kind: 'handler_version' },
        offenders_max,
      ),
  },
];

/** Rows that are not what was added, with all changes since; a later row of the log has the last word on a column. */
async function changedRows(tx: Transaction, logged: LoggedTable, offenders_max: number): Promise<readonly string[]> {
  const { added, changed, removed } = logged.kinds;
  const key = [...logged.key];
  const said = sql`ledger_log_said(p.item, ${key}::text[], ${[...logged.digested]}::text[])`;
  let after = '';
  for (;;) {
    const [row] = await tx.query(sql<{ last: string | null; changed: readonly string[] | null }>`
      WITH part AS (
        SELECT ledger_log_subject(r.item, ${key}::text[]) AS subject_id, r.item
        FROM (SELECT ledger_utc_json(t) AS item FROM ${sql.table(logged.table)} AS t
          WHERE t.graph_id = ${graphOf(tx)} AND ${subjectOf(logged)} > ${after} ORDER BY ${subjectOf(logged)} LIMIT ${rows_per_part}) AS r
      ), said AS (
        SELECT l.subject_id, jsonb_strip_nulls(jsonb_object_agg(f.key, f.value ORDER BY l.id)) AS item
        FROM part AS p JOIN ledger_log AS l ON l.graph_id = ${graphOf(tx)} AND l.subject_id = p.subject_id AND l.kind IN (${added}, ${changed})
          -- A row can come again after it was removed.
          AND l.id > coalesce((SELECT max(d.id) FROM ledger_log AS d WHERE d.graph_id = l.graph_id AND d.subject_id = l.subject_id
            AND d.kind = ${removed}), 0)
        CROSS JOIN LATERAL jsonb_each(l.payload) AS f GROUP BY l.subject_id
      ), changed AS (
        SELECT p.subject_id FROM part AS p LEFT JOIN said AS s ON s.subject_id = p.subject_id
        WHERE ${said} IS DISTINCT FROM s.item - ${key}::text[]
      )
      SELECT (SELECT max(subject_id COLLATE "C") FROM part) AS last,
        (SELECT jsonb_agg(subject_id ORDER BY subject_id) FROM (
          SELECT subject_id FROM changed ORDER BY subject_id LIMIT ${offenders_max}) AS c) AS changed`);
    if (row === undefined) throw new Error('A statement without a condition has a row.');
    if (row.changed !== null) return row.changed;
    if (row.last === null) return [];
    after = row.last;
  }
}

/** Rows that were added and are gone, though the log does not know. */
async function vanishedRows(tx: Transaction, logged: LoggedTable, offenders_max: number): Promise<readonly string[]> {
  const { added, removed } = logged.kinds;
  const rows = await tx.query(sql<{ id: string }>`
    SELECT w.subject_id AS id FROM ledger_log AS w
    WHERE w.graph_id = ${graphOf(tx)} AND w.kind = ${added}
      AND NOT EXISTS (SELECT FROM ${sql.table(logged.table)} AS t WHERE t.graph_id = ${graphOf(tx)} AND ${subjectOf(logged)} = w.subject_id)
      AND NOT EXISTS (SELECT FROM ledger_log AS d
        WHERE d.graph_id = w.graph_id AND d.subject_id = w.subject_id AND d.kind = ${removed} AND d.id > w.id)
    ORDER BY id LIMIT ${offenders_max}`);
  return rows.map(({ id }) => id);
}

/** The subject of a row `t`, compared byte by byte, so that parts follow each other in any database. */
function subjectOf({ key }: LoggedTable): RawBuilder<string> {
  const columns = key.map((column) => sql`t.${sql.ref(column)}::text`);
  return sql`(${sql.join(columns, sql` || '/' || `)}) COLLATE "C"`;
}

/** A table to which rows are only added, each with a row of the log that holds all of it. */
interface AppendedTable {
  readonly table: string;
  readonly subject: string;
  readonly kind: string;
}

/** Rows that no row of the log holds, and rows of the log that no row is. */
async function unlikeLog(
  tx: Transaction,
  { table, subject, kind }: AppendedTable,
  offenders_max: number,
): Promise<readonly string[]> {
  const rows = await tx.query(sql<{ id: string }>`
    WITH stored AS (
      SELECT t.${sql.ref(subject)} AS id, jsonb_strip_nulls(ledger_utc_json(t) - 'graph_id') AS item
      FROM ${sql.table(table)} AS t WHERE t.graph_id = ${graphOf(tx)}
    ), said AS (
      SELECT l.subject_id AS id, jsonb_strip_nulls(l.payload) AS item FROM ledger_log AS l
      WHERE l.graph_id = ${graphOf(tx)} AND l.kind = ${kind}
    )
    SELECT DISTINCT id FROM ((TABLE stored EXCEPT TABLE said) UNION ALL (TABLE said EXCEPT TABLE stored)) AS u
    ORDER BY id LIMIT ${offenders_max}`);
  return rows.map(({ id }) => id);
}
