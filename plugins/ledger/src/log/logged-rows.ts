import { type RawBuilder, sql, type Transaction } from '@pacioli/core';
import type { LedgerLog } from '../rows.gen.ts';

/** Rows that one statement compares with the log. */
const rowsPerPart = 1_000;

/** Rows of the log that one statement reads, most of which belong to other tables. */
const logRowsPerPart = 10_000;

/** A table of the books whose rows must equal their addition in the log with all later changes applied. */
interface LoggedTable {
  readonly table: string;
  readonly rows: string;
  readonly kinds: { readonly added: string; readonly changed: string; readonly removed: string };
  /** The columns of the key other than the graph; joined by slashes they are the subject of the log's rows. */
  readonly key: readonly string[];
  /** Columns of which the log holds only a digest. */
  readonly digested: readonly string[];
  /** True when the row of an event in the log holds the rows that were added with it. */
  readonly isInJournal?: boolean;
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
  { ...byRows('ledger_transaction', 'transaction', 'transactions', ['id']), isInJournal: true },
  byRows('ledger_event_settlement', 'settlement', 'settlements', ['discharging_event_id', 'originating_event_id']),
  byRows('ledger_entity', 'entity', 'entities with the currency of the books', ['id']),
  byRows('ledger_entity_taxonomy', 'entity_link', 'charts of entities', ['entity_id', 'taxonomy_id', 'basis']),
  byRows('ledger_fiscal_calendar', 'calendar_settings', 'settings of the calendar', ['id']),
  byRows('ledger_fiscal_period', 'month', 'months', ['name'], ['close_receipt']),
  byRows('ledger_agent', 'agent', 'agents', ['id'], namesPeople),
  byRows('ledger_schedule', 'schedule', 'schedules', ['structure_id'], ['definition']),
  byRows('ledger_schedule_month', 'schedule_month', 'months of schedules', ['structure_id', 'period']),
  byRows('ledger_entry_history', 'entry_history', 'replaced versions of entries', ['entry_id', 'version'], ['content']),
  byRows(
    'ledger_close_receipt_history',
    'receipt_history',
    'receipts of reopened months',
    ['period', 'id'],
    ['receipt'],
  ),
];

/** A check of one table against the log. */
export interface RowCheck {
  readonly rule: string;
  readonly meaning: string;
  /** The subjects of up to `maxOffenders` rows that differ from the log. */
  offenders(tx: Transaction, maxOffenders: number): Promise<readonly string[]>;
}

export const rowChecks: readonly RowCheck[] = [
  ...loggedTables.map((logged) => ({
    rule: 'L-214',
    meaning: `the ${logged.rows} match the log`,
    offenders: async (tx: Transaction, maxOffenders: number) => {
      const changed = await changedRows(tx, logged, maxOffenders);
      return changed.length > 0 ? changed : vanishedRows(tx, logged, maxOffenders);
    },
  })),
  {
    rule: 'L-193',
    meaning: 'the audit of the calendar matches the log',
    offenders: (tx, maxOffenders) =>
      unlikeLog(tx, { table: 'ledger_calendar_event', subject: 'id', kind: 'calendar' }, maxOffenders),
  },
  {
    rule: 'L-112',
    meaning: 'the versions of handlers match the log',
    offenders: (tx, maxOffenders) =>
      unlikeLog(
        tx,
        { table: 'ledger_event_handler_version', subject: 'handler_id', kind: 'handler_version' },
        maxOffenders,
      ),
  },
];

/** Rows that differ from their addition with all later changes; the latest row of the log decides each column. */
async function changedRows(tx: Transaction, logged: LoggedTable, maxOffenders: number): Promise<readonly string[]> {
  const { added, changed, removed } = logged.kinds;
  const key = [...logged.key];
  const recorded = sql`ledger_log_said(p.item, ${key}::text[], ${[...logged.digested]}::text[])`;
  const columns = keyColumns(logged);
  const isEvent = logged.table === 'ledger_event';
  const assumed = isEvent ? sql`ledger_log_assumed_event()` : sql`'{}'::jsonb`;
  const payload = isEvent ? sql`ledger_log_unpacked(l.subject_id, l.payload)` : sql`l.payload`;
  const addedWithEvents = sql`
        UNION ALL
        SELECT p.subject_id, l.id, j.payload
        FROM part AS p JOIN ledger_log AS l ON l.graph_id = ${tx.graphId} AND l.subject_id = p.item ->> 'event_id' AND l.kind = 'event_recorded'
        CROSS JOIN LATERAL ledger_log_journal_rows(l.subject_id, l.payload) AS j WHERE j.kind = ${added} AND j.subject_id = p.subject_id`;
  let after: readonly string[] | null = null;
  for (;;) {
    const isLater: RawBuilder<unknown> = after === null ? sql`true` : sql`(${columns}) > (${keyValues(logged, after)})`;
    const [row]: readonly { readonly last: readonly string[] | null; readonly changed: readonly string[] | null }[] =
      await tx.query(sql<{ last: readonly string[] | null; changed: readonly string[] | null }>`
      WITH part AS (
        SELECT ledger_log_subject(r.item, ${key}::text[]) AS subject_id, r.item, r.place
        FROM (SELECT ledger_utc_json(t) AS item, row_number() OVER (ORDER BY ${columns}) AS place FROM ${sql.table(logged.table)} AS t
          WHERE t.graph_id = ${tx.graphId} AND ${isLater} ORDER BY ${columns} LIMIT ${rowsPerPart}) AS r
      ), records AS (
        SELECT p.subject_id, l.id, ${payload} AS payload
        FROM part AS p JOIN ledger_log AS l ON l.graph_id = ${tx.graphId} AND l.subject_id = p.subject_id AND l.kind IN (${added}, ${changed})
        ${logged.isInJournal === true ? addedWithEvents : sql``}
      ), logged AS (
        SELECT r.subject_id, jsonb_strip_nulls(${assumed} || jsonb_object_agg(f.key, f.value ORDER BY r.id)) AS item
        FROM records AS r CROSS JOIN LATERAL jsonb_each(r.payload) AS f
        -- A row can be inserted again after it was removed.
        WHERE r.id > coalesce((SELECT max(d.id) FROM ledger_log AS d WHERE d.graph_id = ${tx.graphId} AND d.subject_id = r.subject_id
          AND d.kind = ${removed}), 0)
        GROUP BY r.subject_id
      ), changed AS (
        SELECT p.subject_id FROM part AS p LEFT JOIN logged AS s ON s.subject_id = p.subject_id
        WHERE ${recorded} IS DISTINCT FROM s.item - ${[...key, 'journal']}::text[]
      )
      SELECT (SELECT (SELECT jsonb_agg(p.item ->> k.name ORDER BY k.place) FROM unnest(${key}::text[]) WITH ORDINALITY AS k (name, place))
          FROM part AS p ORDER BY p.place DESC LIMIT 1) AS last,
        (SELECT jsonb_agg(subject_id ORDER BY subject_id) FROM (
          SELECT subject_id FROM changed ORDER BY subject_id LIMIT ${maxOffenders}) AS c) AS changed`);
    if (row === undefined) throw new Error('An aggregate query returned no row.');
    if (row.changed !== null) return row.changed;
    if (row.last === null) return [];
    after = row.last;
  }
}

/** Rows that were removed without a row of the log; the batches follow the log's primary key. */
async function vanishedRows(tx: Transaction, logged: LoggedTable, maxOffenders: number): Promise<readonly string[]> {
  const { added, removed } = logged.kinds;
  const isKey = logged.key.map((column, index) => sql`t.${sql.ref(column)} = ${asKey(column, keyPart(logged, index))}`);
  const addedWithEvents = sql`
        UNION ALL
        SELECT t.item ->> 'id', p.id, ${added} FROM part AS p
        CROSS JOIN LATERAL jsonb_array_elements(ledger_log_unpacked(p.subject_id, p.payload) #> '{journal,transactions}') AS t (item)
        WHERE p.kind = 'event_recorded'`;
  let after = { subject: '', id: '0' };
  for (;;) {
    const [row]: readonly VanishedPart[] = await tx.query(sql<VanishedPart>`
      WITH part AS (
        SELECT l.subject_id, l.id, l.kind, l.payload FROM ledger_log AS l
        WHERE l.graph_id = ${tx.graphId} AND (l.subject_id, l.id) > (${after.subject}, ${after.id}::text::bigint)
        ORDER BY l.subject_id, l.id LIMIT ${logRowsPerPart}
      ), records AS (
        SELECT p.subject_id, p.id, p.kind FROM part AS p ${logged.isInJournal === true ? addedWithEvents : sql``}
      ), gone AS (
        SELECT w.subject_id FROM records AS w WHERE w.kind = ${added}
          AND NOT EXISTS (SELECT FROM ${sql.table(logged.table)} AS t WHERE t.graph_id = ${tx.graphId} AND ${sql.join(isKey, sql` AND `)})
          AND NOT EXISTS (SELECT FROM ledger_log AS d
            WHERE d.graph_id = ${tx.graphId} AND d.subject_id = w.subject_id AND d.kind = ${removed} AND d.id > w.id)
      )
      SELECT l.subject_id AS subject, l.id::text AS id,
        (SELECT jsonb_agg(g.subject_id ORDER BY g.subject_id) FROM (
          SELECT DISTINCT subject_id FROM gone ORDER BY subject_id LIMIT ${maxOffenders}) AS g) AS gone
      FROM (SELECT p.subject_id, p.id FROM part AS p ORDER BY p.subject_id DESC, p.id DESC LIMIT 1) AS l`);
    if (row === undefined) return [];
    if (row.gone !== null) return row.gone;
    after = row;
  }
}

interface VanishedPart {
  /** The last row of the log in the batch. */
  readonly subject: LedgerLog['subject_id'];
  readonly id: string;
  readonly gone: readonly string[] | null;
}

/** The key of a row `t` in the order of the primary key, by which the batches are read. */
function keyColumns({ key }: LoggedTable): RawBuilder<unknown> {
  return sql.join(key.map((column) => sql`t.${sql.ref(column)}`));
}

function keyValues({ key }: LoggedTable, values: readonly string[]): RawBuilder<unknown> {
  return sql.join(key.map((column, index) => asKey(column, sql`${values[index] ?? ''}`)));
}

/** Casts a text to the type of a key column, so that the primary key index can be used. */
function asKey(column: string, value: RawBuilder<unknown>): RawBuilder<unknown> {
  return column === 'version' ? sql`${value}::text::integer` : sql`${value}::text`;
}

/** A column of the key in the subject of a row `w` of the log of this table. */
function keyPart({ key }: LoggedTable, index: number): RawBuilder<unknown> {
  return key.length === 1 ? sql`w.subject_id` : sql`split_part(w.subject_id, '/', ${index + 1}::integer)`;
}

/** A table to which rows are only added, each with a row of the log that holds all of it. */
interface AppendedTable {
  readonly table: string;
  readonly subject: string;
  readonly kind: string;
}

/** Rows without a row in the log, and rows of the log without a row; a batch has all rows of its subjects. */
async function unlikeLog(tx: Transaction, appended: AppendedTable, maxOffenders: number): Promise<readonly string[]> {
  const { table, subject, kind } = appended;
  let after = '';
  for (;;) {
    const last = await lastOfPart(tx, appended, after);
    const isIn = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
      last === null ? sql`${column} > ${after}` : sql`${column} > ${after} AND ${column} <= ${last}`;
    const rows = await tx.query(sql<{ id: string }>`
      WITH stored AS (
        SELECT t.${sql.ref(subject)} AS id, jsonb_strip_nulls(ledger_utc_json(t) - 'graph_id') AS item
        FROM ${sql.table(table)} AS t WHERE t.graph_id = ${tx.graphId} AND ${isIn(sql`t.${sql.ref(subject)}`)}
      ), logged AS (
        SELECT l.subject_id AS id, jsonb_strip_nulls(l.payload) AS item FROM ledger_log AS l
        WHERE l.graph_id = ${tx.graphId} AND l.kind = ${kind} AND ${isIn(sql`l.subject_id`)}
      )
      SELECT DISTINCT id FROM ((TABLE stored EXCEPT TABLE logged) UNION ALL (TABLE logged EXCEPT TABLE stored)) AS u
      ORDER BY id LIMIT ${maxOffenders}`);
    if (rows.length > 0 || last === null) return rows.map(({ id }) => id);
    after = last;
  }
}

/** The subject that ends the next batch of the table or the log, whichever is sooner; null when one batch is left. */
async function lastOfPart(
  tx: Transaction,
  { table, subject, kind }: AppendedTable,
  after: string,
): Promise<string | null> {
  const column = sql`t.${sql.ref(subject)}`;
  const [row] = await tx.query(sql<{ last: string | null }>`
    SELECT least(
      (SELECT ${column} FROM ${sql.table(table)} AS t WHERE t.graph_id = ${tx.graphId} AND ${column} > ${after}
        ORDER BY ${column} OFFSET ${rowsPerPart - 1} LIMIT 1),
      (SELECT l.subject_id FROM ledger_log AS l WHERE l.graph_id = ${tx.graphId} AND l.kind = ${kind} AND l.subject_id > ${after}
        ORDER BY l.subject_id OFFSET ${rowsPerPart - 1} LIMIT 1)) AS last`);
  return row?.last ?? null;
}
