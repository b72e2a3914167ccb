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

/**
 * Reads of the graph's own taxonomies, structures and mappings, without those of the shared library; only `elements`
 * includes the library. Rows have the field names of the GraphQL types.
 */
export interface TaxonomyReads {
  mappings(tx: Transaction): Promise<readonly StructureRow[]>;
  mapping(tx: Transaction, mappingId: string): Promise<StructureRow | undefined>;
  associations(tx: Transaction, structureId: string): Promise<readonly AssociationRow[]>;
  /** Every active account that can have entries, with its concept in the mapping, if any (taxonomy M-16). */
  coverage(tx: Transaction, mappingId: string): Promise<readonly CoverageRow[]>;
  /** The accounts without a concept in the mapping, or in any mapping if none is given; at most 5,000. */
  unmapped(tx: Transaction, mappingId: string | undefined): Promise<readonly UnmappedRow[]>;
  taxonomies(tx: Transaction): Promise<readonly TaxonomyRow[]>;
  /** The number of elements by taxonomy id. */
  elementCounts(tx: Transaction): Promise<ReadonlyMap<string, number>>;
  /** The active structures. */
  structures(tx: Transaction, filter: StructureFilter): Promise<readonly StructureRow[]>;
  /** One page of the active elements of the graph and of the library taxonomies that it sees (taxonomy LB-18). */
  elements(
    tx: Transaction,
    filter: ElementFilter,
  ): Promise<{ readonly elements: readonly ElementRow[]; readonly total: number }>;
  /** The active concepts of the graph's extensions of its framework, by qname, at most 5,000 (taxonomy M-12). */
  extensionConcepts(tx: Transaction): Promise<readonly ExtensionConcept[]>;
  /**
   * The calculation arcs of the graph's extensions: the qname of each item to the qnames of its totals. A concept is
   * reachable if these lead to a total of a statement (taxonomy M-17).
   */
  extensionTotals(tx: Transaction): Promise<ReadonlyMap<string, readonly string[]>>;
}

/** Reads over the graph's own rows and the shared library at once (taxonomy LB-14, LB-15). */
export interface LibraryReads {
  /** Prefers the graph's own element to the library's; the qname is compared case-sensitively. */
  element(tx: Transaction, by: { readonly id: string } | { readonly qname: string }): Promise<ShownElement | undefined>;
  /** Elements by id; unknown ids are missing from the map. */
  elements(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, ShownElement>>;
  /** The active elements of the graph and the library by qname, one page at a time (taxonomy LB-14). */
  list(
    tx: Transaction,
    filter: LibraryElementFilter,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly ShownElement[]>;
  /** The graph's own active elements whose qname or name contains any of the lower-case words, at most 5,000. */
  ownLike(tx: Transaction, words: readonly string[], source: string | undefined): Promise<readonly ShownElement[]>;
  /** A standard without a version means its newest active version. */
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
  /** The arcs of an element in mappings and between frameworks, in both directions; at most 5,000. */
  peerArcs(tx: Transaction, elementId: string): Promise<readonly PeerArcRow[]>;
  /** The elements that equivalence arcs connect to an element, in either direction; at most 5,000. */
  equivalentIds(tx: Transaction, elementId: string): Promise<readonly string[]>;
  /** The presentation arcs from the parents to their children, ordered within each parent; at most 20,000. */
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
