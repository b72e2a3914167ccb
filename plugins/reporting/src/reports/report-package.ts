import type { BlockEnvelopes, Envelope, FactStore } from '@pacioli/blocks';
import type { Transaction } from '@pacioli/core';
import { shownReport } from './report-reader.ts';
import { findReport } from './report-rows.ts';

interface PackageServices {
  readonly facts: FactStore;
  readonly envelopes: BlockEnvelopes;
}

/** The place of a block among the others of its report, by block type (P-24). */
const displayOrder: Readonly<Record<string, number>> = {
  balance_sheet: 1,
  income_statement: 2,
  cash_flow_statement: 3,
  equity_statement: 4,
  schedule: 100,
};
const otherDisplayOrder = 50;

/** Facts without a structure are in no block (P-25). */
const otherFactsWarning =
  'Facts of this report belong to structures that this graph does not know. Downloads list them as "Other facts".';

/** A block of a report in its wire form. */
interface PackageItem {
  readonly fact_set_id: string;
  readonly structure_id: string;
  readonly display_order: number;
  readonly block: Envelope;
}

/** A report in its wire form, with its blocks. */
type ShownPackage = ReturnType<typeof shownReport> & {
  readonly description: string | null;
  readonly created_by: string;
  readonly items: PackageItem[];
};

/** A report with its blocks, each with the fact set of the report; a constant number of statements (P-24, Y-4). */
export async function readPackage(
  tx: Transaction,
  { facts, envelopes }: PackageServices,
  reportId: string,
): Promise<ShownPackage | null> {
  const report = await findReport(tx, reportId);
  if (report === undefined) return null;
  const sets = await facts.sets(tx, { reportId, scenario: 'actuals' });
  const pins = new Map(
    sets.flatMap(({ id, structureId }): [string, string][] => (structureId === null ? [] : [[structureId, id]])),
  );
  const blocks = await envelopes.read(tx, [...pins.keys()], { pins });
  const items = [...blocks.values()].map(
    (block): PackageItem => ({
      fact_set_id: pins.get(block.id) ?? '',
      structure_id: block.id,
      display_order: displayOrder[block.block_type] ?? otherDisplayOrder,
      block,
    }),
  );
  const description = sets.some(({ structureId }) => structureId === null) ? otherFactsWarning : null;
  const order = (a: PackageItem, b: PackageItem): number =>
    a.display_order - b.display_order || compare(a.block.name, b.block.name) || compare(a.fact_set_id, b.fact_set_id);
  return { ...shownReport(report), description, created_by: report.created_by, items: items.toSorted(order) };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
