import { factStore, ruleEngine, ruleStore } from '@pacioli/blocks';
import { kernel, type Provider, provide } from '@pacioli/core';
import { chartOfAccounts, libraryReads, structureWrites } from '@pacioli/taxonomy';
import { balances } from '../balance-tokens.ts';
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
} from '../schedules/index.ts';
import { entities, scheduleSettings } from '../tokens.ts';
import { fiscalCalendarStore, journalReads } from './internal-tokens.ts';
import {
  assetDisposal,
  disposalUndo,
  obligationStore,
  obligationSweep,
  scheduleBlock,
  scheduleChanges,
  scheduleDrafts,
  scheduleJournal,
  scheduleStore,
  scheduleWriter,
} from './schedule-tokens.ts';

const stores = { schedules: scheduleStore, obligations: obligationStore, entries: scheduleJournal } as const;

/** The services that maintain schedules and draft their months. */
export const scheduleProviders: readonly Provider[] = [
  provide(scheduleStore, { create: () => new StoredSchedules() }),
  provide(obligationStore, { services: { ids: kernel.ids }, create: (use) => new Obligations(use.ids) }),
  provide(scheduleSettings, { services: { obligationStore }, create: (use) => use.obligationStore }),
  provide(scheduleJournal, { services: { ids: kernel.ids }, create: (use) => new ScheduleJournal(use.ids) }),
  provide(scheduleDrafts, {
    services: { chart: chartOfAccounts, ...stores },
    create: (use) => new ScheduleDrafts(use),
  }),
  provide(scheduleBlock, {
    services: {
      structures: structureWrites,
      library: libraryReads,
      facts: factStore,
      rules: ruleStore,
      engine: ruleEngine,
      chart: chartOfAccounts,
      entities,
    },
    create: (use) => new ScheduleBlock(use),
  }),
  provide(scheduleWriter, {
    services: { ids: kernel.ids, block: scheduleBlock, calendar: fiscalCalendarStore, balances, ...stores },
    create: (use) => new ScheduleWriter(use),
  }),
  provide(scheduleChanges, {
    services: { block: scheduleBlock, ...stores },
    create: (use) => new ScheduleChanges(use),
  }),
  provide(obligationSweep, {
    services: { drafts: scheduleDrafts, ...stores },
    create: (use) => new ObligationSweep(use),
  }),
  provide(assetDisposal, {
    services: { drafts: scheduleDrafts, sweep: obligationSweep, block: scheduleBlock, ...stores },
    create: (use) => new AssetDisposal(use),
  }),
  provide(disposalUndo, {
    services: {
      block: scheduleBlock,
      calendar: fiscalCalendarStore,
      journal: journalReads,
      ...stores,
    },
    create: (use) => new DisposalUndo(use),
  }),
];
