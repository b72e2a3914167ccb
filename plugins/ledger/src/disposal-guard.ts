import { invalidInput, type ServiceError } from '@pacioli/core';
import type { ScheduleRow } from './store/stored-schedules.ts';

/**
 * The refusal of a change of what a disposal has taken off: it booked the entries of its schedule as they were, so that
 * they stay so while it stands (ledger L-188). `subject` is what was to be changed.
 */
export function heldByDisposal(
  {
    name,
    disposal_event_id: eventId,
    disposed_on: date,
  }: Pick<ScheduleRow, 'name' | 'disposal_event_id' | 'disposed_on'>,
  subject: string,
): ServiceError {
  return invalidInput(
    `${subject} counts in the disposal of ${date} that ended schedule '${name}', and would not agree with it any more. Take the disposal back first: move its event ${eventId} to 'voided' with update-event-block, or, when its entry has posted, reverse that with an event journal_entry_reversed. Record the disposal again afterwards.`,
  );
}
