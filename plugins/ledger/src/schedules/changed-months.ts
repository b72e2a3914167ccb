import { invalidInput } from '@pacioli/core';
import type { LockedMonths } from '../journal/index.ts';
import { type Actor, monthsNamed } from '../values/index.ts';
import type { DueObligation, Obligations } from './obligations.ts';
import type { ScheduleJournal } from './schedule-journal.ts';
import type { SchedulePlan } from './schedule-plan.ts';
import type { ScheduleRow, StoredSchedules } from './stored-schedules.ts';

interface ChangeParts {
  readonly schedules: StoredSchedules;
  readonly obligations: Obligations;
  readonly entries: ScheduleJournal;
}

interface ChangeWork extends Actor {
  readonly months: LockedMonths;
}

/**
 * Withdraws the drafts and promoted obligations of months whose amount a plan changes, so that they are drafted again,
 * and returns the obligations. The caller has locked the schedule and the months of its drafts. Posted entries never
 * change, so a plan with another amount for a posted month is invalid input (ledger L-53, L-187).
 */
export async function withdrawChanged(
  { entries, obligations, schedules }: ChangeParts,
  { months: locked, userId, now }: ChangeWork,
  { structure_id: scheduleId, name }: ScheduleRow,
  plan: SchedulePlan,
): Promise<readonly DueObligation[]> {
  const { tx } = locked;
  const months = await schedules.months(tx, scheduleId);
  const before = new Map(months.map((month) => [month.period, month.amount]));
  const changed = plan.months.filter((month) => before.get(month.period) !== month.amount);
  if (changed.length === 0) return [];
  const periods = changed.map((month) => month.period);
  const found = await entries.ofMonths(
    tx,
    periods.map((period) => ({ scheduleId, period })),
  );
  const posted = found.filter((entry) => entry.status !== 'draft').map((entry) => entry.period);
  if (posted.length > 0)
    throw invalidInput(
      `The entries of schedule '${name}' for ${monthsNamed(posted)} are posted, but the definition gives these months other amounts. Restore their amounts and put the difference into later months with update-information-block, or end the schedule with terminate-schedule and create a new one.`,
    );
  const drafts = found.map((entry) => entry.id);
  await entries.removeDrafts(locked, drafts, { userId, now });
  const promoted = { scheduleId, periods, statuses: ['classified', 'committed'] };
  return obligations.void(tx, promoted, { reason: 'rebuilt' });
}
