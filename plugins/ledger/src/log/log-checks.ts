import { type RawBuilder, sql, type Transaction } from '@pacioli/core';
import { type CloseReceipt, monthHash } from '../close/index.ts';
import type { LedgerFiscalPeriod, LedgerLog } from '../rows.gen.ts';
import { logChain } from './log-sealer.ts';
import { rowChecks } from './logged-rows.ts';

/** Limit of rows named for a broken rule; there may be more. */
export const maxOffenders = 20;

/** Entries and months that one statement checks. */
const entriesPerPart = 1_000;
const monthsPerPart = 100;

/** A rule about the log, and the rows that break it, read in batches. */
interface LogCheck {
  readonly rule: string;
  readonly meaning: string;
  offenders(tx: Transaction): Promise<readonly string[]>;
}

export const logChecks: readonly LogCheck[] = [
  {
    rule: 'L-214',
    meaning: 'the hash chain of the log matches its rows, none of which is missing or was inserted',
    offenders: brokenLinks,
  },
  ...rowChecks.map((check) => ({ ...check, offenders: (tx: Transaction) => check.offenders(tx, maxOffenders) })),
  {
    rule: 'L-53',
    meaning: 'entries match the log, and no entry has changed since it was posted',
    offenders: async (tx) => {
      const changed = await changedEntries(tx);
      return changed.length > 0 ? changed : vanishedEntries(tx);
    },
  },
  {
    rule: 'L-198',
    meaning:
      'a closed month has the entries with which it was closed, and the log row named in its receipt is unchanged',
    offenders: changedMonths,
  },
];

async function brokenLinks(tx: Transaction): Promise<readonly string[]> {
  return (await logChain.broken(tx, maxOffenders)).map((link) => `log ${link}`);
}

/** Columns of a posted entry that may change: it may be reversed, and keep the name of its schedule (ledger L-53, L-190). */
const changeable = sql`'{status,metadata,updated_at}'::text[]`;

/** The rows of the log about a batch of entries, those in the journals of their events included. */
const loggedEntries: RawBuilder<unknown> = sql`
  SELECT p.id AS subject_id, l.id, l.kind, l.payload -> 'entry' AS entry, l.payload -> 'line_items' AS line_items
  FROM part AS p JOIN ledger_log AS l ON l.graph_id = p.graph_id AND l.subject_id = p.id
  UNION ALL
  SELECT p.id, l.id, j.kind, j.payload -> 'entry', j.payload -> 'line_items'
  FROM part AS p JOIN ledger_log AS l ON l.graph_id = p.graph_id AND l.subject_id = p.event_id AND l.kind = 'event_recorded'
  CROSS JOIN LATERAL ledger_log_journal_rows(l.subject_id, l.payload) AS j WHERE j.subject_id = p.id`;

/** The state of each entry: the columns that were logged last, the last lines, and changes after posting. */
const loggedStates: RawBuilder<unknown> = sql`
  SELECT h.*, c.entry FROM (
    SELECT w.subject_id, (array_agg(w.kind ORDER BY w.id DESC))[1] AS kind,
      (array_agg(w.line_items ORDER BY w.id DESC) FILTER (WHERE w.kind = 'entry_written'))[1] AS line_items,
      coalesce(bool_or(w.was_posted AND (w.kind = 'entry_written'
        -- Earlier versions logged the whole entry with each change.
        OR CASE WHEN jsonb_exists(w.entry, 'created_at') THEN w.entry - ${changeable} <> w.before - ${changeable}
          ELSE w.entry - ${changeable} <> '{}' END)), false) AS was_touched
    FROM (
      SELECT r.*, lag(r.entry) OVER earlier AS before,
        coalesce(bool_or(r.entry ->> 'status' <> 'draft') OVER (earlier ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), false) AS was_posted
      FROM records AS r WINDOW earlier AS (PARTITION BY r.subject_id ORDER BY r.id)) AS w
    GROUP BY w.subject_id) AS h
  JOIN (
    SELECT r.subject_id, jsonb_object_agg(f.key, f.value ORDER BY r.id) - 'id' AS entry
    FROM records AS r CROSS JOIN LATERAL jsonb_each(r.entry) AS f GROUP BY r.subject_id) AS c ON c.subject_id = h.subject_id`;

async function changedEntries(tx: Transaction): Promise<readonly string[]> {
  let after = '';
  for (;;) {
    const [row] = await tx.query(sql<{ last: string | null; changed: readonly string[] | null }>`
      WITH part AS (
        SELECT * FROM ledger_entry WHERE graph_id = ${tx.graphId} AND id > ${after} ORDER BY id LIMIT ${entriesPerPart}
      ), records AS (${loggedEntries}), logged AS (${loggedStates}), changed AS (
        SELECT p.id FROM part AS p LEFT JOIN logged AS s ON s.subject_id = p.id
        LEFT JOIN LATERAL (
          SELECT jsonb_agg(to_jsonb(l) - '{graph_id,entry_id,posting_date,currency,is_landed}'::text[] ORDER BY l.line_order) AS line_items
          FROM ledger_line_item AS l WHERE l.graph_id = p.graph_id AND l.entry_id = p.id) AS l ON true
        -- A column that a later version adds is null in older rows, and absent from their records in the log.
        WHERE s.subject_id IS NULL OR s.was_touched OR s.kind = 'entry_deleted'
          OR jsonb_strip_nulls(ledger_utc_json(p) - '{graph_id,id}'::text[]) <> jsonb_strip_nulls(s.entry)
          OR jsonb_strip_nulls(l.line_items) IS DISTINCT FROM jsonb_strip_nulls(s.line_items)
      )
      SELECT (SELECT max(id) FROM part) AS last,
        (SELECT jsonb_agg(id ORDER BY id) FROM (SELECT id FROM changed ORDER BY id LIMIT ${maxOffenders}) AS c) AS changed`);
    if (row === undefined) throw new Error('An aggregate query returned no row.');
    if (row.changed !== null) return row.changed;
    if (row.last === null) return [];
    after = row.last;
  }
}

/** Entries deleted without a log record, and posted ones deleted without a logged restatement (ledger L-140). */
async function vanishedEntries(tx: Transaction): Promise<readonly string[]> {
  const rows = await tx.query(sql<{ readonly id: LedgerLog['subject_id'] }>`
    SELECT DISTINCT w.id FROM (
      SELECT l.subject_id AS id FROM ledger_log AS l WHERE l.graph_id = ${tx.graphId} AND l.kind = 'entry_written'
      UNION ALL
      SELECT j.item ->> 'id' FROM ledger_log AS l
      CROSS JOIN LATERAL jsonb_array_elements(ledger_log_unpacked(l.subject_id, l.payload) #> '{journal,entries}') AS j (item)
      WHERE l.graph_id = ${tx.graphId} AND l.kind = 'event_recorded'
    ) AS w
    WHERE NOT EXISTS (SELECT FROM ledger_entry AS e WHERE e.graph_id = ${tx.graphId} AND e.id = w.id)
      AND NOT EXISTS (SELECT FROM ledger_log AS d WHERE d.graph_id = ${tx.graphId} AND d.subject_id = w.id AND d.kind = 'entry_deleted'
        AND (d.payload->'entry'->>'status' = 'draft' OR d.payload->>'reason' = 'restated'))
    ORDER BY id LIMIT ${maxOffenders}`);
  return rows.map(({ id }) => id);
}

type ClosedMonth = Pick<LedgerFiscalPeriod, 'name'> & {
  readonly private: CloseReceipt['private'] | null;
  readonly is_logged: boolean;
};

/** Closed months whose entries, receipt or place in the log have changed. */
async function changedMonths(tx: Transaction): Promise<readonly string[]> {
  const graphId = tx.graphId;
  const changed: string[] = [];
  let after = '';
  for (;;) {
    const months = await tx.query(sql<ClosedMonth>`
      SELECT p.name, p.close_receipt->'private' AS private,
        coalesce((SELECT l.payload = p.close_receipt FROM ledger_log AS l WHERE l.graph_id = p.graph_id AND l.subject_id = p.name
          AND l.kind = 'month_receipt' ORDER BY l.id DESC LIMIT 1), false) AS is_logged
      FROM ledger_fiscal_period AS p WHERE p.graph_id = ${graphId} AND p.status = 'closed' AND p.name > ${after}
        AND jsonb_exists(p.close_receipt, 'private') ORDER BY p.name LIMIT ${monthsPerPart}`);
    for (const month of months) {
      const now = await monthHash(tx, month.name);
      const isAsClosed = month.private?.hash === now.hash && month.private.entries === now.entries;
      const head = month.private?.log ?? null;
      const isAnchored = head === null || (await logChain.hadHead(tx, head));
      if (!isAsClosed || !month.is_logged || !isAnchored) changed.push(month.name);
      if (changed.length === maxOffenders) return changed;
    }
    const last = months.at(-1);
    if (last === undefined) return changed;
    after = last.name;
  }
}
