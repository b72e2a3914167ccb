import type { Transaction } from '@pacioli/core';

/** The author, time and transaction of a write. */
export interface BlockWork {
  readonly tx: Transaction;
  readonly userId: string;
  readonly now: Date;
}
