import type { Transaction } from '@pacioli/core';
import type { Account, ChartOfAccounts } from '@pacioli/taxonomy';
import type { Balances } from '../balances/index.ts';
import type { JournalReads, LineRow } from '../journal/index.ts';
import { liveConnections, publishingConnection } from './calendar-gates.ts';
import { type CalendarReader, gateArgs } from './calendar-reader.ts';
import type { CloseReceipt } from './close.ts';
import type {
  AccountingConnection,
  AccountingConnectionSource,
  ScheduleOfMonth,
  ScheduleSource,
} from './close-extensions.ts';
import type { FiscalMonth } from './close-facts.ts';
import type { DraftReads, DraftRow, DraftTotals } from './draft-reads.ts';
import { hasPosted, type ScheduleEntry, scheduleEntries } from './schedule-entries.ts';
import type { StoredCalendar } from './stored-calendar.ts';

export interface CloseReaderParts {
  readonly reader: CalendarReader;
  readonly calendar: StoredCalendar;
  readonly drafts: DraftReads;
  readonly journal: JournalReads;
  readonly chart: ChartOfAccounts;
  readonly balances: Balances;
  readonly schedules: readonly ScheduleSource[];
  readonly connections: readonly AccountingConnectionSource[];
}

/** The drafts of a month, for review before it is closed. */
export interface MonthDrafts {
  readonly totals: DraftTotals;
  readonly publishing: AccountingConnection | undefined;
  readonly rows: readonly DraftRow[];
  readonly lines: ReadonlyMap<string, readonly LineRow[]>;
  readonly accounts: ReadonlyMap<string, Account>;
}

/** A schedule with its entry for a month. */
export interface ScheduleItem extends ScheduleOfMonth {
  readonly entry: ScheduleEntry | undefined;
  readonly status: 'posted' | 'drafted' | 'pending';
}

/** Reads that prepare a close (ledger 7.7). */
export class CloseReader {
  readonly #parts: CloseReaderParts;

  constructor(parts: CloseReaderParts) {
    this.#parts = parts;
  }

  async drafts(tx: Transaction, month: FiscalMonth): Promise<MonthDrafts> {
    const { drafts, journal, chart, balances, connections } = this.#parts;
    const publishing = publishingConnection(await liveConnections(tx, connections));
    const totals = await drafts.totals(tx, month, await balances.currency(tx));
    const rows = await drafts.first(tx, month, await this.#activeSchedules(tx, month));
    const lines = await journal.linesOf(
      tx,
      rows.map(({ id }) => id),
    );
    const used = new Set([...lines.values()].flat().map((line) => line.element_id));
    return { totals, publishing, rows, lines, accounts: await chart.find(tx, [...used]) };
  }

  /** One item for each active schedule, by name (ledger L-174). */
  async schedules(tx: Transaction, month: FiscalMonth): Promise<readonly ScheduleItem[]> {
    const active = await this.#activeSchedules(tx, month);
    const entries = await scheduleEntries(
      tx,
      month,
      active.map(({ structureId }) => structureId),
    );
    return active.map((schedule) => {
      const entry = entries.get(schedule.structureId);
      const status = entry === undefined ? 'pending' : entry.status === 'draft' ? 'drafted' : 'posted';
      return { ...schedule, entry, status };
    });
  }

  /** The status of a month, with or without a row; open while there is no calendar. */
  async statusOf(tx: Transaction, period: string, today: string): Promise<'open' | 'closing' | 'closed'> {
    const read = await this.#parts.reader.read(tx, today);
    return read === undefined ? 'open' : gateArgs(tx, period, read, today).status;
  }

  /** The month that a closing book covers: the first that is not closed; the current one while there is no calendar. */
  async monthToClose(tx: Transaction, today: string): Promise<string> {
    const read = await this.#parts.reader.read(tx, today);
    return read?.periods.find(({ status }) => status !== 'closed')?.name ?? today.slice(0, 7);
  }

  async receipt(tx: Transaction, period: string): Promise<CloseReceipt | undefined> {
    return this.#parts.calendar.receipt(tx, period);
  }

  async hasPosted(tx: Transaction): Promise<boolean> {
    return hasPosted(tx);
  }

  async #activeSchedules(tx: Transaction, month: FiscalMonth): Promise<readonly ScheduleOfMonth[]> {
    const found: ScheduleOfMonth[] = [];
    for (const source of this.#parts.schedules) found.push(...(await source.activeSchedules(tx, month)));
    return found.sort((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0));
  }
}
