import { sql, type Transaction } from '@pacioli/core';
import type { LedgerEntry } from '../rows.gen.ts';
import type { FiscalMonth } from './close-facts.ts';

/** The entry that a schedule wrote for a month, and the one that reverses it. */
export type ScheduleEntry = Pick<LedgerEntry, 'status'> & {
  readonly structure_id: NonNullable<LedgerEntry['source_structure_id']>;
  readonly entry_id: LedgerEntry['id'];
  readonly reversal_entry_id: LedgerEntry['id'] | null;
  readonly reversal_status: LedgerEntry['status'] | null;
};

/**
 * The entry of each schedule in a month, by structure; a posted one wins over a draft. A reversal is recognized by the
 * entry that it reverses, never by its type (ledger L-174). One statement.
 */
export async function scheduleEntries(
  tx: Transaction,
  month: FiscalMonth,
  structureIds: readonly string[],
): Promise<ReadonlyMap<string, ScheduleEntry>> {
  if (structureIds.length === 0) return new Map();
  const rows = await tx.query(sql<ScheduleEntry>`
    SELECT DISTINCT ON (e.source_structure_id) e.source_structure_id AS structure_id, e.id AS entry_id, e.status,
      r.id AS reversal_entry_id, r.status AS reversal_status
    FROM ledger_entry AS e LEFT JOIN ledger_entry AS r ON r.graph_id = e.graph_id AND r.reversal_of = e.id
    WHERE e.graph_id = ${tx.graphId} AND e.source_structure_id = ANY (${[...structureIds]}::text[]) AND e.reversal_of IS NULL
      AND e.posting_date BETWEEN ${month.start}::date AND ${month.end}::date
    ORDER BY e.source_structure_id, e.status = 'draft', e.posting_date, e.id`);
  return new Map(rows.map((row) => [row.structure_id, row]));
}

/** True when the books have any posted line. */
export async function hasPosted(tx: Transaction): Promise<boolean> {
  const [row] = await tx.query(sql<{ found: boolean }>`
    SELECT EXISTS (SELECT FROM ledger_line_item WHERE graph_id = ${tx.graphId} AND is_landed) AS found`);
  return row?.found ?? false;
}
