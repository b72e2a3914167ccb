import { createToken } from '@pacioli/core';
import type { EventRecorder } from './event-recorder.ts';
import type { EventReads } from './store/event-reads.ts';
import type { JournalReads } from './store/journal-reads.ts';
import type { StoredCalendar } from './store/stored-calendar.ts';

/** Services that only this plugin's own parts use. */
export const eventRecorder = createToken<EventRecorder>('ledger.event-recorder');
export const eventReads = createToken<EventReads>('ledger.event-reads');
export const journalReads = createToken<JournalReads>('ledger.journal-reads');
export const fiscalCalendarStore = createToken<StoredCalendar>('ledger.fiscal-calendar-store');
