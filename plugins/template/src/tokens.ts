import { createToken, type Token, type Transaction } from '@pacioli/core';

/** One security that somebody watches. */
export interface WatchedSecurity {
  readonly ticker: string;
  readonly note: string | null;
  readonly added_at: Date;
}

/** The public contract of this plugin's storage. */
export interface Watchlist {
  /** False when the ticker was on the list already; its note is then replaced. */
  add(tx: Transaction, graphId: string, security: WatchedSecurity): Promise<boolean>;
  /** At most `limit` securities, by ticker. */
  list(tx: Transaction, limit: number): Promise<readonly WatchedSecurity[]>;
}

export const watchlist: Token<Watchlist> = createToken('watchlist.watchlist');
