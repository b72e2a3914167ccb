import { sql, type Transaction } from '@pacioli/core';
import type { LedgerLog, LogHead } from '../book-tokens.ts';
import { graphOf } from './graph-of.ts';

/** Rows that one transaction of the sealer takes: it holds the lock of the graph's chain as long. */
const log_rows_per_batch = 2_000;

/** Gives the rows of the log their places in the chain (ledger L-214, decision 0008). */
export class LogSealer implements LedgerLog {
  async seal(tx: Transaction): Promise<number> {
    const [row] = await tx.query(
      sql<{ sealed: number }>`SELECT ledger_seal_log(${graphOf(tx)}, ${log_rows_per_batch}::integer) AS sealed`,
    );
    return row?.sealed ?? 0;
  }

  async head(tx: Transaction): Promise<LogHead | undefined> {
    const [row] = await tx.query(sql<LogHead>`
      SELECT seq, encode(hash, 'hex') AS hash FROM ledger_log
      WHERE graph_id = ${graphOf(tx)} AND seq IS NOT NULL ORDER BY seq DESC LIMIT 1`);
    return row;
  }

  /**
   * Graphs with rows to seal, the longest waiting first, so that each has its turn; asked in the kernel's scope. Each costs
   * one look at the index, however many rows it has.
   */
  async graphsToSeal(tx: Transaction, graphs_max: number): Promise<readonly string[]> {
    const rows = await tx.query(sql<{ graph_id: string }>`
      WITH RECURSIVE waiting AS (
        (SELECT graph_id, id FROM ledger_log WHERE seq IS NULL ORDER BY graph_id, id LIMIT 1)
        UNION ALL
        SELECT n.graph_id, n.id FROM waiting AS w CROSS JOIN LATERAL (
          SELECT l.graph_id, l.id FROM ledger_log AS l WHERE l.seq IS NULL AND l.graph_id > w.graph_id
          ORDER BY l.graph_id, l.id LIMIT 1) AS n
      )
      SELECT graph_id FROM waiting ORDER BY id LIMIT ${graphs_max}`);
    return rows.map((row) => row.graph_id);
  }
}
