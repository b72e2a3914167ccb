import { type RawBuilder, type ServiceError, sql, type Transaction } from '@pacioli/core';
import type { LedgerFiscalPeriod } from '../rows.gen.ts';
import { monthsOfDates, periodOf } from '../values/index.ts';
import { bookingRefusal } from './booking-refusal.ts';
import type { LockedMonths } from './locked-months.ts';

/** Rejects days of which one lies in a closed month (ledger L-151). */
export async function requireOpen({ tx }: LockedMonths, dates: readonly string[]): Promise<void> {
  const [month] = await closedMonths(tx, dates);
  const date = dates.toSorted().find((each) => periodOf(each) === month);
  if (date !== undefined) throw closedPeriod(periodOf(date), date, (await firstMonth(tx)) ?? null);
}

/** The closed months among those of the dates, in order. */
export async function closedMonths(tx: Transaction, dates: readonly string[]): Promise<readonly string[]> {
  if (dates.length === 0) return [];
  const rows = await tx.query(sql<Pick<LedgerFiscalPeriod, 'name'>>`
    SELECT m.name FROM unnest(${[...monthsOfDates(dates)]}::text[]) AS m (name)
    WHERE ${isClosedMonth(tx.graphId, sql`m.name`)} ORDER BY m.name`);
  return rows.map(({ name }) => name);
}

/** True when the month is closed; the calendar decides for a month without a row (ledger L-151). */
export function isClosedMonth(graphId: string, name: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce(
    (SELECT p.status = 'closed' FROM ledger_fiscal_period AS p WHERE p.graph_id = ${graphId} AND p.name = ${name}),
    (SELECT ${name} <= c.closed_through FROM ledger_fiscal_calendar AS c WHERE c.graph_id = ${graphId}), false)`;
}

/** The month with which the books begin; undefined without a calendar. */
export async function firstMonth(tx: Transaction): Promise<string | undefined> {
  const [row] = await tx.query(sql<{ readonly name: LedgerFiscalPeriod['name'] | null }>`
    SELECT min(name) AS name FROM ledger_fiscal_period WHERE graph_id = ${tx.graphId}`);
  return row?.name ?? undefined;
}

/** Creates the open months that a calendar does not have yet (ledger L-17). */
export async function topUpMonths({ tx }: LockedMonths, dates: readonly string[]): Promise<void> {
  const graphId = tx.graphId;
  await tx.query(sql`
    INSERT INTO ledger_fiscal_period (graph_id, name, status)
    SELECT ${graphId}, m.name, 'open' FROM unnest(${[...monthsOfDates(dates)]}::text[]) AS m (name), ledger_fiscal_calendar AS c
    WHERE c.graph_id = ${graphId} ON CONFLICT DO NOTHING`);
}

/** The error for a closed month (ledger L-151). Months before the first of the calendar cannot be reopened (L-167). */
export function closedPeriod(period: string, date: string, begins: string | null): ServiceError {
  const instead =
    begins === null || period >= begins
      ? 'Reopen the period first if an adjustment is needed.'
      : `The calendar begins with ${begins}, and no period before it can be reopened. Use a date in an open period.`;
  return bookingRefusal(
    'closed_period',
    `Cannot write to closed period '${period}' (posting_date=${date}). ${instead}`,
  );
}
