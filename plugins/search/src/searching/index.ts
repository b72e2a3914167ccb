/** Searches: requests, ranking, groups and excerpts. */

export { searchArguments, searchOrderOf, searchRequest } from './search-request.ts';
export { type Hit, Searcher, searchOff } from './searcher.ts';
