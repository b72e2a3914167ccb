import type { Transaction } from '@pacioli/core';
import { type JournalDecision, type LockedMonths, writeJournal } from '../journal/index.ts';
import type { Actor } from '../values/index.ts';
import type { ObligationFrame } from './obligation-plan.ts';
import { requireLocked } from './schedule-checks.ts';
import type { DraftsOfSchedule, ScheduleJournal } from './schedule-journal.ts';
import type { ScheduleRow, StoredSchedules } from './stored-schedules.ts';

/** The transaction, author and time of a change of a schedule. */
export interface ScheduleWork extends Actor {
  readonly tx: Transaction;
}

/** A schedule that has not ended. */
export type NewScheduleRow = Omit<ScheduleRow, 'ended_on' | 'disposed_on' | 'disposal_event_id'>;

interface LockParts {
  readonly schedules: StoredSchedules;
  readonly entries: ScheduleJournal;
}

/** A change of a schedule that deletes its drafts after a day. */
interface ScheduleChange<Result> {
  readonly id: string;
  /** The day; null for all drafts. */
  readonly draftsAfter: string | null;
  /** Locks rows that precede the schedule in the lock order. */
  lockFirst?(): Promise<void>;
  /** The schedule is locked; the months of its drafts are locked and open. */
  apply(months: LockedMonths, schedule: ScheduleRow, drafts: DraftsOfSchedule): Promise<Result>;
}

interface DraftsToDelete extends JournalDecision {
  readonly drafts: DraftsOfSchedule;
  /** Undefined until the schedule is locked. */
  readonly schedule: ScheduleRow | undefined;
}

/** Changes a schedule and the journal in one unit of work (ledger L-150, L-151). */
export function changeSchedule<Result>(
  { entries, schedules }: LockParts,
  { tx, now }: Pick<ScheduleWork, 'tx' | 'now'>,
  { id, draftsAfter, lockFirst, apply }: ScheduleChange<Result>,
): Promise<Result> {
  const decide = async (schedule?: ScheduleRow): Promise<DraftsToDelete> => {
    const drafts = await entries.draftsAfter(tx, id, draftsAfter);
    const subject = `Schedule ${schedule === undefined ? id : `'${schedule.name}'`}`;
    return { subject, schedule, drafts, dates: { changed: drafts.dates }, locksRows: true };
  };
  return writeJournal<DraftsToDelete, Result>(tx, {
    now,
    decide: () => decide(),
    decideAgain: async () => {
      await lockFirst?.();
      // A draft written while this caller waited for the schedule may lie in a month that is not locked.
      return decide(await requireLocked(schedules, tx, id));
    },
    apply: (months, { schedule, drafts }) => {
      if (schedule === undefined) throw new Error('A schedule must be locked before it is changed.');
      return apply(months, schedule, drafts);
    },
  });
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
