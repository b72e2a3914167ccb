import { invalidInput, type Transaction } from '@pacioli/core';
import { requireOpen } from '../event-blocks/index.ts';
import { lockMonthsShared, withLockName } from '../journal/index.ts';
import { monthsOfDates, writeConflict } from '../values/index.ts';
import type { ObligationFrame } from './obligation-plan.ts';
import { scheduleNotFound } from './schedule-drafts.ts';
import type { ScheduleJournal } from './schedule-journal.ts';
import type { ScheduleRow, StoredSchedules } from './stored-schedules.ts';

/** The transaction, author and time of a change of a schedule. */
export interface ScheduleWork {
  readonly tx: Transaction;
  readonly userId: string;
  readonly now: Date;
}

/** A schedule that has not ended. */
export type NewScheduleRow = Omit<ScheduleRow, 'ended_on' | 'disposed_on' | 'disposal_event_id'>;

interface LockParts {
  readonly schedules: StoredSchedules;
  readonly entries: ScheduleJournal;
}

/**
 * Locks the schedule. When a day is given, the caller will delete the drafts after it (null: all), so that their months
 * are locked first, unless they are already, and must be open (ledger L-150, L-151).
 */
export async function lockForChange(
  parts: LockParts,
  tx: Transaction,
  id: string,
  draftsAfter?: string | null,
  lockedBefore?: readonly string[],
): Promise<ScheduleRow> {
  const { entries, schedules } = parts;
  const found = lockedBefore ?? (draftsAfter === undefined ? [] : await lockDraftPeriods(parts, tx, id, draftsAfter));
  const schedule = (await withLockName(`Schedule ${id}`, () => schedules.lock(tx, [id]))).get(id);
  if (schedule === undefined) throw scheduleNotFound(id);
  if (draftsAfter === undefined) return schedule;
  // A draft written while this caller waited for the schedule may lie in a month that is not locked.
  const lockedMonths = new Set(monthsOfDates(found));
  const { dates } = await entries.draftsAfter(tx, id, draftsAfter);
  if (monthsOfDates(dates).some((month) => !lockedMonths.has(month)))
    throw writeConflict(`Schedule '${schedule.name}'`);
  await requireOpen(tx, dates);
  return schedule;
}

/** Locks the months of the drafts after a day (null: of all) and returns their days. */
export async function lockDraftPeriods(
  { entries }: LockParts,
  tx: Transaction,
  id: string,
  draftsAfter: string | null,
): Promise<readonly string[]> {
  const { dates } = await entries.draftsAfter(tx, id, draftsAfter);
  await lockMonthsShared(tx, dates);
  return dates;
}

/** Rejects a disposed schedule: its sum rule is deleted and its later months are void (ledger L-188). */
export function requireNotDisposed(schedule: ScheduleRow, nextStep: string): void {
  if (schedule.disposed_on === null) return;
  throw invalidInput(
    `Schedule '${schedule.name}' ended with the disposal of its asset on ${schedule.disposed_on}. ${nextStep}`,
  );
}

/** The fields that the obligations of a schedule share, for the author and time of a change. */
export function frameOf(schedule: Omit<NewScheduleRow, 'definition'>, work: Omit<ScheduleWork, 'tx'>): ObligationFrame {
  return {
    scheduleId: schedule.structure_id,
    scheduleName: schedule.name,
    anchorId: schedule.anchor_event_id,
    currency: schedule.currency,
    userId: work.userId,
    now: work.now,
  };
}

/** The author and time of a change, as the history of a schedule records them. */
export function stamp(work: ScheduleWork): { readonly by: string; readonly at: string } {
  return { by: work.userId, at: work.now.toISOString() };
}
