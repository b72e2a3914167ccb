import { type Contribution, contribute } from '@pacioli/core';
import { closeGates } from '../tokens.ts';
import { ReconcilingRows } from './reconciling-rows.ts';

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
