/** Finding and locking a schedule, and the refusals of changes to it. */
import { invalidInput, notFound, type ServiceError, type Transaction } from '@pacioli/core';
import { withLockName } from '../journal/index.ts';
import type { ScheduleRow, StoredSchedules } from './stored-schedules.ts';

export async function requireSchedule(schedules: StoredSchedules, tx: Transaction, id: string): Promise<ScheduleRow> {
  const schedule = await schedules.find(tx, id);
  if (schedule === undefined) throw scheduleNotFound(id);
  return schedule;
}

/** The schedule, locked before any of its events; undefined when it was deleted in the meantime (ledger L-150). */
export async function lockSchedule(
  schedules: StoredSchedules,
  tx: Transaction,
  id: string,
): Promise<ScheduleRow | undefined> {
  return (await withLockName(`Schedule ${id}`, () => schedules.lock(tx, [id]))).get(id);
}

/** The schedule, locked until the transaction ends. */
export async function requireLocked(schedules: StoredSchedules, tx: Transaction, id: string): Promise<ScheduleRow> {
  const schedule = await lockSchedule(schedules, tx, id);
  if (schedule === undefined) throw scheduleNotFound(id);
  return schedule;
}

/** Rejects a disposed schedule: its sum rule is deleted and its later months are void (ledger L-188). */
export function requireNotDisposed(schedule: ScheduleRow, nextStep: string): void {
  if (schedule.disposed_on === null) return;
  throw invalidInput(
    `Schedule '${schedule.name}' ended with the disposal of its asset on ${schedule.disposed_on}. ${nextStep}`,
  );
}

export function requireCurrency(schedule: ScheduleRow, currency: string): void {
  if (schedule.currency !== currency)
    throw invalidInput(`currency: the schedule is in ${schedule.currency}; send its events in it too.`);
}

/**
 * The error for a change of entries that a disposal has counted: it used their amounts, so they must not change
 * while it is in effect (ledger L-188). `refused` names the rejected change and begins the message.
 */
export function countedByDisposal(
  { name, disposal_event_id: eventId, disposed_on: date }: ScheduleRow,
  refused: string,
): ServiceError {
  return invalidInput(
    `${refused}: the disposal of ${date} that ended schedule '${name}' has counted its entries as they are. Take the disposal back first: move its event ${eventId} to 'voided' with update-event-block, or, when its entry has posted, reverse that with an event journal_entry_reversed. Then record the disposal again.`,
  );
}

export function scheduleNotFound(id: string): ServiceError {
  return notFound(`Schedule not found: ${id}`);
}
