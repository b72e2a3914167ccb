import { createToken, kernel, type Provider, provide } from '@pacioli/core';
import { chartOfAccounts, mappings } from '@pacioli/taxonomy';
import { balances, periodBalances } from '../balance-tokens.ts';
import { PostedPeriodBalances } from '../balances/index.ts';
import { ledgerLog } from '../book-tokens.ts';
import {
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
  StatementSkip,
} from '../close/index.ts';
import { accountingConnections, closeGates, closeSteps, scheduleSources } from '../close-tokens.ts';
import { entities, fiscalYearStart } from '../tokens.ts';
import {
  calendarReader,
  closeReader,
  fiscalCalendarStore,
  journalReads,
  periodCloser,
  periodReopener,
} from './internal-tokens.ts';

const monthLock = createToken<MonthLock>('ledger.month-lock');

/** The services that close and reopen months. */
export const closeProviders: readonly Provider[] = [
  provide(calendarReader, {
    services: { calendar: fiscalCalendarStore, gates: closeGates, connections: accountingConnections },
    create: (use) => new CalendarReader({ ...use, gates: new MonthGates(use.gates) }),
  }),
  provide(monthLock, {
    services: { ids: kernel.ids, reader: calendarReader },
    create: (use) => new MonthLock({ ...use, locks: new PeriodLocks(use.ids) }),
  }),
  provide(periodCloser, {
    services: {
      ids: kernel.ids,
      monthLock,
      calendar: fiscalCalendarStore,
      chart: chartOfAccounts,
      mappings,
      entities,
      gates: closeGates,
      steps: closeSteps,
      connections: accountingConnections,
      log: ledgerLog,
    },
    create: (use) =>
      new PeriodCloser({
        monthLock: use.monthLock,
        gates: new MonthGates(use.gates),
        check: new DraftCheck(new MonthEntries(), use.chart),
        entries: new MonthEntries(),
        calendar: use.calendar,
        locks: new PeriodLocks(use.ids),
        skip: new StatementSkip(use),
        steps: use.steps,
        connections: use.connections,
        log: use.log,
      }),
  }),
  provide(periodReopener, {
    services: { ids: kernel.ids, monthLock, calendar: fiscalCalendarStore, steps: closeSteps },
    create: (use) => new PeriodReopener({ ...use, locks: new PeriodLocks(use.ids) }),
  }),
  provide(closeReader, {
    services: {
      reader: calendarReader,
      calendar: fiscalCalendarStore,
      journal: journalReads,
      chart: chartOfAccounts,
      balances,
      schedules: scheduleSources,
      connections: accountingConnections,
    },
    create: (use) => new CloseReader({ ...use, drafts: new DraftReads() }),
  }),
  provide(periodBalances, {
    services: { balances, yearStart: fiscalYearStart, chart: chartOfAccounts, mappings },
    create: (use) => new PostedPeriodBalances(use),
  }),
];
