import { type ChainHead, ServiceError, type Transaction } from '@pacioli/core';
import type { BookAnnouncements } from '../announcements/index.ts';
import { keepMonthTotals } from '../balances/index.ts';
import { belowZero, firstBelowZero, withLockName } from '../journal/index.ts';
import { plusMonths } from '../values/index.ts';
import { monthOf } from './book-months.ts';
import { liveConnections, publishingConnection } from './calendar-gates.ts';
import { gateArgs } from './calendar-reader.ts';
import { type CloseOutcome, closedThroughAfter, closeOutcome, type GateOutcome, nonEmptyDetails } from './close.ts';
import type { AccountingConnectionSource, CloseStep } from './close-extensions.ts';
import type { CloseOverride, CloseStepResult, FiscalMonth } from './close-facts.ts';
import type { DraftCheck } from './draft-check.ts';
import type { LoweredAccount, MonthEntries } from './month-entries.ts';
import type { MonthGates } from './month-gates.ts';
import { monthHash } from './month-hash.ts';
import type { LockedMonth, MonthLock } from './month-lock.ts';
import type { PeriodLocks } from './period-rows.ts';
import type { StatementSkip } from './statement-skip.ts';
import type { CalendarActor, StoredCalendar } from './stored-calendar.ts';

export interface PeriodCloserParts {
  readonly monthLock: MonthLock;
  readonly gates: MonthGates;
  readonly check: DraftCheck;
  readonly entries: MonthEntries;
  readonly calendar: StoredCalendar;
  readonly locks: PeriodLocks;
  readonly skip: StatementSkip;
  /** The end of the log of the books, for the receipt. */
  readonly log: { head(tx: Transaction): Promise<ChainHead | undefined> };
  readonly announcements: BookAnnouncements;
  readonly steps: readonly CloseStep[];
  readonly connections: readonly AccountingConnectionSource[];
}

export interface CloseRequest {
  readonly graphId: string;
  readonly period: string;
  readonly note: string | null;
  readonly overrides: ReadonlySet<CloseOverride>;
}

/** Closes months in the order of ledger L-158, atomically in the transaction of the caller. */
export class PeriodCloser {
  readonly #parts: PeriodCloserParts;

  constructor(parts: PeriodCloserParts) {
    this.#parts = parts;
  }

  async close(tx: Transaction, request: CloseRequest, by: CalendarActor): Promise<CloseOutcome> {
    return withLockName(`Fiscal period '${request.period}'`, () => this.#close(tx, request, by));
  }

  async #close(tx: Transaction, request: CloseRequest, by: CalendarActor): Promise<CloseOutcome> {
    const { monthLock, entries, check, locks } = this.#parts;
    const held = await monthLock.lock(tx, request.period, by);
    if (held.row.status === 'closed' && !held.wasClosed) throw closedConcurrently(request.period);
    const month = monthOf(request.period);
    const outcome = await this.#requireGates(tx, request, { held, by });
    const limited = await check.require(tx, month);
    const publishing = publishingConnection(await liveConnections(tx, this.#parts.connections));
    if (publishing !== undefined) await check.requireSent(tx, month);
    const lowering = await entries.lowering(tx, month, limited);
    const posted = await entries.post(held.months, month, by.now);
    await requireNotNegative(tx, lowering);
    await keepMonthTotals(tx, request.period);
    const targetAdvanced = await this.#moveCalendar(tx, request, { held, by, outcome });
    const wasReclose = held.row.status === 'closing';
    const steps = await this.#runSteps(tx, { ...request, month, wasReclose, by });
    const done = closeOutcome({ ...posted, targetAdvanced }, steps, await this.#parts.skip.note(tx));
    // The receipt names the locked entries and the end of the log; rows of this close are sealed later (L-198, L-214).
    const head = (await this.#parts.log.head(tx)) ?? null;
    await locks.keepReceipt(tx, {
      version: 1,
      period: request.period,
      closed_at: by.now.toISOString(),
      closed_by: by.userId,
      actor_type: by.type,
      was_reclose: wasReclose,
      ...done,
      private: { ...(await monthHash(tx, request.period)), log: head },
    });
    await this.#parts.announcements.closed(tx, request.period, { userId: by.userId, isAgain: wasReclose });
    return done;
  }

  async #requireGates(
    tx: Transaction,
    { period, overrides }: CloseRequest,
    { held, by }: { readonly held: LockedMonth; readonly by: CalendarActor },
  ): Promise<GateOutcome> {
    const args = gateArgs(tx, period, held.read, by.now.toISOString().slice(0, 10));
    const outcome = await this.#parts.gates.evaluate(args, overrides);
    if (outcome.blockers.length === 0) return outcome;
    // All blockers at once, with figures that a caller can act on (ledger L-152).
    const message = `Cannot close period '${period}'.`;
    throw new ServiceError('invalid_input', 'CLOSE_BLOCKED', `${message} Blockers: ${outcome.blockers.join(', ')}.`, {
      details: { message, blockers: outcome.blockers, ...nonEmptyDetails(outcome.details) },
    });
  }

  /** Locks the month and moves the pointers; returns whether the close target moved along (ledger L-158). */
  async #moveCalendar(
    tx: Transaction,
    { period, note }: CloseRequest,
    { held, by, outcome }: { readonly held: LockedMonth; readonly by: CalendarActor; readonly outcome: GateOutcome },
  ): Promise<boolean> {
    const { calendar, locks } = this.#parts;
    const { closed_through: from, close_target: target } = held.read.calendar;
    const to = closedThroughAfter(period, from);
    const isReached = to !== from && target !== null && to >= target;
    const closeTarget = isReached ? plusMonths(to, 1) : target;
    await locks.close(tx, period, { closedThrough: to, closeTarget }, by);
    const notes = [
      ...(to === from ? ['Re-close of previously reopened period'] : []),
      ...(note === null ? [] : [note]),
      ...outcome.overridden,
    ];
    const auditNote = notes.length === 0 ? null : notes.join(' ');
    await calendar.write(tx, { type: 'period_closed', period, from, to, reason: null, note: auditNote }, by);
    if (isReached) {
      const advance = { period: null, from: target, to: closeTarget, reason: null, note: null };
      await calendar.write(tx, { type: 'target_advanced_auto', ...advance }, { ...by, type: 'system' });
    }
    return isReached;
  }

  async #runSteps(
    tx: Transaction,
    args: {
      readonly graphId: string;
      readonly month: FiscalMonth;
      readonly wasReclose: boolean;
      readonly by: CalendarActor;
    },
  ): Promise<Partial<CloseStepResult>> {
    const { graphId, month, wasReclose, by } = args;
    const results: Partial<CloseStepResult>[] = [];
    for (const step of this.#parts.steps)
      results.push(await step.run({ tx, graphId, month, wasReclose, userId: by.userId, now: by.now }));
    return Object.assign({}, ...results);
  }
}

/** Rejects drafts that leave an account below zero that they reduce, with the ids that L-164 requires (ledger L-213). */
async function requireNotNegative(tx: Transaction, lowered: readonly LoweredAccount[]): Promise<void> {
  const short = await firstBelowZero(tx, lowered);
  if (short === undefined) return;
  const found = lowered.find(({ account, currency }) => account === short.account && currency === short.currency);
  const entryIds = found?.entryIds ?? [];
  const remedy = `Change or delete drafts that reduce it (${entryIds.join(', ')}) before closing`;
  throw belowZero(short, remedy, { entry_ids: entryIds });
}

/** The error when another caller closed the month while this one waited for the period lock (ledger L-155). */
function closedConcurrently(period: string): ServiceError {
  return new ServiceError(
    'conflict',
    'ALREADY_CLOSED',
    `Fiscal period '${period}' has just been closed by another caller. Read periodCloseStatus for its receipt.`,
  );
}
