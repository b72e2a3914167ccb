import type { Kysely, RawBuilder } from 'kysely';

/**
 * The rows that a transaction can access, enforced by row-level security: a graph sees its own rows, `kernel` sees the
 * kernel's tables and no row of any plugin.
 */
export type Scope = { readonly graphId: string } | 'kernel';

/** One transaction on one connection. Everything in it commits together or not at all. */
export interface Transaction {
  readonly scope: Scope;
  /** The graph of the scope. Throws in the scope `kernel`, where a statement about one graph is a programming error. */
  readonly graphId: string;
  /**
   * Runs a statement written with kysely's `sql` tag. Values are always parameters. Its row type comes from the generated
   * types of the tables (`columnsOf`, `Pick`), except for computed columns. Statements run in call order; those of the
   * same turn may be sent together, and after one fails none of the others takes effect.
   */
  query<Row>(statement: RawBuilder<Row>): Promise<readonly Row[]>;
  /**
   * Queues the last statement, which returns no rows: it is sent with the commit, which saves a round trip. None may
   * follow. If it fails, nothing is committed and `transaction` rejects with its error.
   */
  queryAtEnd(statement: RawBuilder<unknown>): void;
  /** The typed query builder over tables, such as those that `npm run gen` lists for each plugin. */
  tables<Tables>(): Kysely<Tables>;
  /** Reads a result through a cursor in batches, so that no table is loaded into memory. */
  stream<Row>(statement: RawBuilder<Row>, rowsPerBatch: number): AsyncIterable<readonly Row[]>;
}

export interface TransactionOptions {
  /** Rejects writes and uses one snapshot for the whole transaction, which may end shortly after its work resolves. */
  readonly readOnly?: boolean;
  /** The time limit of one statement, in milliseconds; 30,000 by default. */
  readonly maxStatementMs?: number;
}

/**
 * The scopes that can access the rows of a table, if they differ from the rule: each row belongs to the graph in its
 * column `graph_id`, and only the scope of that graph can read and change it.
 */
export interface TableAccess {
  /** `kernel`: rows of no graph, such as a price list, which only the scope `kernel` can access. */
  readonly rows?: 'graph' | 'kernel';
  /** For rows of graphs: the scope `kernel` may read, or also write, the rows of all graphs. */
  readonly kernelScope?: 'read' | 'write';
  /** For rows of graphs: every graph may read the rows of this one, such as those of a shipped library. */
  readonly sharedGraph?: string;
  /** For rows of the kernel: a graph may access those with its `graph_id`, or may read all of them. */
  readonly graphScope?: 'own-rows' | 'read-all';
  /** Restricts the service itself: it may only `append` rows, or only `read` them. */
  readonly application?: 'append' | 'read';
}

/**
 * A plugin's declarations about its tables. The store compares them with the database and refuses to start if they
 * differ.
 */
export interface TableDeclarations {
  /** The tables that differ from the rule, by name; `*` matches all others. */
  readonly tables?: Readonly<Record<string, TableAccess>>;
  /** Functions that run with the rights of the tables' owner, who may bypass row-level security. */
  readonly securityDefinerFunctions?: readonly string[];
  /** Functions that set the scope `kernel` while they run, and so can access the rows that it can. */
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

/** A health report of a store. */
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
   * Applies the pending migrations. Throws if a released file was edited, the database is ahead of the code, a file
   * changes objects of another owner, or a table of these sets is not isolated as declared.
   */
  migrate(sets: readonly MigrationSet[]): Promise<readonly AppliedMigration[]>;
  /**
   * Lists the migrations that `migrate` would run, without running them. If there are none, it checks the tables as
   * `migrate` does.
   */
  pendingMigrations(sets: readonly MigrationSet[]): Promise<readonly AppliedMigration[]>;
  /**
   * Removes all rows of a graph from the tables of these sets, batch by batch, except from tables of the kernel's rows;
   * returns their number. Neither triggers nor append-only tables keep a row, so this is for a graph that is gone.
   * Repeatable: what was removed before an interruption stays removed.
   */
  removeGraph(graphId: string, sets: readonly MigrationSet[], signal: AbortSignal): Promise<number>;
  /**
   * Calls `wake` when any session notifies the channel. It is only a signal: the state is read from tables.
   * An empty payload may also mean that notifications were missed.
   */
  listen(channel: string, wake: (payload: string) => void): Promise<() => Promise<void>>;
  /** Notifies the listeners of a channel in all processes. */
  notify(channel: string, payload: string): Promise<void>;
  health(): Promise<StoreHealth>;
  close(): Promise<void>;
}

/** A classified failure of the store; `code` is stable, the message contains no tenant data. */
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
  /** The violated constraint, if any. */
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
