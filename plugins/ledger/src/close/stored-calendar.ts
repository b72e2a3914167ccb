import {
  type Caller,
  columnsOf,
  type Ids,
  notFound,
  type RawBuilder,
  type RowOf,
  sql,
  type Transaction,
} from '@pacioli/core';
import type { LedgerFiscalCalendar, LedgerFiscalPeriod } from '../rows.gen.ts';
import { type Actor, type CalendarRequest, firstPeriods, maxPeriods } from '../values/index.ts';
import type { CloseReceipt } from './close.ts';

const calendarColumns = columnsOf<LedgerFiscalCalendar>()(
  'fiscal_year_start_month',
  'closed_through',
  'close_target',
  'last_close_at',
  'initialized_at',
);

export type CalendarRow = RowOf<typeof calendarColumns>;

export type PeriodRow = Pick<LedgerFiscalPeriod, 'name' | 'status' | 'closed_at'> & {
  readonly has_close_receipt: boolean;
};

/** The author and time of a move of the calendar. */
export interface CalendarActor extends Actor {
  readonly type: 'user' | 'agent' | 'system';
}

/** The caller as the actor who moves the calendar (ledger L-193). */
export function calendarActor(caller: Pick<Caller, 'userId' | 'credential'>, now: Date): CalendarActor {
  return { userId: caller.userId, type: caller.credential === 'system' ? 'system' : 'user', now };
}

/** Requires that the calendar is initialized (ledger L-156). */
export function requireCalendar<T>(calendar: T | undefined): T {
  if (calendar === undefined) throw notFound('Fiscal calendar not initialized. Call /operations/initialize first.');
  return calendar;
}

/** The audit record of a move of the calendar (ledger L-193). */
export interface CalendarEvent {
  readonly type: 'initialized' | 'target_changed' | 'target_advanced_auto' | 'period_closed' | 'period_reopened';
  readonly period: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly reason: string | null;
  readonly note: string | null;
}

/** The fiscal calendar of a graph. */
export class StoredCalendar {
  readonly #ids: Ids;

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  async find(tx: Transaction): Promise<CalendarRow | undefined> {
    return this.#one(tx, sql``);
  }

  /** The calendar, locked until the transaction ends. */
  async findForUpdate(tx: Transaction): Promise<CalendarRow | undefined> {
    return this.#one(tx, sql`FOR NO KEY UPDATE`);
  }

  /** The calendar, locked against moves until the transaction ends. */
  async findForShare(tx: Transaction): Promise<CalendarRow | undefined> {
    return this.#one(tx, sql`FOR SHARE`);
  }

  async #one(tx: Transaction, lock: RawBuilder<unknown>): Promise<CalendarRow | undefined> {
    const [row] = await tx.query(sql<CalendarRow>`
      SELECT ${calendarColumns}
      FROM ledger_fiscal_calendar WHERE graph_id = ${tx.graphId} ${lock}`);
    return row;
  }

  /** Changes the close target, with an audit row, even when the target stays the same (ledger L-149). */
  async setTarget(
    tx: Transaction,
    target: { readonly from: string | null; readonly to: string; readonly note: string | null },
    by: CalendarActor,
  ): Promise<void> {
    await tx.query(sql`UPDATE ledger_fiscal_calendar SET close_target = ${target.to} WHERE graph_id = ${tx.graphId}`);
    await this.write(tx, { type: 'target_changed', period: null, ...target, reason: null }, by);
  }

  async periods(tx: Transaction): Promise<readonly PeriodRow[]> {
    return tx.query(sql<PeriodRow>`
      SELECT name, status, closed_at, close_receipt IS NOT NULL AS has_close_receipt
      FROM ledger_fiscal_period WHERE graph_id = ${tx.graphId} ORDER BY name LIMIT ${maxPeriods}`);
  }

  /** The receipt of the close that locked a month; undefined when the month has none. */
  async receipt(tx: Transaction, period: string): Promise<CloseReceipt | undefined> {
    const [row] = await tx.query(sql<{ close_receipt: CloseReceipt | null }>`
      SELECT close_receipt FROM ledger_fiscal_period WHERE graph_id = ${tx.graphId} AND name = ${period}`);
    return row?.close_receipt ?? undefined;
  }

  /**
   * Writes the calendar with its periods and audit row; undefined when there is one already (ledger L-12, L-14, L-16).
   */
  async create(
    tx: Transaction,
    request: CalendarRequest,
    facts: { closeTarget: string | null; currentPeriod: string; note: string | null },
    by: CalendarActor,
  ): Promise<number | undefined> {
    const graphId = tx.graphId;
    const created = await tx.query(sql<Pick<LedgerFiscalCalendar, 'id'>>`
      INSERT INTO ledger_fiscal_calendar (graph_id, id, fiscal_year_start_month, closed_through, close_target, initialized_at)
      VALUES (${graphId}, ${this.#ids.make('fcal')}, ${request.fiscalYearStartMonth}, ${request.closedThrough}, ${facts.closeTarget}, ${by.now})
      ON CONFLICT DO NOTHING RETURNING id`);
    if (created.length === 0) return undefined;
    const periods = firstPeriods(request, facts.currentPeriod);
    const inserted = await tx.query(sql<Pick<LedgerFiscalPeriod, 'name'>>`
      INSERT INTO ledger_fiscal_period (graph_id, name, status, closed_at, closed_by)
      SELECT ${graphId}, name, status, CASE status WHEN 'closed' THEN ${by.now}::timestamptz END, CASE status WHEN 'closed' THEN 'initialize' END
      FROM jsonb_to_recordset(${JSON.stringify(periods)}::jsonb) AS p (name text, status text)
      ON CONFLICT DO NOTHING RETURNING name`);
    const opening = { period: null, from: null, to: request.closedThrough, reason: null, note: facts.note };
    await this.write(tx, { type: 'initialized', ...opening }, by);
    return inserted.length;
  }

  /** Appends to the audit of the calendar. */
  async write(tx: Transaction, event: CalendarEvent, by: CalendarActor): Promise<void> {
    await tx.query(sql`
      INSERT INTO ledger_calendar_event (graph_id, id, type, period, from_value, to_value, actor, actor_type, reason, note, at)
      VALUES (${tx.graphId}, ${this.#ids.make('fce')}, ${event.type}, ${event.period}, ${event.from}, ${event.to}, ${by.userId}, ${by.type},
        ${event.reason}, ${event.note}, ${by.now})`);
  }
}
