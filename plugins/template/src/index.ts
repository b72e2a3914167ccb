export { default } from './plugin.ts';
export { type Watchlist, watchlist } from './tokens.ts';
