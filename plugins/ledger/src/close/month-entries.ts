import { type RawBuilder, sql, type Transaction } from '@pacioli/core';
import type { PostedAccount } from '@pacioli/taxonomy';
import type { BookAnnouncements } from '../announcements/index.ts';
import type { LimitedAccount, LockedMonths } from '../journal/index.ts';
import type { LedgerEntry, LedgerEvent, LedgerLineItem } from '../rows.gen.ts';
import type { FiscalMonth } from './close-facts.ts';

/** Limit of offenders that a refusal names. */
const maxOffenders = 10;

/** Entries that one statement of a close posts. */
const maxEntriesPerStatement = 5_000;

type AccountOfDrafts = Pick<LedgerLineItem, 'element_id'> &
  Pick<LedgerEntry, 'currency'> & { readonly takes_back: boolean };

/** Debits and credits that are not equal. */
export interface BrokenBalance {
  readonly currency: string;
  readonly debit: bigint;
  readonly credit: bigint;
}

/** The invalid entries of a month; all lists are empty when there are none. */
export interface EntryProblems {
  /** Currencies whose totals differ. */
  readonly totals: readonly BrokenBalance[];
  /** Entries whose sides differ, the first ten by id. */
  readonly unbalanced: readonly string[];
  /** Drafts with fewer than two lines, the first ten by id. */
  readonly short: readonly string[];
}

/** An account that drafts reduce in a currency, with the first of them that do. */
export interface LoweredAccount extends LimitedAccount {
  readonly entryIds: readonly string[];
}

/** A draft that must be sent to a provider before a close may post it (ledger L-171). */
export type UnsentDraft = Pick<LedgerEntry, 'memo' | 'posting_date'> & {
  readonly event_id: LedgerEvent['id'];
  readonly entry_id: LedgerEntry['id'];
};

/**
 * True when closing the month publishes a draft `e` of event `v` to the connection that accepts entries: the event or
 * its source requests it, the event is not retracted, and the entry is not published yet (ledger L-99, L-171, L-172).
 */
export const isPublishable: RawBuilder<boolean> = sql<boolean>`(v.id IS NOT NULL AND v.status NOT IN ('voided', 'superseded')
  AND CASE jsonb_typeof(v.metadata->'publish_to_source') WHEN 'boolean' THEN (v.metadata->>'publish_to_source')::boolean
    ELSE v.source IN ('manual', 'schedule') END
  AND NOT coalesce(jsonb_exists(v.metadata->'qb_entry_ids', e.id), false))`;

/** The entries `e` of the month. */
function ofMonth(graphId: string, month: FiscalMonth): RawBuilder<unknown> {
  return sql`e.graph_id = ${graphId} AND e.posting_date BETWEEN ${month.start}::date AND ${month.end}::date`;
}

/**
 * The drafts `e` of the month with their events `v`, without those of retracted events (ledger L-158). The event of each
 * is looked up by its key: OFFSET keeps the planner, whose statistics may be older than the drafts, from joining tables.
 */
export function draftsOf(graphId: string, month: FiscalMonth): RawBuilder<unknown> {
  return sql`ledger_entry AS e LEFT JOIN LATERAL (
      SELECT s.id, s.status, s.source, s.metadata FROM ledger_event AS s WHERE s.graph_id = e.graph_id AND s.id = e.event_id OFFSET 0) AS v ON true
    WHERE ${ofMonth(graphId, month)} AND e.status = 'draft'
      AND (v.id IS NULL OR v.status NOT IN ('voided', 'superseded'))`;
}

/** The lines `l` of each entry `e`, looked up by its key as in `draftsOf`. */
const linesOfEach = sql`LATERAL (
  SELECT i.element_id, i.debit_amount, i.credit_amount FROM ledger_line_item AS i WHERE i.graph_id = e.graph_id AND i.entry_id = e.id OFFSET 0) AS l`;

/** Reads and posts the entries of one month in the store, so that memory does not grow with their number. */
export class MonthEntries {
  readonly #announcements: BookAnnouncements;

  constructor(announcements: BookAnnouncements) {
    this.#announcements = announcements;
  }

  /** Sums every entry of the month, draft or posted, by currency and by entry (ledger L-157). */
  async problems(tx: Transaction, month: FiscalMonth): Promise<EntryProblems> {
    const [row] = await tx.query(sql<{
      totals: readonly { currency: string; debit: string; credit: string }[] | null;
      unbalanced: readonly string[] | null;
      short: readonly string[] | null;
    }>`
      WITH sides AS (
        SELECT e.id, e.status, coalesce(l.currency, e.currency) AS currency, coalesce(l.lines, 0) AS lines,
          coalesce(l.debit, 0) AS debit, coalesce(l.credit, 0) AS credit
        FROM ledger_entry AS e LEFT JOIN LATERAL (
          SELECT i.currency, count(*) AS lines, sum(i.debit_amount) AS debit, sum(i.credit_amount) AS credit
          FROM ledger_line_item AS i WHERE i.graph_id = e.graph_id AND i.entry_id = e.id GROUP BY i.currency) AS l ON true
        WHERE ${ofMonth(tx.graphId, month)}
      )
      SELECT (SELECT jsonb_agg(jsonb_build_object('currency', currency, 'debit', debit::text, 'credit', credit::text) ORDER BY currency) FROM (
          SELECT currency, sum(debit) AS debit, sum(credit) AS credit FROM sides GROUP BY currency HAVING sum(debit) <> sum(credit)) AS t) AS totals,
        (SELECT jsonb_agg(id ORDER BY id) FROM (
          SELECT DISTINCT id FROM sides WHERE debit <> credit ORDER BY id LIMIT ${maxOffenders}) AS u) AS unbalanced,
        (SELECT jsonb_agg(id ORDER BY id) FROM (
          SELECT id FROM sides WHERE status = 'draft' GROUP BY id HAVING sum(lines) < 2 ORDER BY id LIMIT ${maxOffenders}) AS s) AS short`);
    return {
      totals: (row?.totals ?? []).map(({ currency, debit, credit }) => ({
        currency,
        debit: BigInt(debit),
        credit: BigInt(credit),
      })),
      unbalanced: row?.unbalanced ?? [],
      short: row?.short ?? [],
    };
  }

  /**
   * The accounts that the drafts of the month post to, with the currencies of the entries; at most one row for each
   * pair.
   */
  async accountsOfDrafts(tx: Transaction, month: FiscalMonth): Promise<readonly AccountOfDrafts[]> {
    return tx.query(sql<AccountOfDrafts>`
      SELECT l.element_id, e.currency, e.reversal_of IS NOT NULL AS takes_back
      FROM (SELECT e.* FROM ${draftsOf(tx.graphId, month)}) AS e CROSS JOIN ${linesOfEach}
      GROUP BY l.element_id, e.currency, e.reversal_of IS NOT NULL ORDER BY l.element_id, e.currency`);
  }

  /** The first drafts of the month that post to one of these accounts, optionally with reversals. */
  async draftsOn(
    tx: Transaction,
    month: FiscalMonth,
    accounts: { readonly ids: readonly string[]; readonly withReversals: boolean },
  ): Promise<readonly string[]> {
    const rows = await tx.query(sql<Pick<LedgerEntry, 'id'>>`
      SELECT e.id FROM (SELECT e.* FROM ${draftsOf(tx.graphId, month)}) AS e
      WHERE (${accounts.withReversals} OR e.reversal_of IS NULL) AND EXISTS (
        SELECT FROM ledger_line_item AS l WHERE l.graph_id = e.graph_id AND l.entry_id = e.id AND l.element_id = ANY (${[...accounts.ids]}::text[]) OFFSET 0)
      ORDER BY e.id LIMIT ${maxOffenders}`);
    return rows.map((row) => row.id);
  }

  /** The first drafts of the month that must be sent before they may be posted. */
  async unsent(tx: Transaction, month: FiscalMonth): Promise<readonly UnsentDraft[]> {
    return tx.query(sql<UnsentDraft>`
      SELECT v.id AS event_id, e.id AS entry_id, e.memo, e.posting_date
      FROM ${draftsOf(tx.graphId, month)} AND ${isPublishable} ORDER BY e.posting_date, e.id LIMIT ${maxOffenders}`);
  }

  /**
   * Posts the drafts of the month at one instant, and returns how many of them a provider already has and how many are
   * local (ledger L-158, L-159). Their events are locked first, in the order of their ids (ledger L-150).
   */
  async post(
    months: LockedMonths,
    month: FiscalMonth,
    now: Date,
  ): Promise<{ readonly published: number; readonly locally: number }> {
    months.requireCovers([month.start], `Fiscal period '${month.period}'`);
    const { tx } = months;
    const graphId = tx.graphId;
    const [found] = await tx.query(sql<{ published: number; drafts: number }>`
      SELECT count(*) AS drafts, count(*) FILTER (WHERE jsonb_exists(v.metadata->'qb_entry_ids', e.id)) AS published
      FROM ${draftsOf(graphId, month)}`);
    if (found === undefined || found.drafts === 0) return { published: 0, locally: 0 };
    // Together with what these events settle, whose open amounts follow (ledger L-100c).
    await tx.query(sql`
      WITH drafted AS (SELECT e.event_id AS id FROM ${draftsOf(graphId, month)})
      SELECT count(*) FROM (
        SELECT id FROM ledger_event WHERE graph_id = ${graphId} AND id = ANY (ARRAY(
          SELECT id FROM drafted
          UNION ALL
          SELECT s.originating_event_id FROM drafted AS f CROSS JOIN LATERAL (
            SELECT t.originating_event_id FROM ledger_event_settlement AS t
            WHERE t.graph_id = ${graphId} AND t.discharging_event_id = f.id OFFSET 0) AS s))
        ORDER BY id FOR NO KEY UPDATE) AS locked`);
    // When nothing is posted yet, the first draft by date decides the currency of the books (ledger L-5a).
    await tx.query(sql`
      UPDATE ledger_entity SET functional_currency = (
        SELECT e.currency FROM ${draftsOf(graphId, month)} ORDER BY e.posting_date, e.created_at, e.id LIMIT 1)
      WHERE graph_id = ${graphId} AND is_parent AND functional_currency IS NULL`);
    // Each statement covers a range of ids, so that none exceeds the statement timeout.
    let after = '';
    for (const last of await this.#boundaries(tx, month)) {
      const range = sql`d.id > ${after} AND d.id <= ${last}`;
      // The ranges are cut out of the month, because the planner could read a range of ids of all months instead.
      const drafts = sql`SELECT d.id FROM (SELECT e.id FROM ${draftsOf(graphId, month)} OFFSET 0) AS d WHERE ${range}`;
      const announced = await this.#announcements.toAnnounce(tx, drafts);
      await tx.query(sql`
        UPDATE ledger_entry SET status = 'posted', posted_at = ${now}, updated_at = ${now}
        WHERE graph_id = ${graphId} AND id = ANY (ARRAY(${drafts}))`);
      const posted = sql`(SELECT e.id, e.transaction_id, e.event_id FROM ledger_entry AS e
        WHERE ${ofMonth(graphId, month)} AND e.status = 'posted' AND e.posted_at = ${now} OFFSET 0) AS d WHERE ${range}`;
      await this.#follow(months, posted, now);
      await this.#announcements.postedBy(tx, announced);
      after = last;
    }
    return { published: found.published, locally: found.drafts - found.published };
  }

  /** The last id of each range of drafts. */
  async #boundaries(tx: Transaction, month: FiscalMonth): Promise<readonly string[]> {
    const rows = await tx.query(sql<{ last: string }>`
      SELECT max(id) AS last FROM (
        SELECT d.id, (row_number() OVER (ORDER BY d.id) - 1) / ${maxEntriesPerStatement}::bigint AS range
        FROM (SELECT e.id FROM ${draftsOf(tx.graphId, month)} OFFSET 0) AS d) AS r
      GROUP BY range ORDER BY last`);
    return rows.map((row) => row.last);
  }

  /** The accounts that the drafts of the month reduce in total, each with the first drafts that do. */
  async lowering(
    tx: Transaction,
    month: FiscalMonth,
    accounts: readonly PostedAccount[],
  ): Promise<readonly LoweredAccount[]> {
    if (accounts.length === 0) return [];
    const ids = accounts.map(({ id }) => id);
    const signs = accounts.map(({ balanceType }) => (balanceType === 'debit' ? 1 : -1));
    const rows = await tx.query(sql<
      Pick<LedgerLineItem, 'element_id' | 'currency'> & { readonly entry_ids: readonly string[] }
    >`
      WITH effects AS (
        SELECT l.element_id, e.currency, e.id, a.sign * (sum(l.debit_amount) - sum(l.credit_amount)) AS effect
        FROM (SELECT e.* FROM ${draftsOf(tx.graphId, month)}) AS e CROSS JOIN ${linesOfEach}
        JOIN unnest(${ids}::text[], ${signs}::integer[]) AS a (id, sign) ON a.id = l.element_id
        GROUP BY l.element_id, e.currency, e.id, a.sign
      )
      SELECT element_id, currency, to_jsonb((array_agg(id ORDER BY id) FILTER (WHERE effect < 0))[1:${maxOffenders}::integer]) AS entry_ids
      FROM effects GROUP BY element_id, currency HAVING sum(effect) < 0`);
    return accounts.flatMap((account) =>
      rows
        .filter((row) => row.element_id === account.id)
        .map(({ currency, entry_ids: entryIds }) => ({ account, currency, entryIds })),
    );
  }

  /** Posts transactions and moves events along once none of their entries is a draft (ledger L-158, L-166). */
  async #follow({ tx }: LockedMonths, posted: RawBuilder<unknown>, now: Date): Promise<void> {
    const graphId = tx.graphId;
    await tx.query(sql`
      UPDATE ledger_transaction AS t SET status = 'posted', posted_at = ${now}, updated_at = ${now}
      WHERE t.graph_id = ${graphId} AND t.status = 'pending' AND t.id = ANY (ARRAY(SELECT d.transaction_id FROM ${posted}))
        AND NOT EXISTS (SELECT FROM ledger_entry AS d
          WHERE d.graph_id = t.graph_id AND d.transaction_id = t.id AND d.status = 'draft' OFFSET 0)`);
    // The automatic reversal of an obligation's entry posts with the next month; the obligation is fulfilled before
    // that.
    await tx.query(sql`
      UPDATE ledger_event AS v SET status = CASE v.event_type WHEN 'schedule_entry_due' THEN 'fulfilled' ELSE 'committed' END
      WHERE v.graph_id = ${graphId} AND v.id = ANY (ARRAY(SELECT d.event_id FROM ${posted}))
        AND (v.status = 'classified' OR (v.event_type = 'schedule_entry_due' AND v.status = 'committed'))
        AND NOT EXISTS (SELECT FROM ledger_entry AS d WHERE d.graph_id = v.graph_id AND d.event_id = v.id AND d.status = 'draft'
          AND (v.event_type <> 'schedule_entry_due' OR d.reversal_of IS NULL) OFFSET 0)`);
  }
}
