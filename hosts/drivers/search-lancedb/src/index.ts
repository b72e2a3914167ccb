export { type LanceSearchIndexOptions, lanceSearchIndex } from './lance-search-index.ts';
