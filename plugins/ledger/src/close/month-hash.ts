import { createHash } from 'node:crypto';
import { type RawBuilder, sql, type Transaction } from '@pacioli/core';

/** Limit of entries per statement. The hash is the same for any limit. */
const maxEntriesPerStatement = 5_000;

/**
 * The immutable fields of a posted entry `e`: all but its status and those that a deleted schedule changes (ledger
 * L-190, L-198).
 */
const immutableFields: RawBuilder<string> = sql<string>`jsonb_build_array(e.id, e.transaction_id, e.event_id, e.number, e.type, e.posting_date, e.currency,
  e.memo, e.provenance, e.source_structure_id, e.reversal_of, (extract(epoch FROM e.posted_at) * 1000000)::bigint, (
    SELECT jsonb_agg(jsonb_build_array(l.line_order, l.id, l.element_id, l.debit_amount, l.credit_amount, l.description, l.metadata) ORDER BY l.line_order)
    FROM ledger_line_item AS l WHERE l.graph_id = e.graph_id AND l.entry_id = e.id))::text`;

/** The count and the hash of the posted entries of a month, to verify later that none has changed since its close. */
export interface MonthHash {
  readonly entries: number;
  readonly lines: number;
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string;
}

/** Hashes the posted entries of a month with their lines, by day and id, in batches (ledger L-198). */
export async function monthHash(tx: Transaction, period: string): Promise<MonthHash> {
  let state = { entries: 0, lines: 0, hash: startOf(period), date: `${period}-01`, id: '' };
  for (;;) {
    const [part] = await tx.query(sql<{
      entries: number;
      lines: number;
      hash: string;
      date: string | null;
      id: string | null;
    }>`
      WITH part AS (
        SELECT e.posting_date, e.id, sha256(convert_to(${immutableFields}, 'UTF8')) AS item,
          (SELECT count(*) FROM ledger_line_item AS l WHERE l.graph_id = e.graph_id AND l.entry_id = e.id) AS lines
        FROM ledger_entry AS e WHERE e.graph_id = ${tx.graphId} AND e.status <> 'draft'
          AND e.posting_date BETWEEN ${state.date}::date AND (${`${period}-01`}::date + interval '1 month' - interval '1 day')::date
          AND (e.posting_date, e.id) > (${state.date}::date, ${state.id})
        ORDER BY e.posting_date, e.id LIMIT ${maxEntriesPerStatement}
      ), folded AS (
        SELECT NULL::date AS posting_date, ''::text AS id, decode(${state.hash}, 'hex') AS item UNION ALL SELECT posting_date, id, item FROM part
      )
      SELECT (SELECT count(*) FROM part) AS entries, (SELECT coalesce(sum(lines), 0)::bigint FROM part) AS lines,
        encode((SELECT ledger_fold(item ORDER BY posting_date NULLS FIRST, id) FROM folded), 'hex') AS hash,
        (SELECT posting_date FROM part ORDER BY posting_date DESC, id DESC LIMIT 1) AS date,
        (SELECT id FROM part ORDER BY posting_date DESC, id DESC LIMIT 1) AS id`);
    if (part === undefined) throw new Error('An aggregate query returned no row.');
    const { entries, lines, hash } = state;
    if (part.date === null || part.id === null) return { entries, lines, hash };
    state = { ...part, entries: entries + part.entries, lines: lines + part.lines, date: part.date, id: part.id };
  }
}

function startOf(period: string): string {
  return createHash('sha256').update(`pacioli.month.${period}`).digest('hex');
}
