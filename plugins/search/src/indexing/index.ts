/** What the search index has of documents, and how it becomes like the store again after a failure. */
export { DocumentIndexer, type IndexerServices, type IndexResult, type PreparedVectors } from './document-indexer.ts';
export {
  duePending,
  forgetPending,
  graphsEmbeddedOtherwise,
  noteEmbedded,
  removeSubgraphDocuments,
} from './pending-rows.ts';
export { hasNoEmbedder, vectorsOf } from './vectors.ts';
