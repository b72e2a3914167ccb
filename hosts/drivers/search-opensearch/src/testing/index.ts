export { reasonToSkip, type SearchServer, startSearchServer } from './search-server.ts';
export { type SharedSearchServer, shareSearchServer, useSearchServer } from './shared-server.ts';
