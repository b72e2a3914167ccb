export { describeSearchIndex, type SearchIndexUnderTest } from './describe-search-index.ts';
