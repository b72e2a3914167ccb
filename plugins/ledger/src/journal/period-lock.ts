import { StoreError, sql, type Transaction } from '@pacioli/core';
import { chartLockKey } from '@pacioli/taxonomy';
import { monthsOfDates, writeConflict } from '../values/index.ts';

/**
 * Takes the shared locks of the chart of accounts and of every month that will be written, in order, before any row is
 * locked (ledger L-150): no account is deleted and no month closes until the transaction ends. For a month without a
 * row, the calendar's row is locked as well, because the month could be older than all months of the calendar.
 */
export async function lockMonthsShared(tx: Transaction, dates: readonly string[]): Promise<void> {
  if (dates.length === 0) return;
  const graphId = tx.graphId;
  const months = monthsOfDates(dates);
  // One statement, because every write runs it. Its snapshot may be older than the locks, which does no harm: existing
  // rows stay, and for a row created in the meantime the calendar is locked without need.
  await withLockName(labelOf(months), () =>
    tx.query(sql`
      WITH locks AS MATERIALIZED (
        SELECT count(pg_advisory_xact_lock_shared(hashtextextended(key, 0))) AS taken FROM unnest(${[chartLockKey(graphId), ...keysOf(graphId, months)]}::text[]) AS key
      ), calendar AS MATERIALIZED (
        SELECT c.graph_id FROM locks, ledger_fiscal_calendar AS c WHERE c.graph_id = ${graphId} AND (
          SELECT count(*) FROM ledger_fiscal_period AS p
          WHERE p.graph_id = ${graphId} AND p.name = ANY (${[...months]}::text[])) < ${months.length}
        FOR SHARE OF c
      )
      SELECT (SELECT taken FROM locks) AS taken, (SELECT count(*) FROM calendar) AS calendars`),
  );
}

/** Takes the exclusive lock of a month: nothing is dated in it until the transaction ends (ledger L-150). */
export async function lockMonthExclusive(tx: Transaction, month: string): Promise<void> {
  const keys = keysOf(tx.graphId, [month]);
  await withLockName(labelOf([month]), () =>
    tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(key, 0)) FROM unnest(${keys}::text[]) AS key`),
  );
}

function keysOf(graphId: string, months: readonly string[]): string[] {
  return months.map((month) => `pacioli.period.${graphId}.${month}`);
}

function labelOf(months: readonly string[]): string {
  return `Fiscal period ${months.map((month) => `'${month}'`).join(', ')}`;
}

/** Turns a lock timeout into a write conflict that names what was waited for (ledger L-9). */
export async function withLockName<T>(row: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError && error.code === 'lock-timeout') {
      throw writeConflict(row, error);
    }
    throw error;
  }
}

/** The first date that lies in a closed month; the calendar decides for a month without a row (ledger L-151). */
export async function firstClosed(tx: Transaction, dates: readonly string[]): Promise<string | undefined> {
  if (dates.length === 0) return undefined;
  const graphId = tx.graphId;
  const [row] = await tx.query(sql<{ date: string }>`
    SELECT d.date FROM unnest(${[...dates]}::text[]) AS d (date)
    LEFT JOIN ledger_fiscal_period AS p ON p.graph_id = ${graphId} AND p.name = left(d.date, 7)
    WHERE p.status = 'closed' OR (p.name IS NULL AND left(d.date, 7) <= (
      SELECT closed_through FROM ledger_fiscal_calendar WHERE graph_id = ${graphId}))
    ORDER BY d.date LIMIT 1`);
  return row?.date;
}

/** The closed months among those of the dates, in order (ledger L-151). */
export async function closedMonths(tx: Transaction, dates: readonly string[]): Promise<readonly string[]> {
  if (dates.length === 0) return [];
  const graphId = tx.graphId;
  const rows = await tx.query(sql<{ name: string }>`
    SELECT m.name FROM unnest(${[...monthsOfDates(dates)]}::text[]) AS m (name)
    LEFT JOIN ledger_fiscal_period AS p ON p.graph_id = ${graphId} AND p.name = m.name
    WHERE p.status = 'closed' OR (p.name IS NULL AND m.name <= (
      SELECT closed_through FROM ledger_fiscal_calendar WHERE graph_id = ${graphId}))
    ORDER BY m.name`);
  return rows.map(({ name }) => name);
}

/** The month with which the books begin; undefined without a calendar. */
export async function firstMonth(tx: Transaction): Promise<string | undefined> {
  const [row] = await tx.query(sql<{ name: string | null }>`
    SELECT min(name) AS name FROM ledger_fiscal_period WHERE graph_id = ${tx.graphId}`);
  return row?.name ?? undefined;
}

/** Creates the open months that a calendar does not have yet (ledger L-17). */
export async function topUpMonths(tx: Transaction, dates: readonly string[]): Promise<void> {
  const graphId = tx.graphId;
  await tx.query(sql`
    INSERT INTO ledger_fiscal_period (graph_id, name, status)
    SELECT ${graphId}, m.name, 'open' FROM unnest(${[...monthsOfDates(dates)]}::text[]) AS m (name), ledger_fiscal_calendar AS c
    WHERE c.graph_id = ${graphId} ON CONFLICT DO NOTHING`);
}
