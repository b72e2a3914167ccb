import { createCollection, createToken } from '@pacioli/core';
import type {
  BlockDependant,
  ChartListener,
  ElementGuard,
  LinkedTaxonomies,
  StructuralChecks,
  StructureParts,
  StructureWrites,
  TaxonomyReads,
  TaxonomyRules,
} from './blocks/index.ts';
import type { ChartOfAccounts, EntityLinks, Mappings } from './charts/index.ts';
import type { LibraryCatalog, LibraryReads, Statements } from './library/index.ts';
import type { LibraryViews } from './library-upgrades/index.ts';
import type { AutoMapper, MappingModel } from './mapping/index.ts';

/** The shipped library and the structures derived from it: constants in memory, without statements. */
export const library = createToken<LibraryCatalog>('taxonomy.library');
export const statementStructures = createToken<Statements>('taxonomy.statement-structures');
export const libraryReads = createToken<LibraryReads>('taxonomy.library-reads');
export const libraryViews = createToken<LibraryViews>('taxonomy.library-views');

export const chartOfAccounts = createToken<ChartOfAccounts>('taxonomy.chart-of-accounts');
/** Maps the accounts of a mapping that have no concept, for runs of other plugins. */
export const autoMapper = createToken<AutoMapper>('taxonomy.auto-mapper');
export const mappings = createToken<Mappings>('taxonomy.mappings');
/** Reporting extensions that cross between graphs with shared reports. */
export const linkedTaxonomies = createToken<LinkedTaxonomies>('taxonomy.linked-taxonomies');
export const taxonomyReads = createToken<TaxonomyReads>('taxonomy.reads');
export const taxonomyRules = createToken<TaxonomyRules>('taxonomy.rules');
export const structuralChecks = createToken<StructuralChecks>('taxonomy.structural-checks');
export const structureParts = createToken<StructureParts>('taxonomy.structure-parts');
export const structureWrites = createToken<StructureWrites>('taxonomy.structure-writes');

export const blockDependants = createCollection<BlockDependant>('taxonomy.block-dependants');
export const chartListeners = createCollection<ChartListener>('taxonomy.chart-listeners');
export const elementGuards = createCollection<ElementGuard>('taxonomy.element-guards');
export const entityLinks = createCollection<EntityLinks>('taxonomy.entity-links');
/** The entry with the smallest key is used; the collection may be empty. */
export const mappingModels = createCollection<MappingModel>('taxonomy.mapping-models');
