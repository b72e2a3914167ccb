import type { Transaction } from '@pacioli/core';
import type { Side } from './settlement.ts';

/** The open amount of one age bucket and currency, in minor units; negative when overpaid. */
export interface AgedBalance {
  /** Days past due; `current` is not past due. */
  readonly bucket: 'current' | '1-30' | '31-60' | '61-90' | 'over-90';
  readonly currency: string;
  readonly total: bigint;
  readonly events: number;
}

/** Ages open items by days past due (ledger L-102). */
export interface Aging {
  /** Open items as of a day by age, youngest first, net of payments made by then. One statement. */
  aging(tx: Transaction, side: Side, asOf: string): Promise<readonly AgedBalance[]>;
}
