import { createToken, type Transaction } from '@pacioli/core';
import type { ExtensionConcept } from './checks/index.ts';
import type {
  LibraryArcFilter,
  LibraryArcRow,
  LibraryElementFilter,
  LibraryStructureFilter,
  LibraryTreeArc,
  PeerArcRow,
  ShownElement,
  ShownStructure,
  ShownTaxonomy,
} from './models/library-rows.ts';
import type {
  AssociationRow,
  CoverageRow,
  ElementFilter,
  ElementRow,
  StructureFilter,
  StructureRow,
  TaxonomyRow,
  UnmappedRow,
} from './models/rows.ts';

/** The lists behind the queries; rows have the names of the wire. */
export interface TaxonomyReads {
  mappings(tx: Transaction): Promise<readonly StructureRow[]>;
  mapping(tx: Transaction, mappingId: string): Promise<StructureRow | undefined>;
  associations(tx: Transaction, structureId: string): Promise<readonly AssociationRow[]>;
  coverage(tx: Transaction, mappingId: string): Promise<readonly CoverageRow[]>;
  /** At most 5,000 accounts. */
  unmapped(tx: Transaction, mappingId: string | undefined): Promise<readonly UnmappedRow[]>;
  /** The taxonomies of the graph itself, without the library. */
  taxonomies(tx: Transaction): Promise<readonly TaxonomyRow[]>;
  /** How many elements each taxonomy of the graph itself has. */
  elementCounts(tx: Transaction): Promise<ReadonlyMap<string, number>>;
  /** The active structures of the graph itself, without the library. */
  structures(tx: Transaction, filter: StructureFilter): Promise<readonly StructureRow[]>;
  elements(
    tx: Transaction,
    filter: ElementFilter,
  ): Promise<{ readonly elements: readonly ElementRow[]; readonly total: number }>;
  /** The active concepts of the graph's extensions of its framework, by qname, at most 5,000 (taxonomy M-12). */
  extensionConcepts(tx: Transaction): Promise<readonly ExtensionConcept[]>;
  /** The totals that each item leads to in the calculations of the graph's extensions, by qname (taxonomy M-17). */
  extensionTotals(tx: Transaction): Promise<ReadonlyMap<string, readonly string[]>>;
}

/** Reads over the graph's own rows and the shared library at once (taxonomy LB-14, LB-15). */
export interface LibraryReads {
  /** The graph's own element first; a qname must be in the spelling that is stored. */
  element(tx: Transaction, by: { readonly id: string } | { readonly qname: string }): Promise<ShownElement | undefined>;
  /** By id; unknown ids are absent. */
  elements(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, ShownElement>>;
  /** The active elements of the graph and the library by qname, one page at a time (taxonomy LB-14). */
  list(
    tx: Transaction,
    filter: LibraryElementFilter,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly ShownElement[]>;
  /** Own active elements in whose qname or name any of the lower-case words occurs, at most 5,000. */
  ownLike(tx: Transaction, words: readonly string[], source: string | undefined): Promise<readonly ShownElement[]>;
  /** Without a version the newest active one. */
  taxonomy(
    tx: Transaction,
    by: { readonly id: string } | { readonly standard: string; readonly version: string | null },
  ): Promise<ShownTaxonomy | undefined>;
  elementCount(tx: Transaction, taxonomyId: string): Promise<number>;
  taxonomyArcs(
    tx: Transaction,
    filter: LibraryArcFilter,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly LibraryArcRow[]>;
  taxonomyArcCount(tx: Transaction, filter: LibraryArcFilter): Promise<number>;
  /** At most 5,000 arcs. */
  peerArcs(tx: Transaction, elementId: string): Promise<readonly PeerArcRow[]>;
  /** At most 5,000 ids. */
  equivalentIds(tx: Transaction, elementId: string): Promise<readonly string[]>;
  /** At most 20,000 arcs, in order below each parent. */
  treeArcs(
    tx: Transaction,
    parentIds: readonly string[],
    structureId: string | undefined,
  ): Promise<readonly LibraryTreeArc[]>;
  /** At most 1,000 structures. */
  structures(tx: Transaction, filter: LibraryStructureFilter): Promise<readonly ShownStructure[]>;
  structure(tx: Transaction, id: string): Promise<ShownStructure | undefined>;
}

export const libraryReads = createToken<LibraryReads>('taxonomy.library-reads');
export const taxonomyReads = createToken<TaxonomyReads>('taxonomy.reads');
