import { type Contribution, contribute, kernel, type Provider, provide } from '@pacioli/core';
import { chartOfAccounts } from '@pacioli/taxonomy';
import { bookVerifier, ledgerLog, reconciliation } from '../book-tokens.ts';
import { closeGates } from '../close-tokens.ts';
import { EventWrites } from '../event-blocks/index.ts';
import { DraftWrites, JournalWriter } from '../journal/index.ts';
import { LogSealer, StoredVerifier } from '../log/index.ts';
import { Deliveries, Reconciler, ReconcilingPlanner, ReconcilingRows } from '../reconciling/index.ts';
import {
  eventPlanner,
  eventReads,
  eventRecorder,
  planEffects,
  reconciler,
  reconcilingPlanner,
  settlements,
} from './internal-tokens.ts';

/** The services that compare the books with providers and settle differences. */
export const reconcilingProviders: readonly Provider[] = [
  provide(bookVerifier, { create: () => new StoredVerifier() }),
  provide(ledgerLog, { create: () => new LogSealer() }),
  provide(reconciliation, {
    services: {
      ids: kernel.ids,
      chart: chartOfAccounts,
      events: eventReads,
      planner: eventPlanner,
      effects: planEffects,
      settlements,
    },
    create: (use) =>
      new Deliveries({
        ...use,
        rows: new ReconcilingRows(),
        writes: new EventWrites(),
        writer: new JournalWriter(use),
      }),
  }),
  provide(reconcilingPlanner, {
    services: { chart: chartOfAccounts, planner: eventPlanner, events: eventReads },
    create: (use) => new ReconcilingPlanner({ ...use, rows: new ReconcilingRows() }),
  }),
  provide(reconciler, {
    services: {
      ids: kernel.ids,
      chart: chartOfAccounts,
      plans: reconcilingPlanner,
      planner: eventPlanner,
      recorder: eventRecorder,
      events: eventReads,
      settlements,
    },
    create: (use) =>
      new Reconciler({
        ...use,
        rows: new ReconcilingRows(),
        writes: new EventWrites(),
        drafts: new DraftWrites(use.ids),
        writer: new JournalWriter(use),
      }),
  }),
];

/** Blocks the close of a month while reconciling items of it are unresolved (ledger 7.3). */
export const reconcilingGate: Contribution = contribute(closeGates, 'reconciling_items', {
  create: () => ({
    order: 70,
    label: 'reconciling item',
    overrideFlag: 'allow_reconciling_items' as const,
    evaluate: async ({ tx, month }) => {
      const { count, sample } = await new ReconcilingRows().waiting(tx, month.end);
      if (count === 0) return undefined;
      return { count, details: { reconciling_item_count: count, reconciling_item_sample: sample } };
    },
  }),
});
