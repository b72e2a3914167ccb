import { type ChainHead, HashChain, sql, type Transaction } from '@pacioli/core';
import type { LedgerLog as LogRow } from '../rows.gen.ts';

/** The last link of the log's hash chain. */
export type LogHead = ChainHead;

/** The hash-chained log of all writes to the books (ledger L-214). Rows appear with the write and are sealed later. */
export interface LedgerLog {
  /** Seals the oldest unsealed rows of the transaction's graph, at most 2,000, and returns their number. */
  seal(tx: Transaction): Promise<number>;
  /** The last sealed row, if any. A copy kept elsewhere makes every change of an earlier row detectable. */
  head(tx: Transaction): Promise<LogHead | undefined>;
  /** Up to `maxGraphs` graphs with unsealed rows; requires the kernel's scope. */
  graphsToSeal(tx: Transaction, maxGraphs: number): Promise<readonly string[]>;
}

/** The chain of each graph's log. */
export const logChain = new HashChain('ledger_log', 'subject_id');

/** Seals the rows of the log into its hash chain (ledger L-214, decision 0008). */
export class LogSealer implements LedgerLog {
  seal(tx: Transaction): Promise<number> {
    return logChain.seal(tx);
  }

  head(tx: Transaction): Promise<LogHead | undefined> {
    return logChain.head(tx);
  }

  /**
   * Graphs with unsealed rows, longest waiting first, so that each gets a turn; requires the kernel's scope. Each costs
   * one index lookup, however many rows it has.
   */
  async graphsToSeal(tx: Transaction, maxGraphs: number): Promise<readonly string[]> {
    const rows = await tx.query(sql<Pick<LogRow, 'graph_id'>>`
      WITH RECURSIVE waiting AS (
        (SELECT graph_id, id FROM ledger_log WHERE seq IS NULL ORDER BY graph_id, id LIMIT 1)
        UNION ALL
        SELECT n.graph_id, n.id FROM waiting AS w CROSS JOIN LATERAL (
          SELECT l.graph_id, l.id FROM ledger_log AS l WHERE l.seq IS NULL AND l.graph_id > w.graph_id
          ORDER BY l.graph_id, l.id LIMIT 1) AS n
      )
      SELECT graph_id FROM waiting ORDER BY id LIMIT ${maxGraphs}`);
    return rows.map((row) => row.graph_id);
  }
}
