import { invalidInput, type ServiceError } from '@pacioli/core';
import type { ScheduleRow } from './stored-schedules.ts';

/**
 * The refusal of a change of what a disposal has taken off: it booked the entries of its schedule as they were, so that
 * they stay so while it stands (ledger L-188). The text begins with what was to be done.
 */
export function heldByDisposal(
  { name, disposal_event_id: eventId, disposed_on: date }: ScheduleRow,
  refused: string,
): ServiceError {
  return invalidInput(
    `${refused}: the disposal of ${date} that ended schedule '${name}' has counted its entries as they are. Take the disposal back first: move its event ${eventId} to 'voided' with update-event-block, or, when its entry has posted, reverse that with an event journal_entry_reversed. Then record the disposal again.`,
  );
}
