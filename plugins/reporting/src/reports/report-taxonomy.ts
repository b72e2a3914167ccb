import { invalidInput, type Transaction } from '@pacioli/core';
import type { LibraryCatalog, LibraryReads, TaxonomyReads } from '@pacioli/taxonomy';

interface TaxonomyServices {
  readonly library: LibraryCatalog;
  readonly libraryReads: LibraryReads;
}

interface StructureServices {
  readonly library: LibraryCatalog;
  readonly taxonomyReads: TaxonomyReads;
}

/** A structure that a report can refer to. */
export interface StructureSummary {
  readonly id: string;
  readonly name: string;
  readonly block_type: string;
}

const reportingTypes: readonly string[] = ['reporting_standard', 'reporting_extension'];

/** Structures that present no facts (P-19). */
const chartTypes: readonly string[] = ['chart_of_accounts', 'coa_mapping'];

/** The id of a taxonomy given by id, or by the name of a standard, whose newest version is meant (P-7). */
export async function resolveTaxonomy(
  tx: Transaction,
  { library, libraryReads }: TaxonomyServices,
  idOrStandard: string,
): Promise<string> {
  const standards = library.rows.taxonomies
    .filter(({ taxonomyType, standard }) => taxonomyType === 'reporting_standard' && standard === idOrStandard)
    .toSorted((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }));
  const shipped = library.taxonomyById(idOrStandard) ?? standards[0];
  const found = shipped ?? (await libraryReads.taxonomy(tx, { id: idOrStandard }));
  const type = found === undefined ? undefined : 'taxonomyType' in found ? found.taxonomyType : found.taxonomy_type;
  if (found === undefined || type === undefined || !reportingTypes.includes(type)) {
    throw invalidInput(`Taxonomy '${idOrStandard}' not found.`);
  }
  return found.id;
}

/**
 * The structures of taxonomies by taxonomy id; sends one statement, whatever the number of taxonomies, and none for
 * those of the library (P-19).
 */
export async function structuresOf(
  tx: Transaction,
  { library, taxonomyReads }: StructureServices,
  taxonomyIds: readonly string[],
): Promise<ReadonlyMap<string, readonly StructureSummary[]>> {
  const shipped = library.rows.structures.map(({ id, name, blockType, taxonomyId }) => ({
    id,
    name,
    block_type: blockType,
    taxonomy_id: taxonomyId,
  }));
  const isOwn = taxonomyIds.some((id) => library.taxonomyById(id) === undefined);
  const own = isOwn ? await taxonomyReads.structures(tx, {}) : [];
  return new Map(
    taxonomyIds.map((taxonomyId) => [
      taxonomyId,
      [...own, ...shipped]
        .filter((each) => each.taxonomy_id === taxonomyId && !chartTypes.includes(each.block_type))
        .map(({ id, name, block_type }) => ({ id, name, block_type }))
        .toSorted((a, b) => compare(a.block_type, b.block_type) || compare(a.name, b.name) || compare(a.id, b.id)),
    ]),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
