import { type Ids, type RawBuilder, sql, type Transaction } from '@pacioli/core';
import type { ChartOfAccounts, PostedAccount } from '@pacioli/taxonomy';
import type { AnnouncedEntry, BookAnnouncements } from '../announcements/index.ts';
import type { LedgerEvent } from '../rows.gen.ts';
import { monthsOfDates, storedMetadata } from '../values/index.ts';
import type { LimitedAccount } from './account-limits.ts';
import { firstMonth } from './closed-months.ts';
import type { JournalPlan } from './journal-plan.ts';
import { type Refusal, refusalError, rejectingReversed } from './journal-refusal.ts';
import { type JournalRows, journalRows, type NewEvent, type WrittenEvent } from './journal-rows.ts';
import { journalStatement, type Outcome } from './journal-statement.ts';
import type { LockedMonths } from './locked-months.ts';
import { accountsOf, limitedAmong, requirePostable } from './postable.ts';
import { openReceipt, receivablesDebited } from './receipts-on-account.ts';

type Accounts = ReadonlyMap<string, PostedAccount>;

/** `taken`: an event with this source and external id already exists. */
type Blocked = Refusal | 'taken' | undefined;

/** An entry that a write added to the books. */
export interface WrittenEntry {
  readonly id: string;
  readonly transactionId: string;
  readonly postingDate: string;
  readonly status: 'draft' | 'posted';
  readonly reversalOf: string | null;
}

/** The refusal of a write, if any, the requested accounts that exist, and the entries, in the order of the plan. */
export interface Written {
  readonly refusal: Refusal | undefined;
  readonly accounts: Accounts;
  readonly entries: readonly WrittenEntry[];
}

interface Write {
  readonly event: WrittenEvent;
  readonly plan: JournalPlan | undefined;
  readonly recorded: RawBuilder<unknown>;
  /** The accounts to return. */
  readonly accountIds: readonly string[];
}

/**
 * Writes events with their transactions, entries and lines: all of one event in one statement. The statement writes
 * whatever the accounts of the lines are, and returns them: they are checked once it has run, and a refusal rolls back.
 */
export class JournalWriter {
  readonly #ids: Ids;
  readonly #chart: ChartOfAccounts;
  readonly #announcements: BookAnnouncements;

  constructor(parts: {
    readonly ids: Ids;
    readonly chart: ChartOfAccounts;
    readonly announcements: BookAnnouncements;
  }) {
    this.#ids = parts.ids;
    this.#chart = parts.chart;
    this.#announcements = parts.announcements;
  }

  /**
   * Writes an event and its journal, and reads these accounts, which the caller checks. It writes nothing when the
   * event is refused for another reason.
   */
  async write(
    months: LockedMonths,
    event: NewEvent,
    plan: JournalPlan | undefined,
    accountIds: readonly string[],
  ): Promise<Written> {
    if (plan !== undefined) months.requireCovers(writtenDates(plan), `Event ${event.id}`);
    return this.#record(months.tx, event, plan, accountIds);
  }

  /** Writes an event without a journal; returns the id of an earlier event with its source and external id. */
  async capture(tx: Transaction, event: NewEvent): Promise<string | undefined> {
    const { refusal } = await this.#record(tx, event, undefined, []);
    if (refusal === undefined || refusal.kind === 'duplicate') return refusal?.eventId;
    throw new Error('An event without a journal is refused only as a duplicate.');
  }

  /**
   * Writes the journal of an event that was recorded before; `created_at` is the time of the write. Throws when the
   * accounts cannot be posted to and when the write is refused. Returns the accounts that it reduces and that may not
   * fall below zero (ledger L-213).
   */
  async writeLater(months: LockedMonths, event: WrittenEvent, plan: JournalPlan): Promise<readonly LimitedAccount[]> {
    months.requireCovers(writtenDates(plan), `Event ${event.id}`);
    const recorded = sql`SELECT true AS is_recorded FROM unblocked`;
    const accountIds = accountsOf(plan);
    const { blocked, accounts } = await this.#write(months.tx, { event, plan, recorded, accountIds });
    if (blocked === 'taken') throw new Error('The journal of an event was neither written nor refused.');
    requirePostable(accounts, accountIds, plan, event.currency);
    if (blocked !== undefined) throw refusalError(blocked, event, plan);
    return limitedAmong(accounts, plan, event.currency);
  }

  async #record(
    tx: Transaction,
    event: NewEvent,
    plan: JournalPlan | undefined,
    accountIds: readonly string[],
  ): Promise<Written> {
    const recorded = newEvent(tx.graphId, event);
    const { blocked, accounts, entries } = await this.#write(tx, { event, plan, recorded, accountIds });
    if (blocked === undefined) {
      await this.#announcements.recorded(tx, event);
      return { refusal: undefined, accounts, entries };
    }
    // A duplicate is reported first, whatever else is wrong with it (L-82, L-83). The winner of a race has committed.
    const earlier =
      event.external_id === null ? undefined : await this.findByExternalId(tx, event.source, event.external_id);
    if (earlier !== undefined) return { refusal: { kind: 'duplicate', eventId: earlier }, accounts, entries: [] };
    if (blocked === 'taken') throw new Error('An event was neither recorded nor refused.');
    return { refusal: blocked, accounts, entries: [] };
  }

  /** Runs the statement of both writes, which differ in the row of the event. */
  async #write(
    tx: Transaction,
    write: Write,
  ): Promise<Pick<Written, 'accounts' | 'entries'> & { readonly blocked: Blocked }> {
    const { event, plan, recorded, accountIds } = write;
    const graphId = tx.graphId;
    const rows = journalRows(this.#ids, event, plan);
    const months = monthsOfDates(rows.entries.map((entry) => entry.posting_date));
    const accounts = accountIds.length === 0 ? undefined : this.#chart.selectAccounts(graphId, accountIds);
    const run = async (createsMonths: boolean): Promise<readonly [Outcome, ...Outcome[]]> => {
      const statement = journalStatement({ graphId, event, rows, months, recorded, accounts, createsMonths });
      const [outcome, ...more] = await rejectingReversed(() => tx.query(statement));
      if (outcome === undefined) throw new Error('Recording an event returns at least one row.');
      return [outcome, ...more];
    };
    const usual = await run(false);
    // Happens once per month, and once in the life of the books.
    const answered = usual[0].is_unprepared ? await run(true) : usual;
    const blocked = await blockedBy(tx, answered[0]);
    const found = this.#chart.accountsOfRows(accounts === undefined ? [] : answered);
    const lines = plan?.entries.flatMap((entry) => entry.lines) ?? [];
    if (blocked === undefined) {
      await openReceipt(tx, event, receivablesDebited(found, lines));
      await this.#announcements.posted(tx, postedFacts(event, rows));
    }
    return { blocked, accounts: found, entries: rows.entries.map(writtenEntry) };
  }

  /** The id of the event that has this source and external id; undefined when there is none. */
  async findByExternalId(tx: Transaction, source: string, externalId: string): Promise<string | undefined> {
    const [row] = await tx.query(sql<Pick<LedgerEvent, 'id'>>`
      SELECT id FROM ledger_event
      WHERE graph_id = ${tx.graphId} AND source = ${source} AND external_id = ${externalId}`);
    return row?.id;
  }
}

/** The posted ones of the entries that were written. */
function postedFacts(event: WrittenEvent, { entries, lines }: JournalRows): readonly AnnouncedEntry[] {
  const debits = new Map<string, bigint>();
  for (const line of lines) debits.set(line.entry_id, (debits.get(line.entry_id) ?? 0n) + BigInt(line.debit_amount));
  return entries
    .filter(({ status }) => status === 'posted')
    .map((entry) => ({
      ...entry,
      event_id: event.id,
      currency: event.currency,
      amount: debits.get(entry.id) ?? 0n,
    }));
}

function writtenEntry(row: JournalRows['entries'][number]): WrittenEntry {
  return {
    id: row.id,
    transactionId: row.transaction_id,
    postingDate: row.posting_date,
    status: row.status,
    reversalOf: row.reversal_of,
  };
}

/** The first reason to refuse an event; undefined when it is recorded. */
async function blockedBy(tx: Transaction, outcome: Outcome): Promise<Blocked> {
  if (outcome.is_recorded) return undefined;
  if (!outcome.transaction_found) return { kind: 'no-transaction' };
  if (outcome.other_currency !== null) return { kind: 'other-currency', currency: outcome.other_currency };
  if (outcome.closed === null) return 'taken';
  return { kind: 'closed', period: outcome.closed, begins: (await firstMonth(tx)) ?? null };
}

/** The days of the entries that the statement writes. */
function writtenDates(plan: JournalPlan): readonly string[] {
  return plan.writtenBy === 'handler' ? [] : plan.entries.map((entry) => entry.postingDate);
}

/** The row of an event; none when another one has its source and external id. */
function newEvent(graphId: string, event: NewEvent): RawBuilder<unknown> {
  return sql`
    INSERT INTO ledger_event (
      graph_id, id, event_type, event_class, event_category, event_action, status, occurred_at, effective_at, source,
      external_id, external_url, amount, currency, description, metadata, dimension_ids, agent_id, resource_type,
      resource_element_id, obligated_by_event_id, discharges_event_id, created_at, created_by)
    SELECT ${graphId}, ${event.id}, ${event.event_type}, ${event.event_class}, ${event.event_category},
      ${event.event_action}, ${event.status}, ${event.occurred_at}::timestamptz, ${event.effective_at}::timestamptz,
      ${event.source}, ${event.external_id}, ${event.external_url}, ${event.amount}::bigint, ${event.currency},
      ${event.description}, ${JSON.stringify(storedMetadata(event.metadata))}::text::jsonb, ${[...event.dimension_ids]}::text[],
      ${event.agent_id}, ${event.resource_type}, ${event.resource_element_id}, ${event.obligated_by_event_id},
      ${event.discharges_event_id}, ${event.created_at}::timestamptz, ${event.created_by}
    FROM unblocked
    ON CONFLICT (graph_id, source, external_id) WHERE external_id IS NOT NULL DO NOTHING
    RETURNING true AS is_recorded`;
}
