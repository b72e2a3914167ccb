import { factStore, type StoredFactSet } from '@pacioli/blocks';
import { invalidInput, kernel, notFound, type ServiceError, type Transaction, type Use } from '@pacioli/core';
import { boundsOf, monthsBetween, plusMonths } from '@pacioli/core/calendar';
import { library, libraryReads, type StructurePart, structureParts } from '@pacioli/taxonomy';
import { type ReportBundle, readMonths, withForecast } from '../serialization/bundle/index.ts';
import type { BundleRow } from './bundle-rows.ts';

/** The services that read the months of a forecast. */
export const reportForecastServices = {
  store: kernel.store,
  facts: factStore,
  structures: structureParts,
  library,
  libraryReads,
};

export type ForecastServices = Use<typeof reportForecastServices>;

/** A scenario of the graph of a report. */
export interface ForecastChoice {
  readonly graphId: string;
  readonly scenarioId: string;
}

interface OpenedBundle {
  readonly row: BundleRow;
  readonly bundle: ReportBundle;
}

/** The report with the months of a forecast after its last day, in one snapshot of the books (G-7b). */
export function bundleWithForecast(
  use: ForecastServices,
  { graphId, scenarioId }: ForecastChoice,
  opened: OpenedBundle,
): Promise<ReportBundle> {
  const read = (tx: Transaction) => readWithForecast(tx, use, scenarioId, opened);
  return use.store.transaction({ graphId }, read, { readOnly: true });
}

async function readWithForecast(
  tx: Transaction,
  use: ForecastServices,
  scenarioId: string,
  { row, bundle }: OpenedBundle,
): Promise<ReportBundle> {
  const structure = (await use.structures.find(tx, [scenarioId])).get(scenarioId);
  if (structure === undefined) throw unknownForecast(scenarioId);
  const { name, blockType } = structure;
  if (blockType !== 'forecast') {
    throw invalidInput(`'${scenarioId}' is a block of the type ${blockType}. Give the id of a forecast.`);
  }
  const stored = await use.facts.sets(tx, { scenario: { id: scenarioId }, factsetTypes: ['report'] });
  const after = monthsAfter(stored, { name, row });
  const planned = await use.structures.find(tx, [...new Set(after.flatMap(({ structureId }) => structureId ?? []))]);
  requireSameStatements([...planned.values()], { name, bundle });
  const months = [...new Set(after.map(({ periodEnd }) => periodEnd.slice(0, 7)))].sort();
  const books = await use.facts.sets(tx, {
    scenario: 'actuals',
    structureIds: [...planned.keys()],
    entityId: row.entity_id,
    factsetTypes: ['report'],
  });
  return withForecast(bundle, {
    name,
    months,
    missingMonths: missingMonths(row.period_end, months),
    closedMonths: months.filter((month) => books.some((set) => isCloseOf(set, month))),
    bundle: await readMonths(tx, use, { report: bundle, scenarioId, sets: after }),
  });
}

/** The months between the last day of a report and the last month of a forecast that the forecast does not have. */
function missingMonths(reportEnd: string, months: readonly string[]): readonly string[] {
  const from = reportEnd.slice(0, 7);
  const all = Array.from({ length: monthsBetween(from, months.at(-1) ?? from) }, (_each, index) => {
    return plusMonths(from, index + 1);
  });
  return all.filter((month) => !months.includes(month));
}

/** Closing a month stores its statements without a report (F-13). */
function isCloseOf({ reportId, periodStart, periodEnd }: StoredFactSet, month: string): boolean {
  const { start, end } = boundsOf(month);
  return reportId === null && periodStart === start && periodEnd === end;
}

/** The statements of the months after a report; an error says why there are none. */
function monthsAfter(
  stored: readonly StoredFactSet[],
  { name, row }: Pick<OpenedBundle, 'row'> & { readonly name: string },
): readonly StoredFactSet[] {
  const ofCompany = stored.filter(({ entityId }) => entityId === row.entity_id);
  const after = ofCompany.filter(({ periodStart }) => periodStart !== null && periodStart > row.period_end);
  if (after.length > 0) return after;
  if (stored.length === 0) {
    throw invalidInput(`The forecast '${name}' has no computed months. Compute it with compute-forecast.`);
  }
  if (ofCompany.length === 0) throw invalidInput(`The forecast '${name}' is about another company than the report.`);
  throw invalidInput(
    `The forecast '${name}' has no month after ${row.period_end}, the last day of the report. Extend its horizon and compute it again, or choose an earlier report.`,
  );
}

/** Reports and forecasts of different styles have different structures for a statement of one type. */
function requireSameStatements(
  planned: readonly Pick<StructurePart, 'id' | 'blockType'>[],
  { name, bundle }: Pick<OpenedBundle, 'bundle'> & { readonly name: string },
): void {
  const ids = new Set(bundle.structures.map(({ id }) => id));
  const types = new Set(bundle.structures.map(({ blockType }) => blockType));
  const isShown = planned.some(({ id }) => ids.has(id));
  const isOther = planned.some(({ id, blockType }) => types.has(blockType) && !ids.has(id));
  if (isShown && !isOther) return;
  throw invalidInput(
    `The forecast '${name}' and the report have different statements. Compute the forecast again, or regenerate the report, with the current reporting style.`,
  );
}

function unknownForecast(scenarioId: string): ServiceError {
  return notFound(
    `The graph has no forecast '${scenarioId}'. Find the ids with informationBlocks(blockType: "forecast").`,
  );
}
