export { describeSearchIndex, type SearchIndexUnderTest } from './describe-search-index.ts';
export { entryWith, queryFor } from './entries.ts';
