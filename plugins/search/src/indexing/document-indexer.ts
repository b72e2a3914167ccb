import { isDeepStrictEqual } from 'node:util';
import { type Clock, characterCount, type Log, type Store, type Transaction } from '@pacioli/core';
import { type Embedder, type IndexEntry, type SearchIndex, SearchIndexError, Turns } from '@pacioli/core/ports';
import {
  type DocumentEntries,
  type DocumentRow,
  deleteDocument,
  entriesOf,
  entryPrefix,
  findDocument,
  type IndexedDocument,
  lockDocument,
  nextGeneration,
  noSections,
  setIndexState,
} from '../documents/index.ts';
import { attempt, limited } from './index-failures.ts';
import {
  discardEntries,
  indexIdOf,
  isKept,
  lockEntries,
  moveToIndex,
  type NotedIndex,
  notedIndex,
  noteRevision,
} from './noted-index.ts';
import {
  announceWrite,
  findPending,
  forgetPending,
  noteEntries,
  type PendingRow,
  pendingRemovals,
  postpone,
  wholeGraph,
} from './pending-rows.ts';
import { vectorsOf } from './vectors.ts';

export interface IndexerServices {
  readonly store: Store;
  readonly index: SearchIndex;
  readonly embedder: Embedder;
  readonly clock: Clock;
  readonly log: Log;
}

/** The entries of a document, with their vectors, as it was read before its transaction. */
export interface PreparedEntries {
  readonly document: IndexedDocument;
  readonly entries: DocumentEntries['entries'];
  readonly vectors: readonly Float32Array[] | undefined;
}

/** The entries that a write has made (ai-surface D-14). */
export interface IndexResult {
  readonly sectionIds: readonly string[];
  readonly contentLength: number;
}

const removalsPerRead = 100;
/** The time between two rebuilds of entries that a read found damaged. */
const minRebuildMs = 600_000;

/**
 * Keeps the entries of documents in the index like the rows of the store. The index is written inside the transaction
 * that writes the row, after a row in `search_pending` was committed: whatever a crash or a rollback leaves behind, the
 * job finds that row and writes the entries again from the store (ai-surface D-15).
 */
export class DocumentIndexer {
  readonly #use: IndexerServices;

  constructor(use: IndexerServices) {
    this.#use = use;
  }

  /** States in a transaction of its own that the entries of a document are about to change. */
  async announce(graphId: string, documentId: string): Promise<void> {
    await this.#use.store.transaction({ graphId }, (tx) => announceWrite(tx, documentId, this.#use.clock.now()));
  }

  /** Makes entries and vectors outside of the transaction, since an embedder may take long. */
  async prepare(row: IndexedColumns, signal: AbortSignal): Promise<PreparedEntries> {
    const document = indexedDocument(row);
    const { entries } = await entriesOf(document);
    return { document, entries, vectors: await vectorsOf(this.#use, entries, signal) };
  }

  /** Writes the entries of a document; a failure of the index is noted, and tried again later. */
  async write(
    tx: Transaction,
    row: DocumentRow,
    prepared: PreparedEntries | undefined,
    signal: AbortSignal,
  ): Promise<IndexResult> {
    const document = indexedDocument(row);
    const before = prepared?.document;
    const isSame = prepared !== undefined && isDeepStrictEqual(before, document);
    const { entries } = isSame ? prepared : await entriesOf(document);
    // If another write has changed the text meanwhile, a job makes the vectors.
    const hasSameText = before?.title === document.title && before.content === document.content;
    const vectors = hasSameText ? prepared?.vectors : undefined;
    if (entries.length === 0) throw noSections();
    const error = await this.#replace(tx, row, { entries, vectors, signal });
    if (error !== undefined) {
      await setIndexState(tx, row.document_id, { sections: 0, error: error.message });
      await postpone(tx, row.document_id, { isRemoval: false, now: this.#use.clock.now() });
      return { sectionIds: [], contentLength: characterCount(row.content) };
    }
    await setIndexState(tx, row.document_id, { sections: entries.length });
    await forgetPending(tx, tx.graphId, row.document_id);
    return {
      sectionIds: entries.map(({ id }) => id),
      contentLength: entries.reduce((sum, { content }) => sum + characterCount(content), 0),
    };
  }

  /** Removes a document with its entries; if the index fails, they are removed before the next search (ai-surface D-30). */
  async remove(tx: Transaction, documentId: string, signal: AbortSignal): Promise<void> {
    await lockEntries(tx, 'shared');
    const error = await this.#attempt(() => this.#writeEntries(tx, documentId, [], signal));
    await deleteDocument(tx, documentId);
    if (error === undefined) await forgetPending(tx, tx.graphId, documentId);
    else await postpone(tx, documentId, { isRemoval: true, now: this.#use.clock.now() });
  }

  /**
   * Removes from the index what the graph has deleted, before it is read or written. Throws a SearchIndexError, so that
   * nobody finds what was deleted. `noted` was read before.
   */
  async removeDeleted(graphId: string, noted: NotedIndex | undefined, signal: AbortSignal): Promise<void> {
    const { store } = this.#use;
    await this.checkIndex(graphId, noted, signal);
    for (;;) {
      const rows = await store.transaction({ graphId }, (tx) => pendingRemovals(tx, removalsPerRead), {
        readOnly: true,
      });
      for (const row of rows) {
        signal.throwIfAborted();
        const error = await this.resolve(row, signal);
        if (error !== undefined) throw error;
      }
      if (rows.length < removalsPerRead) return;
    }
  }

  /** Marks all entries of the graph as pending if the index lacks something that was noted as written (ai-surface D-17). */
  async checkIndex(graphId: string, noted: NotedIndex | undefined, signal: AbortSignal): Promise<void> {
    const { store, index, clock } = this.#use;
    const indexId = await index.identity();
    if (noted === undefined) return;
    if (noted.index_id !== null && noted.index_id !== indexId) return this.moveToIndex(graphId);
    if (noted.index_revision === null) return;
    // Read after the noted revision, because a write may raise both meanwhile.
    if (isKept(noted, await index.revision(graphId, limited(signal)).catch(undefinedIfDamaged))) return;
    this.#use.log.warn('the search index of a graph is lost or out of date and is rebuilt', { graphId });
    await store.transaction({ graphId }, (tx) => discardEntries(tx, noted, clock.now()));
  }

  /** Reads the index, revision and rebuilds that the last write of the graph has noted; undefined without entries. */
  async notedIn(graphId: string): Promise<NotedIndex | undefined> {
    return this.#use.store.transaction({ graphId }, notedIndex, { readOnly: true });
  }

  /**
   * Marks all entries of the graph as pending after a read found them damaged, unless they were rebuilt since `noted` was
   * read, or shortly before, because another rebuild would not help.
   */
  async discardDamaged(graphId: string, noted: NotedIndex): Promise<void> {
    const { store, clock, log } = this.#use;
    const now = clock.now();
    if (noted.rebuilt_at !== null && now.getTime() - noted.rebuilt_at.getTime() < minRebuildMs) return;
    log.warn('the search index of a graph is damaged and is rebuilt', { graphId });
    await store.transaction({ graphId }, (tx) => discardEntries(tx, noted, now));
  }

  /** Marks all documents of the graph as pending, because its entries are in an index that was lost or replaced (ai-surface D-17). */
  async moveToIndex(graphId: string): Promise<void> {
    const { store, index, clock } = this.#use;
    const indexId = await index.identity();
    await store.transaction({ graphId }, (tx) => moveToIndex(tx, indexId, clock.now()));
  }

  /** As `removeDeleted`; what the index cannot remove now stays pending, and so does what is written before. */
  async tryRemoveDeleted(graphId: string, signal: AbortSignal): Promise<void> {
    await this.#attempt(async () => this.removeDeleted(graphId, await this.notedIn(graphId), signal));
  }

  /** Makes the entries of a pending document, or graph, like the store; returns the failure of the index. */
  async resolve(pending: PendingRow, signal: AbortSignal): Promise<SearchIndexError | undefined> {
    const { graph_id: graphId, document_id: documentId } = pending;
    const { store } = this.#use;
    if (documentId === wholeGraph) return this.#removeGraph(graphId, signal);
    const before = await store.transaction({ graphId }, (tx) => findDocument(tx, documentId), { readOnly: true });
    const prepared = before === undefined ? undefined : await this.prepare(before, signal);
    return store.transaction({ graphId }, async (tx) => {
      await lockDocument(tx, documentId);
      if ((await findPending(tx, documentId)) === undefined) return undefined;
      const row = await findDocument(tx, documentId);
      if (row === undefined) {
        await this.remove(tx, documentId, signal);
        const left = await findPending(tx, documentId);
        return left === undefined ? undefined : new SearchIndexError('The search index failed.');
      }
      const { sectionIds } = await this.write(tx, row, prepared, signal);
      return sectionIds.length > 0 ? undefined : new SearchIndexError('The search index failed.');
    });
  }

  async #removeGraph(graphId: string, signal: AbortSignal): Promise<SearchIndexError | undefined> {
    return this.#use.store.transaction({ graphId }, async (tx) => {
      // What another transaction writes after the removal would be lost.
      await lockEntries(tx, 'exclusive');
      if ((await findPending(tx, wholeGraph)) === undefined) return undefined;
      const error = await this.#attempt(() => this.#use.index.deleteGraph(graphId, limited(signal)));
      if (error === undefined) await forgetPending(tx, graphId, wholeGraph);
      else await postpone(tx, wholeGraph, { isRemoval: true, now: this.#use.clock.now() });
      return error;
    });
  }

  async #replace(
    tx: Transaction,
    row: DocumentRow,
    of: {
      readonly entries: DocumentEntries['entries'];
      readonly vectors: PreparedEntries['vectors'];
      readonly signal: AbortSignal;
    },
  ): Promise<SearchIndexError | undefined> {
    const { entries, vectors, signal } = of;
    const { embedder, index } = this.#use;
    // Before any row is changed, so that no transaction that discards all entries waits for this one.
    await lockEntries(tx, 'shared');
    const generation = await nextGeneration(tx);
    const indexId = await indexIdOf(index);
    await noteEntries(tx, { indexId, model: embedder.id, isEmbedded: vectors !== undefined });
    const written: IndexEntry[] = [];
    const embeddingModel = vectors === undefined ? null : embedder.id;
    const turns = new Turns();
    for (const [at, entry] of entries.entries()) {
      written.push({ ...entry, embedding: vectors?.[at] ?? null, embeddingModel, generation });
      if (turns.isOver) await turns.next();
    }
    return this.#attempt(async () => {
      // Former documents of the id are gone before the first entry is written.
      if ((await findPending(tx, wholeGraph)) !== undefined) throw new SearchIndexError('A removal is pending.');
      await this.#writeEntries(tx, row.document_id, written, signal);
    });
  }

  async #writeEntries(tx: Transaction, documentId: string, entries: readonly IndexEntry[], signal: AbortSignal) {
    const { index } = this.#use;
    await index.replace(tx.graphId, entryPrefix(tx.graphId, documentId), entries, limited(signal));
    await noteRevision(tx, await index.revision(tx.graphId, limited(signal)));
  }

  async #attempt(work: () => Promise<void>): Promise<SearchIndexError | undefined> {
    return attempt(this.#use.log, work);
  }
}

function undefinedIfDamaged(error: unknown): undefined {
  if (!(error instanceof SearchIndexError) || !error.isDamaged) throw error;
}

type IndexedColumns = Pick<
  DocumentRow,
  'graph_id' | 'document_id' | 'title' | 'content' | 'tags' | 'folder' | 'source_type'
>;

function indexedDocument(row: IndexedColumns): IndexedDocument {
  return {
    graphId: row.graph_id,
    documentId: row.document_id,
    title: row.title,
    content: row.content,
    tags: row.tags,
    folder: row.folder,
    sourceType: row.source_type,
  };
}
