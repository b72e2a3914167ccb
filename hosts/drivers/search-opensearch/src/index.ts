export { type OpenSearchOptions, openSearchIndex } from './open-search-index.ts';
