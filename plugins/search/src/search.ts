/** The composition of the plugin: its parts are built here, once. */
import {
  createToken,
  type EventPublisher,
  eventPublisher,
  kernel,
  type SearchableTexts,
  ServiceError,
  searchableTexts,
} from '@pacioli/core';
import { config, type SearchSettings } from './config.ts';
import { requireOwnDocuments, requireWithinLimits } from './documents/index.ts';
import { DocumentIndexer, type IndexerServices, TextIndexer } from './indexing/index.ts';
import { Searcher, searchOff } from './searching/index.ts';
import { DocumentWriter, type PreparedWrite, type WriteOrder } from './writing/index.ts';

export const usedBySearch = {
  store: kernel.store,
  index: kernel.searchIndex,
  embedder: kernel.embedder,
  ids: kernel.ids,
  clock: kernel.clock,
  log: kernel.log,
  settings: config.token,
  sources: searchableTexts,
  events: eventPublisher,
} as const;

export interface Search {
  readonly indexer: DocumentIndexer;
  readonly texts: TextIndexer;
  readonly writer: DocumentWriter;
  readonly searcher: Searcher;
  /** False if the plugin is switched off, or the deployment has no index. */
  readonly isOn: boolean;
}

export const search = createToken<Search>('search.search');

export function createSearch(
  use: IndexerServices & {
    readonly ids: ConstructorParameters<typeof DocumentWriter>[0]['ids'];
    readonly settings: SearchSettings;
    readonly sources: readonly SearchableTexts[];
    readonly events: EventPublisher;
  },
): Search {
  const indexer = new DocumentIndexer(use);
  const texts = new TextIndexer(use);
  return {
    indexer,
    texts,
    writer: new DocumentWriter({ ...use, indexer }),
    searcher: new Searcher({ ...use, indexer, texts }),
    isOn: use.settings.enabled && use.index.driver !== 'none',
  };
}

/** Throws 503 for a write of documents while the search is switched off (ai-surface D-2). */
export function requireWritable({ isOn }: Search): void {
  if (isOn) return;
  throw new ServiceError('unavailable', 'SEARCH_OFF', 'Document search is not enabled');
}

/** Checks a write of a document, and does its work before the transaction. Throws 403, 404, 422 and 503. */
export async function prepareWrite(search: Search, order: WriteOrder): Promise<PreparedWrite> {
  requireOwnDocuments(order.graph);
  requireWritable(search);
  requireWithinLimits(order.request);
  await search.indexer.tryRemoveDeleted(order.graph.id, order.signal);
  return search.writer.prepare(order);
}

/** Throws 503 for a search while it is switched off (SR-5). */
export function requireSearchable({ isOn }: Search): void {
  if (!isOn) throw searchOff();
}
