/** The services and collections of the ledger that other plugins use; their types stand in the modules. */
import { createCollection, createToken } from '@pacioli/core';
import type { NewCompanies } from './accounts/new-companies.ts';
import type { Balances, FiscalYearStart, PeriodBalances } from './balances/balances.ts';
import type { EntryFlows } from './balances/entry-flows.ts';
import type { Bookkeeping, BookkeepingSource } from './bookkeeping/bookkeeping.ts';
import type { Calendar } from './close/calendar.ts';
import type { AccountingConnectionSource, CloseGate, CloseStep, ScheduleSource } from './close/close-extensions.ts';
import type { CloseWarnings } from './close/unposted-events.ts';
import type { JournalDrafts } from './edits/journal-drafts.ts';
import type { EventHandler } from './event-blocks/event-handler.ts';
import type { EventSource } from './event-blocks/event-sources.ts';
import type { BookVerifier } from './log/invariants.ts';
import type { LedgerLog } from './log/log-sealer.ts';
import type { Aging } from './open-items/aging.ts';
import type { DeclaredSources, LinkedEntities, LinkedEntityListener } from './parties/linked-entities.ts';
import type { Entities } from './parties/stored-entities.ts';
import type { Reconciliation } from './reconciling/reconciliation.ts';
import type { RollforwardReads } from './rollforwards/rollforward.ts';
import type { ScheduleSettings } from './schedules/obligations.ts';
import type { PlannedMovements } from './schedules/planned-movements.ts';

export const aging = createToken<Aging>('ledger.aging');
export const balances = createToken<Balances>('ledger.balances');
/** Writes events and entries to the books, in the caller's transaction. */
export const bookkeeping = createToken<Bookkeeping>('ledger.bookkeeping');
export const bookVerifier = createToken<BookVerifier>('ledger.book-verifier');
export const calendar = createToken<Calendar>('ledger.calendar');
export const closeWarnings = createToken<CloseWarnings>('ledger.close-warnings');
export const entities = createToken<Entities>('ledger.entities');
export const entryFlows = createToken<EntryFlows>('ledger.entry-flows');
export const fiscalYearStart = createToken<FiscalYearStart>('ledger.fiscal-year-start');
export const journalDrafts = createToken<JournalDrafts>('ledger.journal-drafts');
export const ledgerLog = createToken<LedgerLog>('ledger.log');
/** Entities of the issuers that share reports into the graph. */
export const linkedEntities = createToken<LinkedEntities>('ledger.linked-entities');
export const newCompanies = createToken<NewCompanies>('ledger.new-companies');
export const periodBalances = createToken<PeriodBalances>('ledger.period-balances');
/** The movements that schedules and recorded disposals bring in coming months. */
export const plannedMovements = createToken<PlannedMovements>('ledger.planned-movements');
export const reconciliation = createToken<Reconciliation>('ledger.reconciliation');
export const rollforwards = createToken<RollforwardReads>('ledger.rollforwards');
export const scheduleSettings = createToken<ScheduleSettings>('ledger.schedule-settings');

export const accountingConnections = createCollection<AccountingConnectionSource>('ledger.accounting-connections');
export const bookkeepingSources = createCollection<BookkeepingSource>('ledger.bookkeeping-sources');
export const closeGates = createCollection<CloseGate>('ledger.close-gates');
export const closeSteps = createCollection<CloseStep>('ledger.close-steps');
export const declaredSources = createCollection<DeclaredSources>('ledger.declared-sources');
export const eventHandlers = createCollection<EventHandler>('ledger.event-handlers');
export const eventSources = createCollection<EventSource>('ledger.event-sources');
export const linkedEntityListeners = createCollection<LinkedEntityListener>('ledger.linked-entity-listeners');
export const scheduleSources = createCollection<ScheduleSource>('ledger.schedule-sources');
