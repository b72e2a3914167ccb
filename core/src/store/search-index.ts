/** One searchable passage: a section of a document, or a part of a long one (ai-surface 2.1). */
export interface IndexEntry {
  /** Unique in its graph: the base id of its document, `_`, and its number. */
  readonly id: string;
  /** Id of the first part, for a part of a long section (ai-surface D-27). */
  readonly parentId: string | null;
  readonly part: number;
  readonly partCount: number;
  readonly nextId: string | null;
  readonly sourceType: string;
  readonly content: string;
  readonly documentTitle: string | null;
  readonly sectionLabel: string | null;
  readonly sectionId: string | null;
  readonly entityTicker: string | null;
  readonly entityName: string | null;
  readonly entityCik: string | null;
  readonly elementQname: string | null;
  readonly xbrlElements: readonly string[] | null;
  /** `YYYY-MM-DD`. */
  readonly filingDate: string | null;
  readonly fiscalYear: number | null;
  readonly fiscalPeriod: string | null;
  readonly formType: string | null;
  readonly accessionNumber: string | null;
  readonly contentUrl: string | null;
  readonly tags: readonly string[] | null;
  readonly folder: string | null;
  /** Absent vectors rank by text alone (ai-surface SR-13). */
  readonly embedding: Float32Array | null;
  /** The id of the embedder that made the vector. */
  readonly embeddingModel: string | null;
  /** Higher for each replacement of the entries of one document (ai-surface D-16). */
  readonly generation: number;
}

/** An entry as it is read; vectors stay in the index. */
export type FoundEntry = Omit<IndexEntry, 'embedding'>;

/** Conditions that an entry must meet; they do not change its score (ai-surface SR-2). */
export interface IndexFilter {
  /** Digits are a CIK; anything else is a ticker or words of the name of the entity, which must have all of them. */
  readonly entity?: string;
  readonly formType?: string;
  /** A section id as given, or in lower case. */
  readonly section?: string;
  /** The element of the entry, or one of its tagged elements. */
  readonly element?: string;
  readonly sourceType?: string;
  readonly fiscalYear?: number;
  /** `YYYY-MM-DD`, inclusive; with either date, entries without a filing date do not match. */
  readonly filedFrom?: string;
  readonly filedTo?: string;
}

export interface IndexQuery {
  /** Split by `queryTerms`: as entries are by `searchTerms`, but only the first 250 different terms count. */
  readonly text: string;
  readonly filter: IndexFilter;
  /** Only with a vector, nearest entries are found too; only those with a vector of the same model. */
  readonly vector?: { readonly values: Float32Array; readonly model: string };
  /** The number of ranked entries that are returned from each of the two lists, at most 10,000 with the offset. */
  readonly limit: number;
  readonly offset: number;
}

/** A match of a search: `entries` reads what it is. */
export interface RankedEntry {
  readonly id: string;
  /** BM25 of the best field (ai-surface SR-10), or the cosine. */
  readonly score: number;
}

export interface IndexMatches {
  /** By text: score, then filing date, both descending, then id (ai-surface SR-10, SR-16). */
  readonly byText: readonly RankedEntry[];
  /** Matching entries by text, exact up to 10,000; with a vector only those that `byText` has. */
  readonly textTotal: number;
  /** By cosine, nearest first, then filing date and id as `byText`; empty without a vector. */
  readonly byVector: readonly RankedEntry[];
}

export interface IndexStats {
  readonly entries: number;
  /** The number of entries by the embedder of their vectors. */
  readonly byModel: Readonly<Record<string, number>>;
}

/**
 * An index of passages, one space for each graph: the graph is the first argument of each method, and no method reaches
 * two (ai-surface SR-3). A graph without entries needs no set-up. Writes are visible to the next search, and a search
 * during a write sees the entries before or after it. Fails with a `SearchIndexError`.
 */
export interface SearchIndex {
  /** The name of the driver; `none` if the deployment has no index. */
  readonly driver: string;
  /**
   * Which index this is: another one after the index was lost, exchanged or began to store entries in another form, so
   * that documents can be indexed anew (ai-surface D-17).
   */
  identity(): Promise<string>;
  /** Reads the revision of the graph's entries. If there are none after an earlier revision, they were lost. */
  revision(graphId: string, options: IndexOptions): Promise<IndexRevision | undefined>;
  /**
   * Replaces all entries whose ids begin with the prefix by these, which have one generation that is above that of the
   * replaced ones; no entries delete them. A concurrent search never sees neither (ai-surface D-16). The caller
   * serializes the calls for one prefix. At most `maxReplacedEntries`.
   */
  replace(graphId: string, prefix: string, entries: readonly IndexEntry[], options: IndexOptions): Promise<void>;
  deleteGraph(graphId: string, options: IndexOptions): Promise<void>;
  search(graphId: string, query: IndexQuery, options: IndexOptions): Promise<IndexMatches>;
  /** The entries of these ids in any order, at most `maxReadEntries`; ids that the graph does not have are left out. */
  entries(graphId: string, ids: readonly string[], options: IndexOptions): Promise<readonly FoundEntry[]>;
  /** A page of the entries whose vector is absent or not of the model, in the order of ids. At most 256. */
  notEmbeddedBy(
    graphId: string,
    model: string,
    page: { readonly afterId: string | undefined; readonly limit: number },
    options: IndexOptions,
  ): Promise<readonly FoundEntry[]>;
  /** Stores vectors of entries that still have the same generation; others are skipped. At most 256. */
  setVectors(graphId: string, entries: readonly EntryVector[], options: IndexOptions): Promise<void>;
  stats(graphId: string, options: IndexOptions): Promise<IndexStats>;
  close(): Promise<void>;
}

/** A revision identifies the state of a graph's entries and shows that they were lost or exchanged (ai-surface D-17). */
export interface IndexRevision {
  /** The id of the graph's space, which is made with its first entry: a deletion of the graph ends it. */
  readonly space: string;
  /** Never decreases in a space; a lower number than before shows that an older copy was restored. */
  readonly number: number;
}

/** The vector of an entry, made by the embedder with that id. */
export interface EntryVector {
  readonly id: string;
  readonly generation: number;
  readonly embedding: Float32Array;
  readonly embeddingModel: string;
}

/** A document of 500,000 characters has at most one section of 20 words for each 40 characters. */
export const maxReplacedEntries = 20_000;

/** The most entries that one call reads. */
export const maxReadEntries = 256;

/** The number up to which matches are counted, and the furthest page (ai-surface SR-1, SR-14). */
export const maxCountedMatches = 10_000;

/** Hits by vector that are less near are dropped (ai-surface SR-13). */
export const leastCosine = 0.2;

/** The weight of each field; the best field scores an entry (ai-surface SR-10). */
export const fieldWeights = { content: 1, sectionLabel: 2, documentTitle: 2, entityName: 1.5 } as const;

export interface IndexOptions {
  readonly signal: AbortSignal;
}

/** The index cannot answer now; the documents are kept in the store (ai-surface D-15, SR-5). */
export class SearchIndexError extends Error {
  override readonly name = 'SearchIndexError';
  /** The entries of the graph cannot be read any more, such as after a partial restore; writing them anew helps. */
  readonly isDamaged: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isDamaged?: boolean } = {}) {
    super(message, options);
    this.isDamaged = options.isDamaged === true;
  }
}
