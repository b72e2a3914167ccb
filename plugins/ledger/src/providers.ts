/** The services that the ledger provides to all plugins, and its contributions to the collections of others. */
import { type Contribution, kernel, type Provider, provide, providePart } from '@pacioli/core';
import { chartOfAccounts, statementStructures } from '@pacioli/taxonomy';
import { newCompany, StoredNewCompanies } from './accounts/index.ts';
import { StoredBalances, StoredEntryFlows } from './balances/index.ts';
import { books, bookWrites, composition, scheduling, storedEntities } from './books.ts';
import { calendarGates, UnpostedEvents } from './close/index.ts';
import { bankHandlers, builtInHandlers } from './event-blocks/index.ts';
import { LogSealer, StoredVerifier } from './log/index.ts';
import { controlAccounts } from './open-items/index.ts';
import { partyContributions, StoredLinkedEntities } from './parties/index.ts';
import { reconcilingGate } from './reconciling/index.ts';
import { elementGuard, rollforwardBlockType } from './rollforwards/index.ts';
import { scheduleBlockType, scheduleClose, scheduleHandlers, storedMovements } from './schedules/index.ts';
import {
  aging,
  balances,
  bookkeeping,
  bookVerifier,
  calendar,
  closeWarnings,
  entities,
  entryFlows,
  fiscalYearStart,
  journalDrafts,
  ledgerLog,
  linkedEntities,
  linkedEntityListeners,
  newCompanies,
  periodBalances,
  plannedMovements,
  reconciliation,
  rollforwards,
  scheduleSettings,
} from './tokens.ts';

export const providers: readonly Provider[] = [
  ...composition,
  providePart(entities, storedEntities, (all) => all),
  provide(balances, { create: () => new StoredBalances() }),
  provide(entryFlows, { create: () => new StoredEntryFlows() }),
  providePart(aging, books, (all) => all.openBalances),
  provide(bookVerifier, {
    services: { chart: chartOfAccounts },
    create: ({ chart }) => new StoredVerifier(async (tx) => (await controlAccounts(tx, chart)).receivable),
  }),
  providePart(bookkeeping, bookWrites, (all) => all.bookkeeping),
  providePart(calendar, books, (all) => all.months),
  provide(closeWarnings, { create: () => new UnpostedEvents() }),
  providePart(fiscalYearStart, books, (all) => all.yearStart),
  providePart(journalDrafts, bookWrites, (all) => all.journalEditor),
  provide(ledgerLog, { create: () => new LogSealer() }),
  provide(linkedEntities, {
    services: { ids: kernel.ids, listeners: linkedEntityListeners },
    create: (use) => new StoredLinkedEntities(use),
  }),
  provide(newCompanies, {
    services: { ids: kernel.ids, graphs: kernel.graphs, statements: statementStructures },
    create: (use) => new StoredNewCompanies(use),
  }),
  providePart(periodBalances, books, (all) => all.periodBalances),
  provide(plannedMovements, { create: () => storedMovements }),
  providePart(reconciliation, bookWrites, (all) => all.deliveries),
  providePart(rollforwards, books, (all) => all.rollforwards),
  providePart(scheduleSettings, scheduling, (all) => all.obligations),
];

export const contributions: readonly Contribution[] = [
  ...partyContributions,
  newCompany,
  ...builtInHandlers({ books, scheduling }),
  ...bankHandlers,
  ...calendarGates,
  ...scheduleHandlers(scheduling),
  ...scheduleClose(scheduling),
  scheduleBlockType(scheduling),
  reconcilingGate,
  rollforwardBlockType(books),
  elementGuard,
];
