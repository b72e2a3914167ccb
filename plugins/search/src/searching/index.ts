/** Searches: requests, ranking, groups and excerpts. */

export { searchOrderOf, searchRequest } from './search-request.ts';
export { Searcher, searchOff } from './searcher.ts';
