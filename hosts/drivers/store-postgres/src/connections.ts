import type pg from 'pg';

/** The role as which parts run. It owns nothing, so row-level security holds for it; see README. */
export const applicationRole = 'pacioli_app';

export const defaults = {
  maxStatementMs: 30_000,
  maxLockMs: 5_000,
  /** A transaction that does nothing for so long has been forgotten; the server ends it and frees its locks. */
  maxIdleInTransactionMs: 60_000,
  maxMigrationMs: 600_000,
} as const;

/** The differences between a server and the embedded engine. Everything else is shared. */
export interface Connections {
  readonly driver: string;
  /** The engine gathers statistics and clears dead rows away by itself. */
  readonly hasOwnUpkeep: boolean;
  /** The session accepts a statement before it has answered the one before. */
  readonly pipelines: boolean;
  /** Sessions that run as the application role. */
  readonly pool: pg.Pool;
  /** The limit that a session has unless a transaction asks for another one. */
  readonly maxStatementMs: number;
  /**
   * Sets the limit for the statements of the transaction about to begin. Returns SQL that is sent with its BEGIN, or
   * the empty string where the engine needs none.
   */
  limitStatements(client: pg.PoolClient, maxStatementMs: number): string;
  /** Runs `work` in a session of the user that owns the tables, for migrations and upkeep only. */
  asOwner<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T>;
  listen(channel: string, wake: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
