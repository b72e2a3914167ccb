// Written by `npm run gen` from the migrations: the rows of each table as the store returns them. Do not edit.

export interface WatchlistSecurity {
  readonly graph_id: string;
  readonly ticker: string;
  readonly note: string | null;
  readonly added_at: Date;
}

/** For `tx.tables<WatchlistTables>()`. */
export interface WatchlistTables {
  readonly watchlist_security: WatchlistSecurity;
}
