import type { IndexEntry, IndexFilter, IndexQuery } from '@pacioli/core/ports';

/** An entry of a document without any facts of a filing. */
export function entryWith(given: Partial<IndexEntry> & { readonly id: string }): IndexEntry {
  return {
    parentId: null,
    part: 1,
    partCount: 1,
    nextId: null,
    sourceType: 'uploaded_doc',
    content: 'Nothing of note.',
    documentTitle: null,
    sectionLabel: null,
    sectionId: null,
    entityTicker: null,
    entityName: null,
    entityCik: null,
    elementQname: null,
    xbrlElements: null,
    filingDate: null,
    fiscalYear: null,
    fiscalPeriod: null,
    formType: null,
    accessionNumber: null,
    contentUrl: null,
    tags: null,
    folder: null,
    embedding: null,
    embeddingModel: null,
    generation: 1,
    ...given,
  };
}

export function queryFor(text: string, given: Partial<IndexQuery> = {}): IndexQuery {
  return { text, filter: {}, limit: 50, offset: 0, ...given };
}

/** Entries of pseudorandom words, the same in each run, of which some are much more frequent than others. */
export function manyEntries(count: number): readonly IndexEntry[] {
  let state = 7;
  const next = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const words = (most: number): string =>
    Array.from({ length: 1 + Math.floor(next() * most) }, () => `w${Math.floor(400 ** next())}`).join(' ');
  return Array.from({ length: count }, (_entry, at) =>
    entryWith({
      id: `doc_g_d${at}_0`,
      content: words(80),
      documentTitle: at % 5 === 0 ? null : words(5),
      sectionLabel: at % 3 === 0 ? null : words(3),
      entityName: at % 7 === 0 ? words(2) : null,
    }),
  );
}

/** Replaces the entries of a graph whose ids begin with a prefix, by default all of them. */
export type Write = (graphId: string, entries: readonly IndexEntry[], prefix?: string) => Promise<void>;
/** The ids of the entries that a text finds, best first. */
export type Found = (graphId: string, text: string, filter?: IndexFilter) => Promise<readonly string[]>;
