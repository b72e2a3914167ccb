import { createToken } from '@pacioli/core';
import type { CalendarReader } from './calendar-reader.ts';
import type { CloseReader } from './close-reader.ts';
import type { EventPlanner } from './event-planner.ts';
import type { EventPreview } from './event-preview.ts';
import type { EventPublisher } from './event-publisher.ts';
import type { EventRecorder } from './event-recorder.ts';
import type { EventUpdater } from './event-updater.ts';
import type { HandlerEditor } from './handler-editor.ts';
import type { JournalEditor } from './journal-editor.ts';
import type { PeriodCloser } from './period-closer.ts';
import type { PeriodReopener } from './period-reopener.ts';
import type { EventReads } from './store/event-reads.ts';
import type { JournalReads } from './store/journal-reads.ts';
import type { OpenBalances } from './store/open-balances.ts';
import type { Settlements } from './store/settlements.ts';
import type { StoredAgents } from './store/stored-agents.ts';
import type { StoredCalendar } from './store/stored-calendar.ts';
import type { StoredHandlers } from './store/stored-handlers.ts';
import type { TenantRules } from './tenant-rules.ts';

/** Services that only this plugin's own parts use. */
export const eventRecorder = createToken<EventRecorder>('ledger.event-recorder');
export const eventReads = createToken<EventReads>('ledger.event-reads');
export const journalReads = createToken<JournalReads>('ledger.journal-reads');
export const fiscalCalendarStore = createToken<StoredCalendar>('ledger.fiscal-calendar-store');
export const agentStore = createToken<StoredAgents>('ledger.agent-store');
export const openBalances = createToken<OpenBalances>('ledger.open-balances');
export const eventPlanner = createToken<EventPlanner>('ledger.event-planner');
export const settlements = createToken<Settlements>('ledger.settlements');
export const eventUpdater = createToken<EventUpdater>('ledger.event-updater');
export const eventPreview = createToken<EventPreview>('ledger.event-preview');
export const eventPublisher = createToken<EventPublisher>('ledger.event-publisher');
export const journalEditor = createToken<JournalEditor>('ledger.journal-editor');
<<<<<<< HEAD
export const handlerEditor = createToken<HandlerEditor>('ledger.handler-editor');
export const handlerStore = createToken<StoredHandlers>('ledger.handler-store');
export const tenantRules = createToken<TenantRules>('ledger.tenant-rules');
=======
export const calendarReader = createToken<CalendarReader>('ledger.calendar-reader');
export const periodCloser = createToken<PeriodCloser>('ledger.period-closer');
export const periodReopener = createToken<PeriodReopener>('ledger.period-reopener');
export const closeReader = createToken<CloseReader>('ledger.close-reader');
>>>>>>> wC
