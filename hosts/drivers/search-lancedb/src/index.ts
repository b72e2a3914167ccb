export { type LanceSearchIndexOptions, lanceSearchIndex } from './lazy-search-index.ts';
