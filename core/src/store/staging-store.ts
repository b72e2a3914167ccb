import type {
  AnalyticalColumn,
  AnalyticalNode,
  AnalyticalRelationship,
  AnalyticalRow,
  ColumnType,
  RowBatches,
} from './analytical.ts';
import type { GraphValue, ResultRow } from './graph-values.ts';

/** A relationship with the nodes at its ends, whose keys its rows refer to. */
export interface StagedRelationship extends AnalyticalRelationship {
  readonly fromNode: Pick<AnalyticalNode, 'name' | 'key' | 'columns'>;
  readonly toNode: Pick<AnalyticalNode, 'name' | 'key' | 'columns'>;
}

export type StagedTable = AnalyticalNode | StagedRelationship;

/** An uploaded file on the local disk. */
export interface StagedFile {
  readonly id: string;
  readonly format: 'parquet' | 'csv' | 'json';
  readonly path: string;
  /** The order of uploads: of two rows with one key, that of the later file is kept (graphs T-7). */
  readonly position: number;
}

/** Values of one column that do not fit its type, or are missing where a value is required. */
export interface ColumnFault {
  readonly column: string;
  readonly reason: 'cast' | 'null' | 'null-character' | 'missing-column';
  readonly count: number;
  /** At most five; rows of the file count from 1, without a header. */
  readonly examples: readonly { readonly row: number; readonly value: string | null }[];
}

/** References of a relationship to nodes that are not staged. */
export interface DanglingEnds {
  readonly end: 'from' | 'to';
  readonly node: string;
  readonly count: number;
  /** At most 20 keys. */
  readonly examples: readonly string[];
}

/** Rows of a file that were staged by a process that was killed before it recorded the file. */
export interface UnrecordedFile {
  readonly id: string;
  readonly table: string;
  readonly rows: number;
}

export interface StageReport {
  /** Rows of the file. */
  readonly rows: number;
  /** Rows of the table, over all its files and without duplicates. */
  readonly tableRows: number;
  /** Columns that the schema does not declare: SQL sees them as text, the graph does not (graphs T-5). */
  readonly extraColumns: readonly string[];
  readonly dangling: readonly DanglingEnds[];
}

export interface StagedTableState {
  readonly name: string;
  readonly rows: number;
  readonly dangling: readonly DanglingEnds[];
}

export interface SqlOptions {
  /** From the call on: with the time that it waits for its turn, and that rows of another source take. */
  readonly timeoutMs: number;
  readonly maxRows: number;
  /** The length of the answer as JSON; 50 MB unless given. */
  readonly maxBytes?: number;
  readonly signal: AbortSignal;
}

export interface SqlAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly GraphValue[])[];
  readonly truncated: boolean;
}

/** A list for `?` and `$1`, or values by name for `$name`, as JSON with exact integers. */
export type SqlParameters = readonly unknown[] | Readonly<Record<string, unknown>>;

/**
 * Stages rows between their source and the analytical graph: one columnar SQL database for each graph (graphs 0, 11).
 * Everything in it can be staged again from its source. Calls of one graph that change it are serialized.
 */
export interface StagingStore {
  readonly driver: string;
  /**
   * Gives the place for the content of a file that is to be staged: in the driver's own folder, which removes it
   * afterwards, also when the process was killed in between.
   */
  withUpload<T>(work: (path: string) => Promise<T>): Promise<T>;
  /**
   * Stages the rows of a file, replacing those that the file had. Values are cast to the declared types and duplicates
   * removed (graphs T-4 to T-8). All or nothing: a fault fails with `unreadable-file` or `rejected-rows`.
   * `record` notes the file in the caller's records before anything else sees its rows, and removes them by false. When
   * it does not return, every other call on what is staged for the graph fails with `unrecorded` until `settle`.
   */
  stage(
    graphId: string,
    table: StagedTable,
    file: StagedFile,
    signal: AbortSignal,
    record?: (report: StageReport) => Promise<boolean>,
  ): Promise<StageReport>;
  /** Keeps or removes the rows of files whose `record` did not return, as `isKept` says. Nothing else runs meanwhile. */
  settle(
    graphId: string,
    tables: readonly StagedTable[],
    isKept: (file: UnrecordedFile) => Promise<boolean>,
  ): Promise<void>;
  /** Removes the rows of a file; equal rows of other files remain. Returns how many rows of it were staged. */
  unstage(
    graphId: string,
    table: StagedTable,
    fileId: string,
  ): Promise<{ readonly removedRows: number; readonly tableRows: number }>;
  /** Counts the rows of tables and their references to nodes that are not staged; a table without files has no rows. */
  check(graphId: string, tables: readonly StagedTable[]): Promise<readonly StagedTableState[]>;
  /** Writes the declared columns of a table as a parquet file for `GraphStore.load`, and removes it afterwards. */
  withParquet<T>(
    graphId: string,
    table: AnalyticalNode | StagedRelationship,
    work: (path: string) => Promise<T>,
  ): Promise<T>;
  /** Reads the declared columns of a table in batches, for a graph engine that reads no parquet. */
  withRows<T>(
    graphId: string,
    table: AnalyticalNode | StagedRelationship,
    work: (batches: RowBatches<AnalyticalRow>) => Promise<T>,
  ): Promise<T>;
  /**
   * Writes rows of a graph to a parquet file at any path and returns their number. Parquet has no 128-bit integers and no
   * intervals of microseconds, so both are written as text, and lists of a fixed length as lists.
   */
  writeParquet(
    path: string,
    columns: readonly Pick<AnalyticalColumn, 'name' | 'type'>[],
    batches: AsyncIterable<readonly ResultRow[]>,
    signal: AbortSignal,
  ): Promise<number>;
  /** Fails with `unreadable-file` unless a file has these columns in the types in which `writeParquet` writes them. */
  checkParquet(
    path: string,
    columns: readonly Pick<AnalyticalColumn, 'name' | 'type'>[],
    signal: AbortSignal,
  ): Promise<void>;
  /** Reads the columns of such a file in batches. Fails with `unreadable-file` for one that is damaged or has others. */
  readParquet<T>(
    path: string,
    columns: readonly Pick<AnalyticalColumn, 'name' | 'type'>[],
    work: (batches: RowBatches<AnalyticalRow>) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T>;
  /** Runs one SELECT of a caller on the staged tables (graphs 10); the tables of the schema without files are empty. */
  query(
    graphId: string,
    tables: readonly StagedTable[],
    text: string,
    parameters: SqlParameters,
    options: SqlOptions,
  ): Promise<SqlAnswer>;
  /**
   * Runs one SELECT of a caller on rows of another source (graphs SQ-8). Reads only the tables that the statement names,
   * into a temporary database.
   */
  queryRows(
    graphId: string,
    tables: readonly SourceTable[],
    text: string,
    parameters: SqlParameters,
    options: SqlOptions,
  ): Promise<SqlAnswer>;
  /** Removes everything staged for a graph. */
  drop(graphId: string): Promise<void>;
  /** Disk space in bytes by graph, or of one graph. */
  sizes(graphId?: string): Promise<readonly { readonly graphId: string; readonly size_bytes: number }[]>;
  close(): Promise<void>;
}

/** A table whose rows come from elsewhere than files. */
export interface SourceTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  rows(): RowBatches<AnalyticalRow>;
}

export type StagingErrorCode =
  | 'unreadable-file'
  | 'rejected-rows'
  | 'refused'
  | 'statement'
  | 'parameter'
  | 'timeout'
  | 'cancelled'
  | 'memory'
  | 'unrecorded'
  | 'unavailable';

const mark = Symbol.for('pacioli.staging-error');

/**
 * A classified failure of the staging store. `refused` is a statement other than one SELECT, `statement` an error in
 * it, `unrecorded` a call before `settle`. Messages are for callers: no path, host or data of another tenant.
 */
export class StagingError extends Error {
  readonly code: StagingErrorCode;
  /** Only with `rejected-rows`. */
  readonly faults: readonly ColumnFault[];

  constructor(
    code: StagingErrorCode,
    message: string,
    options: { cause?: unknown; faults?: readonly ColumnFault[] } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'StagingError';
    this.code = code;
    this.faults = options.faults ?? [];
    Object.defineProperty(this, mark, { value: true });
  }
}

/** Recognizes a StagingError even if two copies of the package are installed. */
export function isStagingError(error: unknown): error is StagingError {
  return typeof error === 'object' && error !== null && mark in error;
}
