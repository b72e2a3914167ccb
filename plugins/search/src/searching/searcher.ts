import { setImmediate } from 'node:timers/promises';
import { type Log, notFound, ServiceError } from '@pacioli/core';
import {
  type Embedder,
  EmbeddingError,
  type FoundEntry,
  type RankedEntry,
  type SearchIndex,
  SearchIndexError,
  searchTerms,
} from '@pacioli/core/ports';
import { type DocumentIndexer, hasNoEmbedder, type NotedIndex, type TextIndexer } from '../indexing/index.ts';
import { excerptOf } from './excerpts.ts';
import { fuse } from './fusion.ts';
import { type GroupedEntry, groupFilings, type ScoredEntry, ungrouped } from './grouping.ts';
import type { SearchOrder } from './search-request.ts';

/** A passage that a search has found. */
export interface Hit {
  readonly entry: FoundEntry;
  readonly score: number;
  readonly excerpt: string;
  readonly alsoInFilings: number | null;
}

export interface SearchResult {
  readonly total: number;
  readonly hits: readonly Hit[];
}

export interface SearcherServices {
  readonly index: SearchIndex;
  readonly embedder: Embedder;
  readonly indexer: DocumentIndexer;
  readonly texts: TextIndexer;
  readonly log: Log;
}

/** The hits of each list of a hybrid search, and those that are grouped (SR-12, SR-15). */
const rankedHits = 100;
const maxSearchMs = 20_000;
/** A search is repeated when entries are replaced between their ranking and their reading. */
const maxAttempts = 3;
/** Excerpts between two turns of the event loop. */
const excerptsPerTurn = 8;

/** Searches the passages of one graph (section 2). */
export class Searcher {
  readonly #use: SearcherServices;

  constructor(use: SearcherServices) {
    this.#use = use;
  }

  async search(graphId: string, order: SearchOrder, signal: AbortSignal): Promise<SearchResult> {
    return this.#available(graphId, signal, async (limited) => {
      const { total, page } = await this.#ranked(graphId, order, limited);
      return { total, hits: await withExcerpts(page, order) };
    });
  }

  /** A passage by its id, or the first one of a document by its base id. Throws 404. */
  async section(graphId: string, id: string, signal: AbortSignal): Promise<FoundEntry> {
    return this.#available(graphId, signal, async (limited) => {
      const { index } = this.#use;
      const options = { signal: limited };
      const entries = await index.entries(graphId, [id, `${id}_0`], options);
      const entry = entries.find((each) => each.id === id) ?? entries[0];
      if (entry === undefined) throw notFound('Document not found');
      return entry;
    });
  }

  async #ranked(
    graphId: string,
    order: SearchOrder,
    signal: AbortSignal,
  ): Promise<{ readonly total: number; readonly page: readonly GroupedEntry[] }> {
    const { index } = this.#use;
    const { query: text, filter, size, offset } = order;
    const vector = order.isSemantic ? await this.#queryVector(text, signal) : undefined;
    const isWhole = order.isSemantic || order.isGrouped;
    const range = isWhole ? { limit: rankedHits, offset: 0 } : { limit: size, offset };
    const query = { text, filter, ...range, ...(vector === undefined ? {} : { vector }) };
    for (let attempt = 1; ; attempt += 1) {
      const matches = await index.search(graphId, query, { signal });
      const ranked = order.isSemantic ? fuse(matches.byText, matches.byVector) : matches.byText;
      const total = order.isSemantic ? ranked.length : matches.textTotal;
      const pageOf = <T>(all: readonly T[]): readonly T[] => (isWhole ? all.slice(offset, offset + size) : all);
      // Only what is shown is read; the groups depend on all.
      const shown = order.isGrouped ? ranked.slice(0, rankedHits) : pageOf(ranked);
      const found = await this.#read(graphId, shown, signal);
      // A document was replaced by one with fewer entries, or deleted, since they were ranked.
      if (found.length < shown.length && attempt < maxAttempts) continue;
      return { total, page: order.isGrouped ? pageOf(groupFilings(found)) : ungrouped(found) };
    }
  }

  /** The entries of a ranking; those that are gone are left out. */
  async #read(graphId: string, ranked: readonly RankedEntry[], signal: AbortSignal): Promise<readonly ScoredEntry[]> {
    const ids = ranked.map(({ id }) => id);
    const entries = new Map(
      (await this.#use.index.entries(graphId, ids, { signal })).map((entry) => [entry.id, entry]),
    );
    return ranked.flatMap(({ id, score }) => {
      const entry = entries.get(id);
      return entry === undefined ? [] : [{ entry, score }];
    });
  }

  async #queryVector(text: string, signal: AbortSignal) {
    const { embedder } = this.#use;
    if (hasNoEmbedder(embedder)) return undefined;
    const [values] = await embedder.embed([text], 'query', { signal });
    return values === undefined ? undefined : { values, model: embedder.id };
  }

  /** Answers 503 when the index, or the embedder of a query, does not answer (SR-5). */
  async #available<T>(graphId: string, signal: AbortSignal, work: (limited: AbortSignal) => Promise<T>): Promise<T> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(maxSearchMs)]);
    try {
      return await this.#repaired(graphId, limited, () => work(limited));
    } catch (error) {
      const isLate = limited.aborted && !signal.aborted;
      if (!isLate && !(error instanceof SearchIndexError) && !(error instanceof EmbeddingError)) throw error;
      this.#use.log.warn('a search found no index', { error });
      throw searchOff(error);
    }
  }

  /** Repeats the work if entries are damaged, or were written anew meanwhile, by this search or another one (D-17). */
  async #repaired<T>(graphId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { indexer } = this.#use;
    for (let attempt = 1; ; attempt += 1) {
      // Read before the work, so that of several searches only the first discards the entries.
      const noted = await indexer.notedIn(graphId);
      const isRebuilt = async () => (await indexer.notedIn(graphId))?.rebuilds !== noted?.rebuilds;
      try {
        await this.#prepare(graphId, noted, signal);
        const result = await work();
        if (attempt === maxAttempts || !(await isRebuilt())) return result;
      } catch (error) {
        if (attempt === maxAttempts) throw error;
        const isDamaged = error instanceof SearchIndexError && error.isDamaged;
        if (isDamaged && noted !== undefined) await indexer.discardDamaged(graphId, noted);
        else if (!(await isRebuilt())) throw error;
      }
    }
  }

  /** Makes sure that the index has nothing that the store has no longer. */
  async #prepare(graphId: string, noted: NotedIndex | undefined, signal: AbortSignal): Promise<void> {
    await this.#use.indexer.removeDeleted(graphId, noted, signal);
    await this.#use.texts.prepareSearch(graphId, signal);
  }
}

/** The refusal while nothing can be searched (SR-5). */
export function searchOff(cause?: unknown): ServiceError {
  return new ServiceError('unavailable', 'SEARCH_OFF', 'Document search is not available', { cause });
}

async function withExcerpts(page: readonly GroupedEntry[], order: SearchOrder): Promise<readonly Hit[]> {
  const terms = new Set(searchTerms(order.query));
  const hits: Hit[] = [];
  for (const [at, { entry, score, alsoInFilings }] of page.entries()) {
    if (at % excerptsPerTurn === excerptsPerTurn - 1) await setImmediate();
    hits.push({ entry, score, alsoInFilings, excerpt: excerptOf(entry.content, terms, order.snippetCharacters) });
  }
  return hits;
}
