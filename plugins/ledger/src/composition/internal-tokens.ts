import { createToken } from '@pacioli/core';
import type { CalendarReader, CloseReader, PeriodCloser, PeriodReopener, StoredCalendar } from '../close/index.ts';
import type { JournalEditor } from '../edits/index.ts';
import type {
  EventDispatch,
  EventPlanner,
  EventPreview,
  EventPublisher,
  EventReads,
  EventRecorder,
  EventSources,
  EventUpdater,
  HandlerEditor,
  PlanEffects,
  StoredHandlers,
  TenantRules,
} from '../event-blocks/index.ts';
import type { JournalReads } from '../journal/index.ts';
import type { OpenBalances, Settlements } from '../open-items/index.ts';
import type { StoredAgents, StoredEntities } from '../parties/index.ts';
import type { Reconciler, ReconcilingPlanner } from '../reconciling/index.ts';

/** Services that only this plugin's own parts use. */
export const entityStore = createToken<StoredEntities>('ledger.entity-store');
export const eventRecorder = createToken<EventRecorder>('ledger.event-recorder');
export const eventReads = createToken<EventReads>('ledger.event-reads');
export const journalReads = createToken<JournalReads>('ledger.journal-reads');
export const fiscalCalendarStore = createToken<StoredCalendar>('ledger.fiscal-calendar-store');
export const agentStore = createToken<StoredAgents>('ledger.agent-store');
export const openBalances = createToken<OpenBalances>('ledger.open-balances');
export const eventDispatch = createToken<EventDispatch>('ledger.event-dispatch');
export const planEffects = createToken<PlanEffects>('ledger.plan-effects');
export const eventPlanner = createToken<EventPlanner>('ledger.event-planner');
export const settlements = createToken<Settlements>('ledger.settlements');
export const eventUpdater = createToken<EventUpdater>('ledger.event-updater');
export const eventPreview = createToken<EventPreview>('ledger.event-preview');
export const eventPublisher = createToken<EventPublisher>('ledger.event-publisher');
export const journalEditor = createToken<JournalEditor>('ledger.journal-editor');
export const handlerEditor = createToken<HandlerEditor>('ledger.handler-editor');
export const handlerStore = createToken<StoredHandlers>('ledger.handler-store');
export const liveSources = createToken<EventSources>('ledger.live-sources');
export const reconciler = createToken<Reconciler>('ledger.reconciler');
export const reconcilingPlanner = createToken<ReconcilingPlanner>('ledger.reconciling-planner');
export const tenantRules = createToken<TenantRules>('ledger.tenant-rules');
export const calendarReader = createToken<CalendarReader>('ledger.calendar-reader');
export const periodCloser = createToken<PeriodCloser>('ledger.period-closer');
export const periodReopener = createToken<PeriodReopener>('ledger.period-reopener');
export const closeReader = createToken<CloseReader>('ledger.close-reader');
