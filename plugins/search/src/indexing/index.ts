/** Writes documents and other texts to the search index, and repairs the index from the store after a failure. */
export { DocumentIndexer, type IndexerServices, type IndexResult, type PreparedEntries } from './document-indexer.ts';
export { graphsInOtherIndex, indexIdOf, type NotedIndex, noteIndex } from './noted-index.ts';
export {
  duePending,
  graphsEmbeddedOtherwise,
  removeSubgraphDocuments,
} from './pending-rows.ts';
export { addChangedTexts } from './pending-texts.ts';
export { renewVectors } from './renew-vectors.ts';
export { TextIndexer } from './text-indexer.ts';
export { hasNoEmbedder } from './vectors.ts';
