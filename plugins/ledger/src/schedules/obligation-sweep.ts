import { isServiceError, type Transaction } from '@pacioli/core';
import { type JournalDecision, type LockedMonths, withLockName, writeJournal } from '../journal/index.ts';
import { gatherStatistics } from '../values/index.ts';
import type { DueObligation, Obligations } from './obligations.ts';
import {
  type DraftDecision,
  type DraftRequest,
  datesOf,
  movesNothing,
  type ScheduleDrafts,
} from './schedule-drafts.ts';
import type { StoredSchedules } from './stored-schedules.ts';

/** Obligations per run; the rest is left to the next run. */
export const maxObligationsPerRun = 10_000;

/** The interval of the background sweep, and the delay until it retries what a run had to leave (ledger L-185). */
export const sweepIntervalSeconds = 300;

/** Obligations whose drafts are decided and written together. */
const obligationsPerBatch = 500;

export interface Sweep {
  /** Everything up to this instant is due (ledger L-185). */
  readonly now: Date;
  readonly userId: string;
  /** True to write drafts as well. */
  readonly drafts: boolean;
}

/** Runs with more obligations update the query planner's statistics between batches. */
const manyObligations = 100;

/** Matured obligations. */
interface Due {
  readonly pending: readonly DueObligation[];
  /** Those that were promoted before and have no entry. */
  readonly stranded: readonly DueObligation[];
}

export interface SweepError {
  readonly event_id: string;
  readonly error: string;
}

/** The outcome of a run. */
export interface SweepResult {
  readonly classified: readonly string[];
  readonly stranded: readonly string[];
  readonly dispatchedCount: number;
  readonly errors: readonly SweepError[];
  /** True when obligations are left without a draft that another run may be able to write. */
  readonly hasMore: boolean;
}

export interface SweepParts {
  readonly schedules: StoredSchedules;
  readonly obligations: Obligations;
  readonly drafts: ScheduleDrafts;
}

/** Promotes matured obligations and drafts their entries, many at a time (ledger L-185). */
export class ObligationSweep {
  readonly #parts: SweepParts;

  constructor(parts: SweepParts) {
    this.#parts = parts;
  }

  async run(tx: Transaction, sweep: Sweep): Promise<SweepResult> {
    const { obligations } = this.#parts;
    const matured = { maturedBy: sweep.now };
    const pending = await obligations.list(tx, { ...matured, statuses: ['pending'] }, maxObligationsPerRun);
    // A month that was closed despite stranded obligations accepts no more drafts.
    const stranded = await obligations.stranded(tx, { ...matured, isOpen: true }, maxObligationsPerRun);
    const result = await this.promote(tx, { pending, stranded }, sweep);
    const hasMore = sweep.drafts && (result.hasMore || stranded.length === maxObligationsPerRun);
    const againAt = hasMore ? new Date(sweep.now.getTime() + sweepIntervalSeconds * 1_000) : null;
    await obligations.rescheduleAfterRun(tx, againAt);
    return { ...result, hasMore };
  }

  /**
   * Promotes these pending obligations and drafts them and the stranded ones; collects the errors of single ones. A
   * caller that has locked schedules already passes its months: locking others now would be out of order (ledger L-150).
   */
  promote(tx: Transaction, due: Due, sweep: Sweep, locked?: LockedMonths): Promise<SweepResult> {
    const work = sweep.drafts ? [...due.pending, ...due.stranded] : [];
    return writeJournal<JournalDecision, SweepResult>(tx, {
      now: sweep.now,
      // Months may be closed: each obligation is decided again under the locks and gets its error then.
      decide: async () => {
        const dates = await this.#dates(tx, work);
        locked?.requireCovers(dates, 'A schedule');
        return { subject: 'A schedule', dates: { followed: dates }, locksRows: work.length > 0 };
      },
      decideAgain: async (first) => {
        const ids = [...new Set(work.map((obligation) => obligation.scheduleId))];
        await withLockName('A schedule', () => this.#parts.schedules.lock(tx, ids));
        return first;
      },
      apply: (months) => this.#promote(months, due, work, sweep),
    });
  }

  async #promote(months: LockedMonths, due: Due, work: readonly DueObligation[], sweep: Sweep): Promise<SweepResult> {
    const { tx } = months;
    const classified = await withLockName('An obligation', () =>
      this.#parts.obligations.classify(
        tx,
        due.pending.map((obligation) => obligation.eventId),
      ),
    );
    const stranded = new Set(due.stranded);
    const mine = work.filter((obligation) => classified.has(obligation.eventId) || stranded.has(obligation));
    let dispatchedCount = 0;
    let unlockedCount = 0;
    const errors: SweepError[] = [];
    for (let from = 0; from < mine.length; from += obligationsPerBatch) {
      if (mine.length > manyObligations) await gatherStatistics(tx);
      const batch = await this.#draft(months, mine.slice(from, from + obligationsPerBatch), sweep);
      dispatchedCount += batch.dispatchedCount;
      unlockedCount += batch.unlockedCount;
      errors.push(...batch.errors);
    }
    return {
      classified: due.pending.filter(({ eventId }) => classified.has(eventId)).map(({ eventId }) => eventId),
      stranded: due.stranded.map(({ eventId }) => eventId),
      dispatchedCount,
      errors,
      hasMore: unlockedCount > 0 || errors.length > 0,
    };
  }

  /** The days to which drafting these would write, read before anything is locked (ledger L-150). */
  async #dates(tx: Transaction, work: readonly DueObligation[]): Promise<readonly string[]> {
    const dates: string[] = [];
    for (let from = 0; from < work.length; from += obligationsPerBatch) {
      const decided = await this.#parts.drafts.decide(tx, requestsOf(work.slice(from, from + obligationsPerBatch)));
      dates.push(...decided.flatMap(datesOf));
    }
    return dates;
  }

  async #draft(
    months: LockedMonths,
    batch: readonly DueObligation[],
    sweep: Sweep,
  ): Promise<Pick<SweepResult, 'dispatchedCount' | 'errors'> & { readonly unlockedCount: number }> {
    const { tx } = months;
    const decided = await this.#parts.drafts.decide(tx, requestsOf(batch));
    const errors: SweepError[] = [];
    const work: { decision: DraftDecision; eventId: string }[] = [];
    let unlockedCount = 0;
    const taken = new Set<string>();
    for (const [index, decision] of decided.entries()) {
      const eventId = batch[index]?.eventId ?? '';
      if (isServiceError(decision)) {
        errors.push({ event_id: eventId, error: decision.message });
        continue;
      }
      // Two obligations of one month share its entry (ledger L-183).
      const month = `${decision.schedule.structure_id} ${decision.period}`;
      const isFirst = !taken.has(month);
      taken.add(month);
      // A template that changed since the months were locked may name another one; the next run drafts it.
      if (!months.covers(datesOf(decision))) unlockedCount += 1;
      else if (isFirst || movesNothing(decision)) work.push({ decision, eventId });
    }
    await this.#parts.drafts.write(months, work, { userId: sweep.userId, now: sweep.now });
    const idle = work.flatMap(({ decision, eventId }) => (movesNothing(decision) ? [eventId] : []));
    if (idle.length > 0)
      await this.#parts.obligations.void(tx, { eventIds: idle, statuses: ['classified'] }, { reason: 'no_amount' });
    const dispatchedCount = work.filter(
      ({ decision: { outcome } }) => outcome === 'created' || outcome === 'regenerated',
    ).length;
    return { dispatchedCount, unlockedCount, errors };
  }
}

function requestsOf(obligations: readonly DueObligation[]): readonly DraftRequest[] {
  return obligations.map(({ scheduleId, period }) => ({ scheduleId, period }));
}
