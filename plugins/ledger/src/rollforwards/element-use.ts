import { type Contribution, contribute, sql, type Transaction } from '@pacioli/core';
import {
  type ElementGuard,
  elementGuards,
  type MonthSpan,
  type StructureParts,
  structureParts,
} from '@pacioli/taxonomy';
import { withLockName } from '../journal/index.ts';
import type { LedgerLineItem, LedgerSchedule } from '../rows.gen.ts';
import { rollforwardOf } from './rollforward.ts';

/** Tells the taxonomy which of its elements the journal uses (ledger L-24, taxonomy T-40). */
class ElementUse implements Omit<ElementGuard, 'key'> {
  readonly #structures: StructureParts;

  constructor(parts: { readonly structures: StructureParts }) {
    this.#structures = parts.structures;
  }

  readonly used = async (tx: Transaction, elementIds: readonly string[]): Promise<readonly string[]> => {
    const rows = await tx.query(sql<Pick<LedgerLineItem, 'element_id'>>`
      SELECT e.element_id FROM unnest(${[...elementIds]}::text[]) AS e (element_id)
      WHERE EXISTS (
        SELECT FROM ledger_line_item AS l WHERE l.graph_id = ${tx.graphId} AND l.element_id = e.element_id)`);
    return rows.map((row) => row.element_id);
  };

  readonly lockHistory = shareCalendar;

  /**
   * A schedule has obligations and drafts, which only the deletion of its block removes (ledger L-190); a roll-forward
   * is recognized by its structure.
   */
  readonly usedStructures = async (tx: Transaction, structureIds: readonly string[]): Promise<readonly string[]> => {
    const rows = await tx.query(sql<Pick<LedgerSchedule, 'structure_id'>>`
      SELECT structure_id FROM ledger_schedule
      WHERE graph_id = ${tx.graphId} AND structure_id = ANY (${[...structureIds]}::text[])`);
    const parts = await this.#structures.find(tx, structureIds);
    const explaining = [...parts.values()].filter((part) => rollforwardOf(part.metadata) !== undefined);
    return [...rows.map((row) => row.structure_id), ...explaining.map(({ id }) => id)];
  };

  /** A line affects later months: one of January counts in the balance of every later month that is closed. */
  readonly closedMonths = async (tx: Transaction, elementIds: readonly string[]): Promise<MonthSpan | undefined> => {
    const graphId = tx.graphId;
    await shareCalendar(tx);
    const [row] = await tx.query(sql<{ count: number; first: string | null; last: string | null }>`
      SELECT count(*) AS count, min(name) AS first, max(name) AS last FROM ledger_fiscal_period AS p
      WHERE graph_id = ${graphId} AND status = 'closed' AND EXISTS (
        SELECT FROM ledger_line_item AS l WHERE l.graph_id = ${graphId} AND l.is_landed
          AND l.element_id = ANY (${[...elementIds]}::text[])
          AND l.posting_date <= ((p.name || '-01')::date + interval '1 month - 1 day')::date)`);
    return row?.first == null || row.last === null ? undefined : { count: row.count, first: row.first, last: row.last };
  };
}

/**
 * Closing and reopening a month lock the calendar's row (ledger L-150), so no month closes between this check and the
 * end of the change, not even one that has no row yet (taxonomy T-40).
 */
async function shareCalendar(tx: Transaction): Promise<void> {
  await withLockName('The fiscal calendar', () =>
    tx.query(sql`SELECT FROM ledger_fiscal_calendar WHERE graph_id = ${tx.graphId} FOR SHARE`),
  );
}

export const elementGuard: Contribution = contribute(elementGuards, 'ledger', {
  services: { structures: structureParts },
  create: (use) => new ElementUse(use),
});
