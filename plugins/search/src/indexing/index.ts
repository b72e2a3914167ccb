/** What the search index has of documents, and how it becomes like the store again after a failure. */
export { DocumentIndexer, type IndexerServices, type IndexResult, type PreparedEntries } from './document-indexer.ts';
export {
  duePending,
  graphsEmbeddedOtherwise,
  removeSubgraphDocuments,
} from './pending-rows.ts';
export { renewVectors } from './renew-vectors.ts';
export { hasNoEmbedder } from './vectors.ts';
