import { type Ids, sql, type Transaction } from '@pacioli/core';
import { DraftWrites, type Line, type LockedMonths } from '../journal/index.ts';
import type { LedgerEntry } from '../rows.gen.ts';
import { type Actor, boundsOf } from '../values/index.ts';
import type { ExistingDraft } from './schedule-entry.ts';
import type { MonthKey } from './stored-schedules.ts';

/** An entry that belongs to no transaction (ledger L-50). */
export interface StandaloneEntry {
  readonly eventId: string;
  readonly sourceStructureId: string | null;
  readonly postingDate: string;
  readonly memo: string;
  readonly type: string;
  readonly provenance: 'schedule_derived' | 'system_computed';
  readonly currency: string;
  readonly lines: readonly Line[];
  /** The draft that reverses it, if any; it stays a draft until its own month closes (ledger L-184). */
  readonly reversal: { readonly postingDate: string; readonly memo: string; readonly lines: readonly Line[] } | null;
}

/** The existing entry of a schedule's month. */
export interface EntryOfMonth extends ExistingDraft, MonthKey, Pick<LedgerEntry, 'id' | 'status'> {
  /** The days of the entry and of the draft that reverses it. */
  readonly dates: readonly string[];
}

/** Drafts of a schedule, with the days of them and of the drafts that reverse them. */
export interface DraftsOfSchedule {
  readonly ids: readonly string[];
  readonly dates: readonly string[];
}

/** Reads and writes entries of schedules, many months per statement. */
export class ScheduleJournal {
  readonly #ids: Ids;
  readonly #drafts: DraftWrites;

  constructor(ids: Ids) {
    this.#ids = ids;
    this.#drafts = new DraftWrites(ids);
  }

  /** The primary entry of each month; a posted one wins over a draft (ledger L-174). */
  async ofMonths(tx: Transaction, keys: readonly MonthKey[]): Promise<readonly EntryOfMonth[]> {
    const rows = keys.map((key) => ({ id: key.scheduleId, period: key.period, ...boundsOf(key.period) }));
    return tx.query(sql<EntryOfMonth>`
      SELECT DISTINCT ON (k.id, k.period) k.id AS "scheduleId", k.period, e.id, e.status, e.memo,
        (SELECT coalesce(jsonb_agg(jsonb_build_object('element_id', l.element_id, 'debit', l.debit_amount::text, 'credit', l.credit_amount::text)
            ORDER BY l.line_order), '[]'::jsonb)
          FROM ledger_line_item AS l WHERE l.graph_id = e.graph_id AND l.entry_id = e.id) AS lines,
        r.id IS NOT NULL AS has_reversal, array_remove(ARRAY[e.posting_date::text, r.posting_date::text], NULL) AS dates
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS k (id text, period text, start date, "end" date)
      JOIN ledger_entry AS e ON e.graph_id = ${tx.graphId} AND e.source_structure_id = k.id AND e.posting_date BETWEEN k.start AND k."end"
        AND e.reversal_of IS NULL
      LEFT JOIN ledger_entry AS r ON r.graph_id = e.graph_id AND r.reversal_of = e.id
      ORDER BY k.id, k.period, e.status = 'draft', e.created_at, e.id`);
  }

  /** Writes drafts with their reversals: one statement for the entries and one for their lines. */
  async insert(months: LockedMonths, entries: readonly StandaloneEntry[], now: Date): Promise<void> {
    if (entries.length === 0) return;
    months.requireCovers(entries.flatMap(datesOfEntry), 'The journal of a schedule');
    const { tx } = months;
    const graphId = tx.graphId;
    const rows = entries.flatMap((entry) => {
      const { reversal, ...primary } = entry;
      const first = { ...primary, id: this.#ids.make('je'), reversal_of: null };
      if (reversal === null) return [first];
      return [first, { ...primary, ...reversal, id: this.#ids.make('je'), type: 'reversing', reversal_of: first.id }];
    });
    const lines = rows.flatMap((row) =>
      row.lines.map((line, index) => ({
        entry_id: row.id,
        line_order: index + 1,
        id: this.#ids.make('li'),
        element_id: line.elementId,
        posting_date: row.postingDate,
        currency: row.currency,
        debit_amount: line.debit.toString(),
        credit_amount: line.credit.toString(),
      })),
    );
    const heads = rows.map(({ lines: _lines, ...head }) => head);
    await tx.query(sql`
      INSERT INTO ledger_entry (graph_id, id, transaction_id, event_id, type, status, posting_date, currency, memo, provenance,
        source_structure_id, reversal_of, created_at, updated_at)
      SELECT ${graphId}, id, NULL, "eventId", type, 'draft', "postingDate", currency, memo, provenance, "sourceStructureId", reversal_of,
        ${now}::timestamptz, ${now}::timestamptz
      FROM jsonb_to_recordset(${JSON.stringify(heads)}::text::jsonb) AS h (id text, "eventId" text, type text, "postingDate" date, currency text,
        memo text, provenance text, "sourceStructureId" text, reversal_of text)`);
    await tx.query(sql`
      INSERT INTO ledger_line_item (graph_id, entry_id, line_order, id, element_id, posting_date, currency, is_landed, debit_amount, credit_amount)
      SELECT ${graphId}, entry_id, line_order, id, element_id, posting_date, currency, false, debit_amount, credit_amount
      FROM jsonb_to_recordset(${JSON.stringify(lines)}::text::jsonb) AS l (entry_id text, line_order integer, id text, element_id text,
        posting_date date, currency text, debit_amount bigint, credit_amount bigint)`);
  }

  /** Deletes drafts and the drafts that reverse them, after copying them to the history (ledger L-59, L-216). */
  removeDrafts(months: LockedMonths, ids: readonly string[], by: Actor): Promise<void> {
    return this.#drafts.remove(months, ids, by);
  }

  /** The drafts of a schedule in months after a day, with the days of their reversals; all of them without a day. */
  async draftsAfter(tx: Transaction, scheduleId: string, day: string | null): Promise<DraftsOfSchedule> {
    const rows = await tx.query(sql<Pick<LedgerEntry, 'id'> & { readonly dates: readonly string[] }>`
      SELECT e.id, array_remove(ARRAY[e.posting_date::text, r.posting_date::text], NULL) AS dates
      FROM ledger_entry AS e LEFT JOIN ledger_entry AS r ON r.graph_id = e.graph_id AND r.reversal_of = e.id
      WHERE e.graph_id = ${tx.graphId} AND e.source_structure_id = ${scheduleId} AND e.status = 'draft' AND e.reversal_of IS NULL
        AND e.posting_date > coalesce(${day}::date, '-infinity'::date) ORDER BY e.id`);
    return { ids: rows.map((row) => row.id), dates: rows.flatMap((row) => row.dates) };
  }

  /** True when an event has an entry that is a draft. */
  async hasDraft(tx: Transaction, eventId: string): Promise<boolean> {
    const rows = await tx.query(sql`
      SELECT 1 FROM ledger_entry WHERE graph_id = ${tx.graphId} AND event_id = ${eventId} AND status = 'draft' LIMIT 1`);
    return rows.length > 0;
  }

  /** The schedule whose month an event has drafted; undefined when it has none. */
  async scheduleOfDrafts(tx: Transaction, eventId: string): Promise<string | undefined> {
    const [row] = await tx.query(sql<{ readonly id: NonNullable<LedgerEntry['source_structure_id']> }>`
      SELECT source_structure_id AS id FROM ledger_entry WHERE graph_id = ${tx.graphId} AND event_id = ${eventId} AND status = 'draft'
        AND source_structure_id IS NOT NULL LIMIT 1`);
    return row?.id;
  }

  /** Counts the posted entries of a schedule after a day, without reversals of earlier months. */
  async postedAfter(tx: Transaction, scheduleId: string, day: string): Promise<number> {
    const [row] = await tx.query(sql<{ count: number }>`
      SELECT count(*) AS count FROM ledger_entry WHERE graph_id = ${tx.graphId} AND source_structure_id = ${scheduleId}
        AND status <> 'draft' AND reversal_of IS NULL AND posting_date > ${day}::date`);
    return row?.count ?? 0;
  }

  /** The months of a schedule that have a posted entry. */
  async postedPeriods(tx: Transaction, scheduleId: string): Promise<ReadonlySet<string>> {
    const rows = await tx.query(sql<{ period: string }>`
      SELECT DISTINCT to_char(posting_date, 'YYYY-MM') AS period FROM ledger_entry
      WHERE graph_id = ${tx.graphId} AND source_structure_id = ${scheduleId} AND status <> 'draft' AND reversal_of IS NULL`);
    return new Set(rows.map((row) => row.period));
  }

  /**
   * The amounts of a schedule's entries up to a day by month, in minor units, including drafts and reversals but
   * without the given entries: on the given account, and on all accounts that are credited (ledger L-188).
   */
  async creditedByMonth(
    tx: Transaction,
    scheduleId: string,
    until: { readonly to: string; readonly elementId: string; readonly without: readonly string[] },
  ): Promise<ReadonlyMap<string, { readonly onAccount: bigint; readonly inAll: bigint }>> {
    // A reversal can be reversed in turn, which brings the entry back (ledger L-63).
    const graphId = tx.graphId;
    const rows = await tx.query(sql<{ period: string; on_account: string; in_all: string }>`
      WITH RECURSIVE chain AS (
        SELECT o.id, o.posting_date, true AS adds FROM ledger_entry AS o
        WHERE o.graph_id = ${graphId} AND o.source_structure_id = ${scheduleId} AND o.reversal_of IS NULL AND o.posting_date <= ${until.to}::date
          AND o.id <> ALL (${[...until.without]}::text[])
        UNION ALL
        SELECT r.id, c.posting_date, NOT c.adds FROM chain AS c JOIN ledger_entry AS r ON r.graph_id = ${graphId} AND r.reversal_of = c.id
      )
      SELECT to_char(c.posting_date, 'YYYY-MM') AS period,
        coalesce(sum(l.credit_amount - l.debit_amount) FILTER (WHERE l.element_id = ${until.elementId}), 0)::text AS on_account,
        sum(CASE WHEN c.adds THEN l.credit_amount ELSE -l.debit_amount END)::text AS in_all
      FROM chain AS c JOIN ledger_line_item AS l ON l.graph_id = ${graphId} AND l.entry_id = c.id
      GROUP BY 1 ORDER BY 1`);
    return new Map(rows.map((row) => [row.period, { onAccount: BigInt(row.on_account), inAll: BigInt(row.in_all) }]));
  }

  /** Keeps the name of a deleted schedule on its posted entries, also in closed months (ledger L-190, L-53). */
  async keepName({ tx }: LockedMonths, scheduleId: string, name: string): Promise<void> {
    await tx.query(sql`
      UPDATE ledger_entry SET metadata = coalesce(metadata, '{}'::jsonb) || ${JSON.stringify({ schedule_name: name })}::text::jsonb
      WHERE graph_id = ${tx.graphId} AND source_structure_id = ${scheduleId} AND status <> 'draft'`);
  }
}

/** The days of an entry and of the draft that reverses it. */
export function datesOfEntry({ postingDate, reversal }: StandaloneEntry): readonly string[] {
  return reversal === null ? [postingDate] : [postingDate, reversal.postingDate];
}
