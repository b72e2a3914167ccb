import { type Collection, type CollectionEntry, createCollection } from '../container/token.ts';
import type { Transaction } from '../store/store.ts';

/** A stored document, without its front matter. */
export interface DocumentText {
  readonly id: string;
  /** Markdown without front matter; the contributor strips it because it knows the format. */
  readonly body: string;
}

/**
 * The documents of a graph, contributed by the plugins that store them; without a contributor every document is
 * unknown.
 */
export interface DocumentTexts extends CollectionEntry {
  /** Those of the documents that exist in the transaction's graph, by id; one statement for at most 50 ids. */
  find(tx: Transaction, documentIds: readonly string[]): Promise<ReadonlyMap<string, DocumentText>>;
  /** The number of documents that count against the tier of the transaction's graph (platform T-1). */
  count?(tx: Transaction): Promise<number>;
}

export const documentTexts: Collection<DocumentTexts> = createCollection('kernel.document-texts');
