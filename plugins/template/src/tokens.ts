import { createToken, type Token, type Transaction } from '@pacioli/core';

/** A security on the watchlist. */
export interface WatchedSecurity {
  readonly ticker: string;
  readonly note: string | null;
  readonly added_at: Date;
}

/** The public contract of this plugin's storage. */
export interface Watchlist {
  /** Returns false if the ticker is already on the list; its note is then replaced. */
  add(tx: Transaction, graphId: string, security: WatchedSecurity): Promise<boolean>;
  /** At most `limit` securities, by ticker. */
  list(tx: Transaction, limit: number): Promise<readonly WatchedSecurity[]>;
}

export const watchlist: Token<Watchlist> = createToken('watchlist.watchlist');
