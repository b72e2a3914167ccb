import { reportingEntities } from '@pacioli/blocks';
import { type Contribution, contribute, kernel, type Provider, provide } from '@pacioli/core';
import {
  chartListeners,
  chartOfAccounts,
  elementGuards,
  entityLinks,
  statementStructures,
  structureParts,
} from '@pacioli/taxonomy';
import { bankHandlers } from './bank-handlers.ts';
import { aging, closeWarnings, journalDrafts } from './book-tokens.ts';
import { builtInHandlers } from './built-in-handlers.ts';
import { calendarGates } from './calendar-gates.ts';
import { closeServices } from './close-providers.ts';
import { legalFormOf } from './domain/templates.ts';
import { EventDispatch } from './event-dispatch.ts';
import { EventPlanner } from './event-planner.ts';
import { EventPreview } from './event-preview.ts';
import { EventPublisher } from './event-publisher.ts';
import { EventRecorder } from './event-recorder.ts';
import { EventUpdater } from './event-updater.ts';
import { handlerServices } from './handler-providers.ts';
import {
  agentStore,
  entityStore,
  eventPlanner,
  eventPreview,
  eventPublisher,
  eventReads,
  eventRecorder,
  eventUpdater,
  fiscalCalendarStore,
  handlerStore,
  journalEditor,
  journalReads,
  liveSources,
  openBalances,
  settlements,
  tenantRules,
} from './internal-tokens.ts';
import { JournalEditor } from './journal-editor.ts';
import { reconcilingGate, reconcilingServices } from './reconciling-providers.ts';
import { rollforwardBlockType, rollforwardServices } from './rollforward-block-type.ts';
import { scheduleBlockType } from './schedule-block-type.ts';
import { scheduleClose } from './schedule-close.ts';
import { scheduleHandlers } from './schedule-handlers.ts';
import { scheduleServices } from './schedule-providers.ts';
import { disposalUndo, scheduleStore } from './schedule-tokens.ts';
import { DraftWrites } from './store/draft-writes.ts';
import { ElementUse } from './store/element-use.ts';
import { StoredEntityLinks } from './store/entity-links.ts';
import { EventReads } from './store/event-reads.ts';
import { EventWrites } from './store/event-writes.ts';
import { JournalReads } from './store/journal-reads.ts';
import { JournalWriter } from './store/journal-writer.ts';
import { OpenBalances } from './store/open-balances.ts';
import { Settlements } from './store/settlements.ts';
import { StoredAgents } from './store/stored-agents.ts';
import { StoredBalances } from './store/stored-balances.ts';
import { StoredCalendar } from './store/stored-calendar.ts';
import { StoredEntities } from './store/stored-entities.ts';
import { UnpostedEvents } from './store/unposted-events.ts';
import { balances, entities, eventHandlers, fiscalYearStart } from './tokens.ts';

export const providers: readonly Provider[] = [
  ...handlerServices,
  ...reconcilingServices,
  provide(balances, { create: () => new StoredBalances() }),
  provide(entityStore, { services: { ids: kernel.ids }, create: (use) => new StoredEntities(use.ids) }),
  provide(entities, { services: { store: entityStore }, create: (use) => use.store }),
  provide(journalReads, { create: () => new JournalReads() }),
  provide(eventReads, { create: () => new EventReads() }),
  provide(fiscalCalendarStore, { services: { ids: kernel.ids }, create: (use) => new StoredCalendar(use.ids) }),
  provide(agentStore, { services: { ids: kernel.ids }, create: (use) => new StoredAgents(use.ids) }),
  provide(aging, { services: { open: openBalances }, create: (use) => use.open }),
  provide(openBalances, {
    services: { chart: chartOfAccounts, balances },
    create: (use) => new OpenBalances(use),
  }),
  ...closeServices,
  ...scheduleServices,
  ...rollforwardServices,
  provide(fiscalYearStart, {
    services: { calendar: fiscalCalendarStore },
    create: (use) => ({ month: async (tx) => (await use.calendar.find(tx))?.fiscal_year_start_month ?? 1 }),
  }),
  provide(eventPlanner, {
    services: {
      chart: chartOfAccounts,
      agents: agentStore,
      events: eventReads,
      handlers: eventHandlers,
      rules: tenantRules,
      sources: liveSources,
    },
    create: (use) => new EventPlanner({ ...use, dispatch: new EventDispatch(use) }),
  }),
  provide(settlements, { services: { chart: chartOfAccounts }, create: (use) => new Settlements(use.chart) }),
  provide(eventRecorder, {
    services: { ids: kernel.ids, chart: chartOfAccounts, planner: eventPlanner, settlements },
    create: (use) => new EventRecorder({ ...use, writer: new JournalWriter(use) }),
  }),
  provide(eventUpdater, {
    services: {
      ids: kernel.ids,
      chart: chartOfAccounts,
      planner: eventPlanner,
      events: eventReads,
      settlements,
      disposals: disposalUndo,
    },
    create: (use) =>
      new EventUpdater({
        ...use,
        writes: new EventWrites(),
        drafts: new DraftWrites(use.ids),
        writer: new JournalWriter(use),
      }),
  }),
  provide(eventPreview, {
    services: { recorder: eventRecorder, planner: eventPlanner, handlers: handlerStore },
    create: (use) => new EventPreview(use),
  }),
  provide(eventPublisher, {
    services: { events: eventReads, sources: liveSources },
    create: (use) => new EventPublisher(use.events, use.sources),
  }),
  provide(journalEditor, {
    services: {
      ids: kernel.ids,
      chart: chartOfAccounts,
      planner: eventPlanner,
      journal: journalReads,
      events: eventReads,
      schedules: scheduleStore,
      settlements,
    },
    create: (use) => new JournalEditor({ ...use, writes: new EventWrites(), drafts: new DraftWrites(use.ids) }),
  }),
  provide(journalDrafts, { services: { journalEditor }, create: (use) => use.journalEditor }),
  provide(closeWarnings, { create: () => new UnpostedEvents() }),
];

export const contributions: readonly Contribution[] = [
  ...builtInHandlers,
  ...bankHandlers,
  reconcilingGate,
  ...calendarGates,
  ...scheduleHandlers,
  ...scheduleClose,
  scheduleBlockType,
  rollforwardBlockType,
  contribute(kernel.graphProvisioners, 'ledger', {
    services: { ids: kernel.ids, graphs: kernel.graphs, statements: statementStructures },
    create: (use) => ({
      domain: 'ledger',
      provision: async ({ tx, graphId, entity, now }) => {
        const graph = await use.graphs.find(tx, graphId);
        // A company without a legal form gets the layout that shows all of its books (taxonomy LB-22).
        const form = entity?.entity_type;
        const style = form == null || form === '' ? undefined : use.statements.styleIdFor(legalFormOf(form));
        const company =
          entity === null ? null : { ...entity, reporting_style_id: entity.reporting_style_id ?? style ?? null };
        await new StoredEntities(use.ids).create(tx, graph?.name ?? graphId, company, now);
      },
    }),
  }),
  contribute(reportingEntities, 'ledger', {
    services: { entities },
    create: (use) => ({
      defaultId: async (tx) => (await use.entities.primary(tx))?.id,
      has: (tx, entityId) => use.entities.has(tx, entityId),
    }),
  }),
  contribute(chartListeners, 'ledger', {
    services: { entities },
    create: (use) => ({ created: ({ tx, taxonomyId, now }) => use.entities.linkChart(tx, taxonomyId, now) }),
  }),
  contribute(elementGuards, 'ledger', {
    services: { structures: structureParts },
    create: (use) => new ElementUse(use),
  }),
  contribute(entityLinks, 'ledger', { create: () => new StoredEntityLinks() }),
];
