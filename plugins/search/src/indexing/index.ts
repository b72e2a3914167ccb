/** What the search index has of documents and other texts, and how it becomes like the store again after a failure. */
export { DocumentIndexer, type IndexerServices, type IndexResult, type PreparedEntries } from './document-indexer.ts';
export {
  duePending,
  graphsEmbeddedOtherwise,
  removeSubgraphDocuments,
} from './pending-rows.ts';
export { addChangedTexts } from './pending-texts.ts';
export { renewVectors } from './renew-vectors.ts';
export { TextIndexer } from './text-indexer.ts';
export { hasNoEmbedder } from './vectors.ts';
