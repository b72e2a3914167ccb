import { columnsOf, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { LedgerEntry } from '../rows.gen.ts';
import type { FiscalMonth } from './close-facts.ts';
import { draftsOf, isPublishable } from './month-entries.ts';

/** Limit of drafts of a month that are shown; counts and totals cover all of them. */
export const maxDrafts = 1_000;

/** Counts and totals of the drafts of a month, in minor units of the functional currency (ledger L-4, L-5). */
export interface DraftTotals {
  readonly drafts: number;
  readonly publishable: number;
  readonly debit: bigint;
  readonly credit: bigint;
  readonly isBalanced: boolean;
}

const draftColumns = columnsOf<LedgerEntry>('d')(
  'id',
  'posting_date',
  'type',
  'memo',
  'provenance',
  'source_structure_id',
);

export type DraftRow = RowOf<typeof draftColumns> & {
  readonly source_structure_name: string | null;
  readonly is_publishable: boolean;
};

/** True for a month with a draft that a close would post. */
export async function hasDrafts(tx: Transaction, month: FiscalMonth): Promise<boolean> {
  const found = await tx.query(sql`SELECT FROM ${draftsOf(tx.graphId, month)} LIMIT 1`);
  return found.length > 0;
}

/** Reads of the drafts of a month. */
export class DraftReads {
  async totals(tx: Transaction, month: FiscalMonth, currency: string): Promise<DraftTotals> {
    const graphId = tx.graphId;
    const [row] = await tx.query(sql<{
      drafts: number;
      publishable: number;
      debit: string;
      credit: string;
      is_balanced: boolean;
    }>`
      WITH d AS (
        SELECT e.id, e.currency, ${isPublishable} AS publishable FROM ${draftsOf(graphId, month)}
      ), sides AS (
        SELECT d.currency, d.publishable, coalesce(l.debit, 0) AS debit, coalesce(l.credit, 0) AS credit
        FROM d CROSS JOIN LATERAL (
          SELECT sum(debit_amount) AS debit, sum(credit_amount) AS credit FROM ledger_line_item WHERE graph_id = ${graphId} AND entry_id = d.id) AS l
      )
      SELECT count(*) AS drafts, count(*) FILTER (WHERE publishable) AS publishable, coalesce(bool_and(debit = credit), true) AS is_balanced,
        coalesce(sum(debit) FILTER (WHERE currency = ${currency}), 0)::text AS debit,
        coalesce(sum(credit) FILTER (WHERE currency = ${currency}), 0)::text AS credit
      FROM sides`);
    return {
      drafts: row?.drafts ?? 0,
      publishable: row?.publishable ?? 0,
      debit: BigInt(row?.debit ?? 0),
      credit: BigInt(row?.credit ?? 0),
      isBalanced: row?.is_balanced ?? true,
    };
  }

  /** The first drafts by date, then by the name of their schedule, then by creation (ledger L-173). */
  async first(
    tx: Transaction,
    month: FiscalMonth,
    schedules: readonly { readonly structureId: string; readonly name: string }[],
  ): Promise<readonly DraftRow[]> {
    return tx.query(sql<DraftRow>`
      SELECT ${draftColumns}, s.name AS source_structure_name, d.is_publishable
      FROM (SELECT e.*, ${isPublishable} AS is_publishable FROM ${draftsOf(tx.graphId, month)}) AS d
      LEFT JOIN unnest(${schedules.map(({ structureId }) => structureId)}::text[], ${schedules.map(({ name }) => name)}::text[])
        AS s (id, name) ON s.id = d.source_structure_id
      ORDER BY d.posting_date, s.name NULLS FIRST, d.created_at, d.id LIMIT ${maxDrafts}`);
  }
}
