/**
 * The composition of the ledger: its modules, built once, from the lowest to the highest. Four internal tokens hand them
 * to the operations, queries and jobs. They are four because of the collections between them: a rule pattern of another
 * plugin may read the books, its event handler may use schedules, and its step of a close may write entries.
 */
import { factStore, ruleEngine, ruleStore } from '@pacioli/blocks';
import { createToken, eventPublisher, kernel, type Provider, provide, type Use } from '@pacioli/core';
import { chartOfAccounts, libraryReads, mappings, structureParts, structureWrites } from '@pacioli/taxonomy';
import { BookAnnouncements } from './announcements/index.ts';
import { type FiscalYearStart, PostedPeriodBalances } from './balances/index.ts';
import { EventBookkeeping } from './bookkeeping/index.ts';
import {
  BookMonths,
  CalendarReader,
  CloseReader,
  DraftCheck,
  DraftReads,
  MonthEntries,
  MonthGates,
  MonthLock,
  PeriodCloser,
  PeriodLocks,
  PeriodReopener,
  PlanHistory,
  StatementSkip,
  StoredCalendar,
} from './close/index.ts';
import { JournalEditor } from './edits/index.ts';
import {
  EventDispatch,
  EventPlanner,
  EventPreview,
  EventPublisher,
  EventReads,
  EventRecorder,
  EventSources,
  EventUpdater,
  EventWrites,
  HandlerEditor,
  StoredHandlers,
  TenantRules,
} from './event-blocks/index.ts';
import { DraftWrites, JournalReads, JournalWriter } from './journal/index.ts';
import { OpenBalances, Settlements } from './open-items/index.ts';
import { StoredAgents, StoredEntities } from './parties/index.ts';
import { Deliveries, Reconciler, ReconcilingPlanner, ReconcilingRows } from './reconciling/index.ts';
import { Rollforwards } from './rollforwards/index.ts';
import {
  AssetDisposal,
  DisposalUndo,
  ObligationSweep,
  Obligations,
  ScheduleBlock,
  ScheduleChanges,
  ScheduleDrafts,
  ScheduleJournal,
  ScheduleWriter,
  StoredSchedules,
} from './schedules/index.ts';
import {
  accountingConnections,
  balances,
  bookkeepingSources,
  closeGates,
  closeSteps,
  entities,
  eventHandlers,
  eventSources,
  ledgerLog,
  scheduleSources,
} from './tokens.ts';

/** Companies, with the writes that only the operations of the ledger make; other plugins get the reads as `entities`. */
export const storedEntities = createToken<StoredEntities>('ledger.stored-entities');

const usedByBooks = {
  ids: kernel.ids,
  chart: chartOfAccounts,
  mappings,
  library: libraryReads,
  structures: structureWrites,
  parts: structureParts,
  balances,
  storedEntities,
  publisher: eventPublisher,
};

/** The rows of the books and the reads of them: parties, entries, open items, events, the calendar. */
function createBooks(use: Use<typeof usedByBooks>) {
  const { ids, chart } = use;
  const announcements = new BookAnnouncements(use.publisher);
  const agents = new StoredAgents(ids);
  const handlers = new StoredHandlers(ids);
  const storedCalendar = new StoredCalendar(ids);
  const yearStart: FiscalYearStart = {
    month: async (tx) => (await storedCalendar.find(tx))?.fiscal_year_start_month ?? 1,
  };
  return {
    entities: use.storedEntities,
    agents,
    journal: new JournalReads(),
    periodBalances: new PostedPeriodBalances({ ...use, yearStart }),
    openBalances: new OpenBalances(use.balances),
    announcements,
    settlements: new Settlements(chart, announcements),
    events: new EventReads(),
    handlers,
    tenantRules: new TenantRules({ chart, agents, handlers }),
    calendar: storedCalendar,
    months: new BookMonths(storedCalendar),
    yearStart,
    rollforwards: new Rollforwards(use),
  };
}

export const books = createToken<ReturnType<typeof createBooks>>('ledger.books');

const usedByScheduling = {
  ids: kernel.ids,
  chart: chartOfAccounts,
  library: libraryReads,
  structures: structureWrites,
  facts: factStore,
  rules: ruleStore,
  engine: ruleEngine,
  balances,
  entities,
  books,
};

/** Schedules: their blocks, the drafts of their months, disposals. */
function createScheduling(use: Use<typeof usedByScheduling>) {
  const { ids, chart } = use;
  const { calendar, journal } = use.books;
  const schedules = new StoredSchedules();
  const obligations = new Obligations(ids);
  const rows = { schedules, obligations, entries: new ScheduleJournal(ids) };
  const block = new ScheduleBlock(use);
  const drafts = new ScheduleDrafts({ ...rows, chart });
  const sweep = new ObligationSweep({ ...rows, drafts });
  return {
    schedules,
    obligations,
    drafts,
    sweep,
    writer: new ScheduleWriter({ ...use, ...rows, block, calendar }),
    changes: new ScheduleChanges({ ...rows, block }),
    disposal: new AssetDisposal({ ...rows, drafts, sweep, block }),
    disposalUndo: new DisposalUndo({ ...rows, block, calendar, journal }),
  };
}

export const scheduling = createToken<ReturnType<typeof createScheduling>>('ledger.scheduling');

const usedByBookWrites = {
  ids: kernel.ids,
  chart: chartOfAccounts,
  books,
  scheduling,
  handlers: eventHandlers,
  sources: eventSources,
  registered: bookkeepingSources,
  balances,
  graphs: kernel.graphs,
};

/** Everything that records events, and writes and changes entries, except a close. */
function createBookWrites(use: Use<typeof usedByBookWrites>) {
  const { ids, chart } = use;
  const { agents, events, handlers, journal, settlements, tenantRules } = use.books;
  const { disposalUndo, schedules } = use.scheduling;
  const sources = new EventSources(use.sources);
  const dispatch = new EventDispatch({ handlers: use.handlers, rules: tenantRules });
  const reads = { chart, agents, events, dispatch };
  const planner = new EventPlanner({ ...reads, sources });
  const work = {
    ids,
    chart,
    events,
    settlements,
    planner,
    dispatch,
    writer: new JournalWriter({ ids, chart, announcements: use.books.announcements }),
    writes: new EventWrites(),
    drafts: new DraftWrites(ids),
  };
  const recorder = new EventRecorder(work);
  const registered = use.registered.map(({ key }) => key);
  const ofPlugins = new EventPlanner({ ...reads, sources: new EventSources(use.sources, registered) });
  const pluginRecorder = new EventRecorder({ ...work, planner: ofPlugins });
  const rows = new ReconcilingRows();
  const plans = new ReconcilingPlanner({ chart, planner, events, rows });
  return {
    sources,
    recorder,
    updater: new EventUpdater({ ...work, disposals: disposalUndo }),
    preview: new EventPreview({ recorder, planner, handlers }),
    publisher: new EventPublisher(events, sources),
    bookkeeping: new EventBookkeeping({
      ...use,
      events,
      journal,
      recorder: pluginRecorder,
      preview: new EventPreview({ recorder: pluginRecorder, planner: ofPlugins, handlers }),
    }),
    journalEditor: new JournalEditor({ ...work, journal, schedules }),
    handlerEditor: new HandlerEditor({ handlers, rules: tenantRules, chart, builtIn: use.handlers }),
    deliveries: new Deliveries({ ...work, rows }),
    reconcilingPlanner: plans,
    reconciler: new Reconciler({ ...work, rows, plans, recorder }),
  };
}

export const bookWrites = createToken<ReturnType<typeof createBookWrites>>('ledger.book-writes');

const usedByClosing = {
  ids: kernel.ids,
  chart: chartOfAccounts,
  mappings,
  balances,
  entities,
  log: ledgerLog,
  books,
  facts: factStore,
  gates: closeGates,
  steps: closeSteps,
  connections: accountingConnections,
  schedules: scheduleSources,
};

/** The calendar as its gates see it, closing and reopening. */
function createClosing(use: Use<typeof usedByClosing>) {
  const { chart, connections, steps } = use;
  const { announcements, calendar, journal } = use.books;
  const gates = new MonthGates(use.gates);
  const locks = new PeriodLocks(use.ids);
  const entries = new MonthEntries(announcements);
  const calendarReader = new CalendarReader({ calendar, gates, connections });
  const monthLock = new MonthLock({ reader: calendarReader, locks });
  const check = new DraftCheck(entries, chart);
  const skip = new StatementSkip(use);
  const shared = { announcements, monthLock, calendar, locks, steps };
  const periodCloser = new PeriodCloser({ ...use, ...shared, gates, check, entries, skip });
  return {
    calendarReader,
    closeReader: new CloseReader({ ...use, reader: calendarReader, calendar, drafts: new DraftReads(), journal }),
    periodCloser,
    periodReopener: new PeriodReopener(shared),
    planHistory: new PlanHistory({ ...shared, closer: periodCloser, facts: use.facts }),
  };
}

export const closing = createToken<ReturnType<typeof createClosing>>('ledger.closing');

/** The parts of the composition, each with what it is built from. */
export const composition: readonly Provider[] = [
  // Charts are told about the company and the books use charts, so these cannot come from the books.
  provide(storedEntities, { services: { ids: kernel.ids }, create: (use) => new StoredEntities(use.ids) }),
  provide(books, { services: usedByBooks, create: createBooks }),
  provide(scheduling, { services: usedByScheduling, create: createScheduling }),
  provide(bookWrites, { services: usedByBookWrites, create: createBookWrites }),
  provide(closing, { services: usedByClosing, create: createClosing }),
];
