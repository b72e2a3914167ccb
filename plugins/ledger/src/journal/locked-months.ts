import { StoreError, sql, type Transaction } from '@pacioli/core';
import { chartLockKey } from '@pacioli/taxonomy';
import { monthsOfDates, writeConflict } from '../values/index.ts';

/**
 * The months whose period locks a transaction holds until it ends. Every function that writes entries takes one instead
 * of a bare transaction. Only the functions of this file that take the locks make one, so the compiler refuses a write
 * without them (ledger L-150).
 */
class LockedMonths {
  readonly tx: Transaction;
  readonly #months: ReadonlySet<string>;

  constructor(tx: Transaction, months: readonly string[]) {
    this.tx = tx;
    this.#months = new Set(months);
  }

  /** True when the months of all these dates are locked. */
  covers(dates: readonly string[]): boolean {
    return monthsOfDates(dates).every((month) => this.#months.has(month));
  }

  /**
   * Throws a write conflict about the subject when a date lies in another month: locking that one now would be out of
   * order, so the caller retries.
   */
  requireCovers(dates: readonly string[], subject: string): void {
    if (!this.covers(dates)) throw writeConflict(subject);
  }
}

export type { LockedMonths };

/** Period locks whose statement has been sent. */
export interface RequestedMonths {
  /** Usable at once: statements of a transaction run in order, so those sent now run under the locks. */
  readonly months: LockedMonths;
  /** Resolves once the locks are granted; rejects with a write conflict when they are not. */
  readonly granted: Promise<void>;
}

/**
 * Requests the shared locks of the chart of accounts and of every month that will be written, in order, before any row
 * is locked (ledger L-150): no account is deleted and no month closes until the transaction ends. For a month without a
 * row, the calendar's row is locked as well, because the month could be older than all months of the calendar.
 */
export function requestMonths(tx: Transaction, dates: readonly string[]): RequestedMonths {
  const months = monthsOfDates(dates);
  return { months: new LockedMonths(tx, months), granted: lockShared(tx, months) };
}

async function lockShared(tx: Transaction, months: readonly string[]): Promise<void> {
  if (months.length === 0) return;
  const graphId = tx.graphId;
  // One statement, because every write runs it. Its snapshot may be older than the locks, which does no harm: existing
  // rows stay, and for a row created in the meantime the calendar is locked without need.
  await withLockName(`${labelOf(months)}, the calendar or the chart of accounts`, () =>
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

/** Takes the exclusive lock of a month: only this transaction dates rows in it until it ends (ledger L-150). */
export async function lockMonthExclusive(tx: Transaction, month: string): Promise<LockedMonths> {
  const keys = keysOf(tx.graphId, [month]);
  await withLockName(labelOf([month]), () =>
    tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(key, 0)) FROM unnest(${keys}::text[]) AS key`),
  );
  return new LockedMonths(tx, [month]);
}

function keysOf(graphId: string, months: readonly string[]): string[] {
  return months.map((month) => `pacioli.period.${graphId}.${month}`);
}

function labelOf(months: readonly string[]): string {
  return `Fiscal period ${months.map((month) => `'${month}'`).join(', ')}`;
}

/**
 * Waits for locks and for the statements that were sent behind them. Fails only once both have settled: a statement still
 * in flight would run after a preview has rolled back to its savepoint, and stay.
 */
export async function behindLocks<Result>(granted: Promise<unknown>, behind: Promise<Result>): Promise<Result> {
  const [lock, outcome] = await Promise.allSettled([granted, behind]);
  if (lock.status === 'rejected') throw lock.reason;
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/** Turns a lock timeout into a write conflict that names by a label what was waited for (ledger L-9). */
export async function withLockName<T>(label: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError && error.code === 'lock-timeout') {
      throw writeConflict(label, error);
    }
    throw error;
  }
}
