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
  /** Entries of one document are replaced by those of a higher generation (ai-surface D-16). */
  readonly generation: number;
}

/** Conditions that an entry must meet; they do not change its score (ai-surface SR-2). */
export interface IndexFilter {
  readonly entity?: string;
  readonly formType?: string;
  readonly section?: string;
  readonly element?: string;
  readonly sourceType?: string;
  readonly fiscalYear?: number;
  readonly filedFrom?: string;
  readonly filedTo?: string;
}

export interface IndexQuery {
  readonly text: string;
  readonly filter: IndexFilter;
  /** Only with a vector, nearest entries are found too. */
  readonly vector?: { readonly values: Float32Array; readonly model: string };
  /** The number of ranked entries that are returned from each of the two lists. */
  readonly limit: number;
  readonly offset: number;
}

export interface RankedEntry {
  readonly entry: Omit<IndexEntry, 'embedding'>;
  readonly score: number;
}

export interface IndexMatches {
  /** By text, best first (ai-surface SR-10, SR-16). */
  readonly byText: readonly RankedEntry[];
  /** Matching entries by text, exact up to 10,000. */
  readonly textTotal: number;
  /** By cosine, nearest first; empty without a vector. */
  readonly byVector: readonly RankedEntry[];
}

export interface IndexStats {
  readonly entries: number;
  /** The number of entries by the embedder of their vectors. */
  readonly byModel: Readonly<Record<string, number>>;
}

/**
 * An index of passages, one space for each graph: the graph is the first argument of each method, and no method reaches
 * two (ai-surface SR-3). Writes are visible to the next search. Fails with a `SearchIndexError`.
 */
export interface SearchIndex {
  /** Writes entries, replacing those of the same id. */
  upsert(graphId: string, entries: readonly IndexEntry[], options: IndexOptions): Promise<void>;
  /** Deletes entries whose id starts with the prefix, of generations below the given one if it is given. */
  deleteByPrefix(
    graphId: string,
    prefix: string,
    options: IndexOptions & { readonly belowGeneration?: number },
  ): Promise<void>;
  deleteGraph(graphId: string, options: IndexOptions): Promise<void>;
  search(graphId: string, query: IndexQuery, options: IndexOptions): Promise<IndexMatches>;
  get(graphId: string, id: string, options: IndexOptions): Promise<Omit<IndexEntry, 'embedding'> | undefined>;
  /** Pages through the ids and contents of entries whose vector is not of the given model, in the order of ids. */
  notEmbeddedBy(
    graphId: string,
    model: string,
    page: { readonly afterId: string | undefined; readonly limit: number },
    options: IndexOptions,
  ): Promise<readonly IndexEntry[]>;
  stats(graphId: string, options: IndexOptions): Promise<IndexStats>;
  close(): Promise<void>;
}

export interface IndexOptions {
  readonly signal: AbortSignal;
}

/** The index cannot answer now; the documents are kept in the store (ai-surface D-15, SR-5). */
export class SearchIndexError extends Error {
  override readonly name = 'SearchIndexError';
}
