import { groupBy } from '../values/index.ts';
import type { Frameworks } from '../vocabulary/index.ts';
import { gaapPrefix } from './framework.ts';
import {
  type LibraryAssociationRow,
  type LibraryElementRow,
  type LibraryRows,
  type LibraryStructureRow,
  libraryRows,
} from './library.ts';
import type { LibraryTaxonomyRow } from './library-taxonomies.ts';
import { createSearch } from './search.ts';
import { createStatements, type Statements } from './statements.ts';

/** The shipped library in memory: constants, indexed once. Elements are in the order of their qnames. */
export interface LibraryCatalog {
  readonly frameworks: Frameworks;
  readonly rows: LibraryRows;
  readonly statements: Statements;
  readonly elements: readonly LibraryElementRow[];
  taxonomyById(id: string): LibraryTaxonomyRow | undefined;
  elementById(id: string): LibraryElementRow | undefined;
  /** Also finds `us-gaap:X` and `us-gaap-2024:X` where X is an unchanged public name (taxonomy LB-20). */
  elementByQname(qname: string): LibraryElementRow | undefined;
  structureById(id: string): LibraryStructureRow | undefined;
  structureByKey(key: string): LibraryStructureRow | undefined;
  associationsOf(structureId: string): readonly LibraryAssociationRow[];
  /** Elements whose names match the words, best first (taxonomy LB-16). */
  search(query: string, limit: number, source?: string): readonly LibraryElementRow[];
}

/**
 * Builds the catalog of what `read` returns on first use: it takes a quarter of a second, and services that hold it
 * are created long before any of them needs it.
 */
export function lazyLibraryCatalog(read: () => Frameworks): LibraryCatalog {
  let made: LibraryCatalog | undefined;
  const catalog = (): LibraryCatalog => {
    made ??= createLibraryCatalog(read());
    return made;
  };
  return {
    get frameworks() {
      return catalog().frameworks;
    },
    get rows() {
      return catalog().rows;
    },
    get statements() {
      return catalog().statements;
    },
    get elements() {
      return catalog().elements;
    },
    taxonomyById: (id) => catalog().taxonomyById(id),
    elementById: (id) => catalog().elementById(id),
    elementByQname: (qname) => catalog().elementByQname(qname),
    structureById: (id) => catalog().structureById(id),
    structureByKey: (key) => catalog().structureByKey(key),
    associationsOf: (structureId) => catalog().associationsOf(structureId),
    search: (query, limit, source) => catalog().search(query, limit, source),
  };
}

const publicPrefix = /^us-gaap(-\d{4})?:/;

/** Indexes the frameworks; pure, and called once by the service that holds the result. */
export function createLibraryCatalog(frameworks: Frameworks): LibraryCatalog {
  const rows = libraryRows(frameworks);
  const elements = [...rows.elements].sort((a, b) => (a.qname < b.qname ? -1 : 1));
  const taxonomies = new Map(rows.taxonomies.map((row) => [row.id, row]));
  const byId = new Map(elements.map((row) => [row.id, row]));
  const byQname = new Map(elements.map((row) => [row.qname, row]));
  const structures = new Map(rows.structures.map((row) => [row.id, row]));
  const structuresByKey = new Map(rows.structures.map((row) => [row.key, row]));
  const associations = groupBy(rows.associations, (row) => row.structureId);
  return {
    frameworks,
    rows,
    elements,
    statements: createStatements(frameworks.gaap, byQname, structuresByKey),
    taxonomyById: (id) => taxonomies.get(id),
    elementById: (id) => byId.get(id),
    elementByQname: (qname) => {
      const canonical = byQname.get(qname);
      if (canonical !== undefined || !publicPrefix.test(qname)) return canonical;
      const aliased = byQname.get(qname.replace(publicPrefix, `${gaapPrefix}:`));
      return aliased?.hasPublicName === true ? aliased : undefined;
    },
    structureById: (id) => structures.get(id),
    structureByKey: (key) => structuresByKey.get(key),
    associationsOf: (structureId) => associations.get(structureId) ?? [],
    search: createSearch(elements),
  };
}
