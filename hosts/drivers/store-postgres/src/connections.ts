import type pg from 'pg';

/** The role under which parts run. It owns nothing, so row-level security applies to it; see README. */
export const applicationRole = 'pacioli_app';

export const defaults = {
  maxStatementMs: 30_000,
  maxLockMs: 5_000,
  /** A transaction that is idle this long has been abandoned; the server ends it and releases its locks. */
  maxIdleInTransactionMs: 60_000,
  maxMigrationMs: 600_000,
} as const;

/** The differences between a server and the embedded engine; all other code is shared. */
export interface Connections {
  readonly driver: string;
  /** True when the engine runs ANALYZE and VACUUM automatically. */
  readonly hasOwnUpkeep: boolean;
  /** True when a session accepts a statement before it has answered the previous one (pipelining). */
  readonly pipelines: boolean;
  /** Sessions that run as the application role. */
  readonly pool: pg.Pool;
  /** The statement limit of a session unless a transaction sets another one. */
  readonly maxStatementMs: number;
  /**
   * Sets the limit for the statements of the transaction about to begin. Returns SQL that is sent with its BEGIN, or
   * the empty string where the engine needs none.
   */
  limitStatements(client: pg.PoolClient, maxStatementMs: number): string;
  /** Returns a session to the pool, or replaces it when it is broken or has used too much memory. */
  release(client: pg.PoolClient, isBroken: boolean): void;
  /** Runs `work` in a session of the table owner, for migrations and maintenance only. */
  asOwner<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T>;
  listen(channel: string, wake: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
