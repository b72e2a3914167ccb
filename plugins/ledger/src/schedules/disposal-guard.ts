import { invalidInput, type ServiceError } from '@pacioli/core';
import type { ScheduleRow } from './stored-schedules.ts';

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
