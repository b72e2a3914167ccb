import { sql, type Transaction } from '@pacioli/core';
import type { WatchlistTables } from '../rows.gen.ts';
import type { WatchedSecurity, Watchlist } from '../tokens.ts';

/** Contains all SQL of this plugin. */
export class StoredWatchlist implements Watchlist {
  async add(tx: Transaction, graphId: string, security: WatchedSecurity): Promise<boolean> {
    const [row] = await tx.query(sql<{ is_new: boolean }>`
      INSERT INTO watchlist_security (graph_id, ticker, note, added_at)
      VALUES (${graphId}, ${security.ticker}, ${security.note}, ${security.added_at})
      ON CONFLICT (graph_id, ticker) DO UPDATE SET note = EXCLUDED.note
      RETURNING xmax = 0 AS is_new`);
    return row?.is_new === true;
  }

  async list(tx: Transaction, limit: number): Promise<readonly WatchedSecurity[]> {
    const securities = tx.tables<WatchlistTables>().selectFrom('watchlist_security');
    return securities.select(['ticker', 'note', 'added_at']).orderBy('ticker').limit(limit).execute();
  }
}
