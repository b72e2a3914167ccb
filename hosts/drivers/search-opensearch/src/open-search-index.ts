import {
  type EntryVector,
  type FoundEntry,
  type IndexEntry,
  type IndexMatches,
  type IndexOptions,
  type IndexQuery,
  type IndexRevision,
  type IndexStats,
  leastCosine,
  maxCountedMatches,
  maxReadEntries,
  maxReplacedEntries,
  type RankedEntry,
  type SearchIndex,
  Turns,
} from '@pacioli/core/ports';
import { Cluster } from './cluster.ts';
import { documentOf, jsonOf, type StoredDocument } from './entry-document.ts';
import type { OpenSearchOptions } from './options.ts';
import { type ScoredQuery, textQuery, vectorQuery } from './queries.ts';

export type { OpenSearchOptions } from './options.ts';

const idsPerPage = 5_000;
/** The length from which the lines of a write are sent as one request; a server accepts 100 MB. */
const bulkCharacters = 2_000_000;

/**
 * The search index on an OpenSearch cluster, for services on several machines. Writes of one process to one graph wait
 * for each other, so that a refresh shows each whole.
 */
export function openSearchIndex(options: OpenSearchOptions): SearchIndex {
  return new OpenSearchIndex(new Cluster(options));
}

class OpenSearchIndex implements SearchIndex {
  readonly driver = 'opensearch';
  readonly #cluster: Cluster;
  readonly #writing = new Map<string, Promise<void>>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** A cluster that lost its data is restored from its snapshots. */
  async identity(): Promise<string> {
    return this.#cluster.identity;
  }

  async replace(graphId: string, prefix: string, entries: readonly IndexEntry[], { signal }: IndexOptions) {
    if (entries.length > maxReplacedEntries)
      throw new RangeError(`At most ${maxReplacedEntries} entries are replaced.`);
    await this.#inTurn(graphId, async () => {
      // Shows the entries of a write that broke off before its refresh, so that they are among those to delete.
      await this.#cluster.refresh(graphId, signal);
      const kept = new Set(entries.map(({ id }) => id));
      const gone = (await this.#idsWith(graphId, prefix, signal)).filter((id) => !kept.has(id));
      if (entries.length + gone.length === 0) return;
      // From here on, the write is completed also if its caller leaves: a server applies a request that was abandoned
      // whenever it gets to it, even after a later write.
      const completing = new AbortController().signal;
      // New entries are written before old ones are deleted, so that a document is never absent.
      await this.#write(graphId, writesOf(entries), completing);
      await this.#write(
        graphId,
        gone.map((id) => `${jsonOf({ delete: { _id: id } })}\n`),
        completing,
      );
      await this.#cluster.refresh(graphId, completing);
    });
  }

  /** The id of the graph's index, with one number: an older snapshot that was restored over it is not noticed. */
  async revision(graphId: string, { signal }: IndexOptions): Promise<IndexRevision | undefined> {
    const space = await this.#cluster.indexUuid(graphId, signal);
    return space === undefined ? undefined : { space, number: 1 };
  }

  async deleteGraph(graphId: string, { signal }: IndexOptions): Promise<void> {
    await this.#inTurn(graphId, () => this.#cluster.remove(graphId, signal));
  }

  async search(graphId: string, query: IndexQuery, { signal }: IndexOptions): Promise<IndexMatches> {
    const { limit, offset } = query;
    const nearest = query.vector === undefined ? undefined : vectorQuery(query);
    const [byText, byVector] = await Promise.all([
      this.#ranked(graphId, textQuery(query), { limit, offset }, signal),
      this.#ranked(graphId, nearest, { limit, offset: 0 }, signal),
    ]);
    return {
      byText: byText.entries,
      textTotal: query.vector === undefined ? byText.total : byText.entries.length,
      byVector: byVector.entries.filter(({ score }) => score >= leastCosine),
    };
  }

  async entries(graphId: string, ids: readonly string[], { signal }: IndexOptions): Promise<readonly FoundEntry[]> {
    if (ids.length > maxReadEntries) throw new RangeError(`At most ${maxReadEntries} entries are read.`);
    if (ids.length === 0) return [];
    const found = await this.#cluster.documents<StoredDocument>(graphId, [...new Set(ids)], signal);
    return found.flatMap(({ _source }) => _source?.entry ?? []);
  }

  async notEmbeddedBy(
    graphId: string,
    model: string,
    { afterId, limit }: { readonly afterId: string | undefined; readonly limit: number },
    { signal }: IndexOptions,
  ): Promise<readonly FoundEntry[]> {
    const answer = await this.#cluster.search<StoredDocument>(
      graphId,
      {
        query: { bool: { must_not: [{ term: { model } }] } },
        size: Math.min(limit, maxReadEntries),
        sort: [{ id: 'asc' }],
        track_total_hits: false,
        ...(afterId === undefined ? {} : { search_after: [afterId] }),
      },
      signal,
    );
    return (answer?.hits.hits ?? []).flatMap(({ _source }) => _source?.entry ?? []);
  }

  async setVectors(graphId: string, given: readonly EntryVector[], { signal }: IndexOptions): Promise<void> {
    if (given.length === 0) return;
    await this.#inTurn(graphId, async () => {
      const ids = given.map(({ id }) => id);
      const found = await this.#cluster.documents<StoredDocument>(graphId, ids, signal);
      const vectors = new Map(given.map((vector) => [vector.id, vector]));
      const lines = found.flatMap(({ _id, _seq_no, _primary_term, _source }) => {
        const vector = vectors.get(_id);
        if (vector === undefined || _source === undefined || _source.entry.generation !== vector.generation) return [];
        const { embedding, embeddingModel } = vector;
        // Refused with a conflict, which is ignored, if another process has replaced the entry meanwhile.
        const action = { index: { _id, if_seq_no: _seq_no, if_primary_term: _primary_term } };
        return [`${jsonOf(action)}\n${jsonOf(documentOf({ ..._source.entry, embedding, embeddingModel }))}\n`];
      });
      if (lines.length === 0) return;
      await this.#write(graphId, lines, signal);
      await this.#cluster.refresh(graphId, signal);
    });
  }

  async stats(graphId: string, { signal }: IndexOptions): Promise<IndexStats> {
    const answer = await this.#cluster.search(
      graphId,
      { size: 0, track_total_hits: true, aggs: { models: { terms: { field: 'model', size: 1_000 } } } },
      signal,
    );
    const buckets = answer?.aggregations?.models.buckets ?? [];
    return {
      entries: answer?.hits.total?.value ?? 0,
      byModel: Object.fromEntries(buckets.map(({ key, doc_count: count }) => [key, count])),
    };
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#writing.values());
    await this.#cluster.close();
  }

  async #ranked(
    graphId: string,
    scored: ScoredQuery | undefined,
    { limit, offset }: { readonly limit: number; readonly offset: number },
    signal: AbortSignal,
  ): Promise<{ readonly entries: readonly RankedEntry[]; readonly total: number }> {
    if (scored === undefined) return { entries: [], total: 0 };
    const answer = await this.#cluster.search(
      graphId,
      {
        query: scored.query,
        from: offset,
        size: limit,
        track_total_hits: maxCountedMatches,
        track_scores: true,
        _source: false,
        ...(scored.minScore === undefined ? {} : { min_score: scored.minScore }),
        sort: [{ _score: 'desc' }, { filingDate: { order: 'desc', missing: '_last' } }, { id: 'asc' }],
      },
      signal,
    );
    const entries = (answer?.hits.hits ?? []).flatMap(({ _id, _score }) =>
      _score === null ? [] : [{ id: _id, score: scored.scoreOf(_score) }],
    );
    return { entries, total: Math.min(answer?.hits.total?.value ?? 0, maxCountedMatches) };
  }

  /** The ids that begin with a prefix. */
  async #idsWith(graphId: string, prefix: string, signal: AbortSignal): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let after: readonly unknown[] | undefined = []; after !== undefined; ) {
      const answer = await this.#cluster.search(
        graphId,
        {
          query: prefix === '' ? { match_all: {} } : { prefix: { id: { value: prefix } } },
          size: idsPerPage,
          sort: [{ id: 'asc' }],
          _source: false,
          track_total_hits: false,
          ...(after.length === 0 ? {} : { search_after: after }),
        },
        signal,
      );
      const hits: readonly { readonly _id: string; readonly sort?: readonly unknown[] }[] = answer?.hits.hits ?? [];
      ids.push(...hits.map(({ _id }) => _id));
      after = hits.length < idsPerPage ? undefined : hits.at(-1)?.sort;
    }
    return ids;
  }

  async #write(graphId: string, lines: Iterable<string>, signal: AbortSignal): Promise<void> {
    let body = '';
    const turns = new Turns();
    for (const line of lines) {
      body += line;
      if (turns.isOver) await turns.next();
      if (body.length < bulkCharacters) continue;
      await this.#cluster.write(graphId, body, signal);
      body = '';
    }
    if (body !== '') await this.#cluster.write(graphId, body, signal);
  }

  /** Runs a write after the earlier ones of this process to the graph. */
  async #inTurn(graphId: string, work: () => Promise<void>): Promise<void> {
    const earlier = this.#writing.get(graphId) ?? Promise.resolve();
    const running = earlier.catch(() => undefined).then(work);
    this.#writing.set(graphId, running);
    try {
      await running;
    } finally {
      if (this.#writing.get(graphId) === running) this.#writing.delete(graphId);
    }
  }
}

/** The lines of a write, made one entry at a time, so that a large document is never in memory twice. */
function* writesOf(entries: readonly IndexEntry[]): Generator<string> {
  for (const entry of entries) yield `${jsonOf({ index: { _id: entry.id } })}\n${jsonOf(documentOf(entry))}\n`;
}
