import type { Kysely, RawBuilder } from 'kysely';

/**
 * Whose rows a transaction sees. The database enforces it by row-level security:
 * a graph sees its own rows, `kernel` sees the kernel's tables and no row of any plugin.
 */
export type Scope = { readonly graphId: string } | 'kernel';

/** One transaction on one connection. Everything in it commits together or not at all. */
export interface Transaction {
  readonly scope: Scope;
  /**
   * A statement written with kysely's `sql` tag. Values are always parameters. Statements run in the order in which they are
   * given; those given in the same turn may travel together, and after one that fails none of the others takes effect.
   */
  query<Row>(statement: RawBuilder<Row>): Promise<readonly Row[]>;
  /**
   * The last statement, which answers nothing: it travels with the commit, which saves a round trip. None may follow.
   * When it fails, nothing is committed and the call of `transaction` rejects with its error.
   */
  queryAtEnd(statement: RawBuilder<unknown>): void;
  /** The typed query builder over the tables that a plugin declares. */
  tables<Tables>(): Kysely<Tables>;
  /** Reads a result through a cursor, `rows_per_batch` at a time, so that no whole table is in memory. */
  stream<Row>(statement: RawBuilder<Row>, rowsPerBatch: number): AsyncIterable<readonly Row[]>;
}

export interface TransactionOptions {
  /** Refuses writes and sees one snapshot for the whole transaction. */
  readonly readOnly?: boolean;
  /** The longest that one statement may take, in milliseconds (30,000 unless given). */
  readonly maxStatementMs?: number;
}

/**
 * The scopes that see and change the rows of a table, where they differ from the rule: each row belongs to the graph
 * that its column `graph_id` names, and only the scope of that graph sees and changes it.
 */
export interface TableAccess {
  /** `kernel`: rows of no graph, such as a price list, which only the scope `kernel` sees and changes. */
  readonly rows?: 'graph' | 'kernel';
  /** For rows of graphs: the scope `kernel` may read, or also write, the rows of all graphs. */
  readonly kernelScope?: 'read' | 'write';
  /** For rows of graphs: every graph may read the rows of this one, such as those of a shipped library. */
  readonly sharedGraph?: string;
  /** For rows of the kernel: a graph may see and change those that carry its `graph_id`, or may read all of them. */
  readonly graphScope?: 'own-rows' | 'read-all';
  /** Limits the service itself: it may `append` rows without changing any, or only `read` them. */
  readonly application?: 'append' | 'read';
}

/**
 * The declarations of a plugin about its tables. The store compares them with the database and refuses to start when
 * they differ.
 */
export interface TableDeclarations {
  /** The tables that depart from the rule, by name; `*` stands for all that are not named. */
  readonly tables?: Readonly<Record<string, TableAccess>>;
  /** Functions that run with the rights of the owner of the tables, for whom row-level security may not hold. */
  readonly securityDefinerFunctions?: readonly string[];
  /** Functions that set the scope `kernel` while they run, and so see the rows of all graphs that it sees. */
  readonly kernelScopeFunctions?: readonly string[];
}

/** Numbered SQL files of one owner, run once each, in order, each in a transaction, recorded with a checksum. */
export interface MigrationSet extends TableDeclarations {
  readonly owner: string;
  readonly folder: URL;
}

export interface AppliedMigration {
  readonly owner: string;
  readonly name: string;
}

/** Something that a store reports about itself. */
export interface StoreHealth {
  readonly reachable: boolean;
  readonly driver: string;
}

/**
 * The transactional store: PostgreSQL, one dialect, several drivers.
 * bigint columns arrive as safe integers (an unsafe one is an error), numeric as text, date as `YYYY-MM-DD` text,
 * timestamptz as Date, jsonb parsed.
 */
export interface Store {
  readonly driver: string;
  /** Runs `work` in one transaction; commits when it resolves, rolls back when it throws. */
  transaction<T>(scope: Scope, work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Creates what is missing. Throws when a released file was edited, when the database is ahead of the code, when a file
   * touches what does not belong to its owner, and when a table of these sets is not isolated as it is declared.
   */
  migrate(sets: readonly MigrationSet[]): Promise<readonly AppliedMigration[]>;
  /**
   * The migrations that `migrate` would run, without running them. Where there are none, it checks the tables as
   * `migrate` does.
   */
  pendingMigrations(sets: readonly MigrationSet[]): Promise<readonly AppliedMigration[]>;
  /**
   * Calls `wake` when any session notifies the channel. Only a wake-up: what happened is read from tables.
   * An empty payload may also mean that notifications were missed.
   */
  listen(channel: string, wake: (payload: string) => void): Promise<() => Promise<void>>;
  /** Wakes the listeners of a channel in all processes. */
  notify(channel: string, payload: string): Promise<void>;
  health(): Promise<StoreHealth>;
  close(): Promise<void>;
}

/** A problem that the store reports with its own meaning; `code` is stable, the message has no data of tenants. */
export class StoreError extends Error {
  readonly code:
    | 'unreachable'
    | 'locked'
    | 'busy'
    | 'value'
    | 'statement-timeout'
    | 'lock-timeout'
    | 'serialization'
    | 'unique'
    | 'check'
    | 'foreign-key'
    | 'migration';
  /** The constraint that refused, where there is one. */
  readonly constraint: string | undefined;

  constructor(
    code: StoreError['code'],
    message: string,
    options: { cause?: unknown; constraint?: string | undefined } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'StoreError';
    this.code = code;
    this.constraint = options.constraint;
  }
}
