import { type ChainHead, HashChain, type Transaction } from '@pacioli/core';

/** The end of the log's hash chain. */
export type LogHead = ChainHead;

/** The hash-chained log of all writes to the books (ledger L-214). Rows appear with the write and are sealed later. */
export interface LedgerLog {
  /** Seals the oldest unsealed rows of the transaction's graph, at most 2,000, and returns their number. */
  seal(tx: Transaction): Promise<number>;
  /** The end of the chain, if any. A copy kept elsewhere makes every change of an earlier row detectable. */
  head(tx: Transaction): Promise<LogHead | undefined>;
  /** Up to `maxGraphs` graphs that may have unsealed rows; requires the kernel's scope. */
  graphsToSeal(tx: Transaction, maxGraphs: number): Promise<readonly string[]>;
}

/** The chain of each graph's log. */
export const logChain = new HashChain({ name: 'ledger_log', subject: 'subject_id', place: 'id' });

/** Seals the rows of the log into its hash chain (ledger L-214, decision 0008). */
export class LogSealer implements LedgerLog {
  seal(tx: Transaction): Promise<number> {
    return logChain.seal(tx);
  }

  head(tx: Transaction): Promise<LogHead | undefined> {
    return logChain.head(tx);
  }

  graphsToSeal(tx: Transaction, maxGraphs: number): Promise<readonly string[]> {
    return logChain.graphsToSeal(tx, maxGraphs);
  }
}
