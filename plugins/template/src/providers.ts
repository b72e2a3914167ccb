import { provide } from '@pacioli/core';
import { StoredWatchlist } from './store/stored-watchlist.ts';
import { watchlist } from './tokens.ts';

export const providers = [provide(watchlist, { create: () => new StoredWatchlist() })];
