import {
  type EventPublisher,
  type PassageLimit,
  type SearchableTexts,
  StoreError,
  type Transaction,
} from '@pacioli/core';
import { SearchIndexError } from '@pacioli/core/ports';
import { entriesOfText, entryPrefix, lockDocument, nextGeneration, type UnwrittenEntry } from '../documents/index.ts';
import textsChanged from '../events/texts-changed.ts';
import type { IndexerServices } from './document-indexer.ts';
import { attempt, limited } from './index-failures.ts';
import { indexIdOf, lockEntries, noteRevision } from './noted-index.ts';
import { findPending, noteEntries, wholeGraph } from './pending-rows.ts';
import {
  addExistingTexts,
  dueTexts,
  findPendingText,
  forgetListed,
  forgetText,
  listedPrefixes,
  noteListed,
  type PendingText,
  postponeText,
  textsBeforeSearch,
} from './pending-texts.ts';
import { vectorsOf } from './vectors.ts';

/** The most that is found of one text, such as a report; the rest is logged (ai-surface SR-22). */
const passageLimit: PassageLimit = { passages: 1_000, characters: 8_000_000 };
const rowsPerRead = 50;
const idsPerPage = 1_000;

interface TextServices extends IndexerServices {
  /** The plugins whose texts are found. */
  readonly sources: readonly SearchableTexts[];
  readonly events: EventPublisher;
}

/**
 * Keeps the entries of the texts of other plugins like their store. A change only leaves a row, in its own transaction;
 * the entries are written from what the store has then, by a job at once after the commit, or before the next search of
 * the graph. A row stays until they are, whatever a crash or the index breaks off (ai-surface SR-22).
 */
export class TextIndexer {
  readonly #use: TextServices;
  readonly #sources: ReadonlyMap<string, SearchableTexts>;

  constructor(use: TextServices) {
    this.#use = use;
    this.#sources = new Map(use.sources.map((source) => [source.key, source]));
  }

  /**
   * Makes the index ready for a search of the graph: it has nothing of texts that were changed or removed, or whose plugin
   * is no longer there. Throws a SearchIndexError if that fails.
   */
  async prepareSearch(graphId: string, signal: AbortSignal): Promise<void> {
    const { store } = this.#use;
    let afterId = '';
    for (;;) {
      const page = { afterId, limit: rowsPerRead };
      const { listed, rows } = await store.transaction(
        { graphId },
        async (tx) => ({ listed: await listedPrefixes(tx), rows: await textsBeforeSearch(tx, page) }),
        { readOnly: true },
      );
      await this.#followSources(graphId, listed, signal);
      for (const row of rows) {
        await this.#resolveBeforeSearch(row, signal);
        afterId = row.text_id;
      }
      if (rows.length < rowsPerRead) return;
    }
  }

  /** Writes the entries of the texts that are due, each once; starts none after `stop`. */
  async resolveDue(
    of: { readonly graphId?: string; readonly now: Date },
    signal: AbortSignal,
    stop: AbortSignal = signal,
  ): Promise<void> {
    let after: PendingText | undefined;
    for (;;) {
      const page = { after, limit: rowsPerRead };
      const due = { graphId: of.graphId, now: of.now };
      const rows = await this.#use.store.transaction('kernel', (tx) => dueTexts(tx, due, page), { readOnly: true });
      for (const row of rows) {
        if (stop.aborted) return;
        // A text that another process writes stays pending.
        await this.#resolve(row, signal, { isBeforeSearch: false }).catch(refuseUnlessLocked);
      }
      after = rows.at(-1);
      if (rows.length < rowsPerRead) return;
    }
  }

  /** Lists the existing texts of a plugin that is new, and removes those of one that is gone. */
  async #followSources(graphId: string, listed: readonly string[], signal: AbortSignal): Promise<void> {
    for (const prefix of listed) if (!this.#sources.has(prefix)) await this.#removeSource(graphId, prefix, signal);
    for (const source of this.#sources.values()) if (!listed.includes(source.key)) await this.#list(graphId, source);
  }

  async #list(graphId: string, source: SearchableTexts): Promise<void> {
    const { store, clock, events } = this.#use;
    await store.transaction({ graphId }, async (tx) => {
      if (!(await noteListed(tx, source.key))) return;
      let ids: readonly string[] = [];
      do {
        ids = await source.list(tx, { afterId: ids.at(-1) ?? '', limit: idsPerPage });
        await addExistingTexts(tx, ids, clock.now());
        if (ids.length > 0) await events.publish(tx, textsChanged, { graph_id: graphId }, graphId);
      } while (ids.length === idsPerPage);
    });
  }

  async #removeSource(graphId: string, prefix: string, signal: AbortSignal): Promise<void> {
    const { store, index } = this.#use;
    await store.transaction({ graphId }, async (tx) => {
      await lockDocument(tx, `${graphId} ${prefix}`);
      await lockEntries(tx, 'shared');
      await index.replace(graphId, entryPrefix(graphId, prefix), [], limited(signal));
      await noteRevision(tx, await index.revision(graphId, limited(signal)));
      await forgetListed(tx, prefix);
    });
  }

  /** Resolves a text, however long another process writes it; the signal ends the wait. */
  async #resolveBeforeSearch(row: PendingText, signal: AbortSignal): Promise<void> {
    let result: SearchIndexError | 'locked' | undefined = 'locked';
    while (result === 'locked') {
      signal.throwIfAborted();
      result = await this.#resolve(row, signal, { isBeforeSearch: true }).catch(refuseUnlessLocked);
    }
    if (result !== undefined) throw result;
  }

  /**
   * Makes the entries of a text like the store; returns the failure of the index. Before a search, vectors are left to a
   * job, and if the entries cannot be written, the former ones are removed at least.
   */
  async #resolve(
    pending: PendingText,
    signal: AbortSignal,
    { isBeforeSearch }: { readonly isBeforeSearch: boolean },
  ): Promise<SearchIndexError | undefined> {
    const { graph_id: graphId, text_id: textId } = pending;
    const entries = await this.#entries(graphId, textId);
    const vectors = isBeforeSearch ? undefined : await vectorsOf(this.#use, entries, signal);
    return this.#use.store.transaction({ graphId }, async (tx) => {
      await lockDocument(tx, textId);
      // Otherwise it is resolved already, or has changed since its text was read and is resolved again.
      if ((await findPendingText(tx, textId))?.version !== pending.version) return undefined;
      let error = await this.#write(tx, textId, { entries, vectors, signal });
      if (error === undefined) {
        await forgetText(tx, pending);
        return undefined;
      }
      if (isBeforeSearch && entries.length > 0) {
        error = await this.#write(tx, textId, { entries: [], vectors: undefined, signal });
      }
      const precedesSearch = pending.precedes_search && (!isBeforeSearch || error !== undefined);
      await postponeText(tx, pending, { precedesSearch, now: this.#use.clock.now() });
      return error;
    });
  }

  async #entries(graphId: string, textId: string): Promise<readonly UnwrittenEntry[]> {
    const source = this.#sources.get(textId.slice(0, Math.max(0, textId.indexOf('_'))));
    if (source === undefined) return [];
    const text = await this.#use.store.transaction({ graphId }, (tx) => source.find(tx, textId, passageLimit), {
      readOnly: true,
    });
    if (text === undefined) return [];
    if (text.isCut) this.#use.log.warn('a text is too long to be searched as a whole', { graphId, textId });
    return entriesOfText(graphId, textId, text);
  }

  async #write(
    tx: Transaction,
    textId: string,
    of: {
      readonly entries: readonly UnwrittenEntry[];
      readonly vectors: readonly Float32Array[] | undefined;
      readonly signal: AbortSignal;
    },
  ): Promise<SearchIndexError | undefined> {
    const { entries, vectors, signal } = of;
    const { embedder, index, log } = this.#use;
    await lockEntries(tx, 'shared');
    const generation = await nextGeneration(tx);
    const isEmbedded = vectors !== undefined;
    const indexId = await indexIdOf(index);
    if (entries.length > 0) await noteEntries(tx, { indexId, model: embedder.id, isEmbedded });
    const written = entries.map((entry, at) => ({
      ...entry,
      embedding: vectors?.[at] ?? null,
      embeddingModel: isEmbedded ? embedder.id : null,
      generation,
    }));
    return attempt(log, async () => {
      // Former texts of the id of a graph are gone before the first entry is written.
      if ((await findPending(tx, wholeGraph)) !== undefined) throw new SearchIndexError('A removal is pending.');
      await index.replace(tx.graphId, entryPrefix(tx.graphId, textId), written, limited(signal));
      await noteRevision(tx, await index.revision(tx.graphId, limited(signal)));
    });
  }
}

function refuseUnlessLocked(error: unknown): 'locked' {
  if (error instanceof StoreError && error.code === 'lock-timeout') return 'locked';
  throw error;
}
