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
import { legalFormOf } from '../accounts/index.ts';
import { balances } from '../balance-tokens.ts';
import { StoredBalances } from '../balances/index.ts';
import { aging, closeWarnings, journalDrafts } from '../book-tokens.ts';
import { calendarGates, StoredCalendar, UnpostedEvents } from '../close/index.ts';
import { JournalEditor } from '../edits/index.ts';
import {
  bankHandlers,
  builtInHandlers,
  EventDispatch,
  EventPlanner,
  EventPreview,
  EventPublisher,
  EventReads,
  EventRecorder,
  EventUpdater,
  EventWrites,
  PlanEffects,
} from '../event-blocks/index.ts';
import { DraftWrites, JournalReads, JournalWriter } from '../journal/index.ts';
import { OpenBalances, Settlements } from '../open-items/index.ts';
import { StoredAgents, StoredEntities, StoredEntityLinks } from '../parties/index.ts';
import { ElementUse, rollforwardBlockType, rollforwardProviders } from '../rollforwards/index.ts';
import { scheduleBlockType, scheduleClose, scheduleHandlers } from '../schedules/index.ts';
import { entities, eventHandlers, fiscalYearStart } from '../tokens.ts';
import { closeProviders } from './close-providers.ts';
import { handlerProviders } from './handler-providers.ts';
import {
  agentStore,
  entityStore,
  eventDispatch,
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
  planEffects,
  settlements,
  tenantRules,
} from './internal-tokens.ts';
import { reconcilingGate, reconcilingProviders } from './reconciling-providers.ts';
import { scheduleProviders } from './schedule-providers.ts';
import { disposalUndo, scheduleStore } from './schedule-tokens.ts';

export const providers: readonly Provider[] = [
  ...handlerProviders,
  ...reconcilingProviders,
  provide(balances, { create: () => new StoredBalances() }),
  provide(entityStore, { services: { ids: kernel.ids }, create: (use) => new StoredEntities(use.ids) }),
  provide(entities, { services: { store: entityStore }, create: (use) => use.store }),
  provide(journalReads, { create: () => new JournalReads() }),
  provide(eventReads, { create: () => new EventReads() }),
  provide(fiscalCalendarStore, { services: { ids: kernel.ids }, create: (use) => new StoredCalendar(use.ids) }),
  provide(agentStore, { services: { ids: kernel.ids }, create: (use) => new StoredAgents(use.ids) }),
  provide(aging, { services: { open: openBalances }, create: (use) => use.open }),
  provide(openBalances, { services: { balances }, create: (use) => new OpenBalances(use.balances) }),
  ...closeProviders,
  ...scheduleProviders,
  ...rollforwardProviders,
  provide(fiscalYearStart, {
    services: { calendar: fiscalCalendarStore },
    create: (use) => ({ month: async (tx) => (await use.calendar.find(tx))?.fiscal_year_start_month ?? 1 }),
  }),
  provide(eventDispatch, {
    services: { handlers: eventHandlers, rules: tenantRules },
    create: (use) => new EventDispatch(use),
  }),
  provide(planEffects, { services: { eventDispatch }, create: (use) => new PlanEffects(use.eventDispatch) }),
  provide(eventPlanner, {
    services: {
      chart: chartOfAccounts,
      agents: agentStore,
      events: eventReads,
      dispatch: eventDispatch,
      sources: liveSources,
    },
    create: (use) => new EventPlanner(use),
  }),
  provide(settlements, { services: { chart: chartOfAccounts }, create: (use) => new Settlements(use.chart) }),
  provide(eventRecorder, {
    services: {
      ids: kernel.ids,
      chart: chartOfAccounts,
      planner: eventPlanner,
      effects: planEffects,
      settlements,
    },
    create: (use) => new EventRecorder({ ...use, writer: new JournalWriter(use) }),
  }),
  provide(eventUpdater, {
    services: {
      ids: kernel.ids,
      chart: chartOfAccounts,
      planner: eventPlanner,
      effects: planEffects,
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
