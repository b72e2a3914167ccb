import type { GraphStoreErrorCode, LoadReject, ResultRow } from '@pacioli/core/ports';

/** The options with which a worker opens its one database file. */
export interface OpenRequest {
  readonly path: string;
  readonly mode: 'read' | 'write';
  readonly bufferPoolBytes: number;
  readonly maxDatabaseBytes: number;
  readonly threads: number;
}

/** A table to load, described completely: the worker does not know the schema. */
export interface LoadTable {
  readonly kind: 'node' | 'relationship';
  readonly name: string;
  /** Of a node. */
  readonly key: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** The nodes at the ends of a relationship. */
  readonly from?: string;
  readonly to?: string;
  readonly maxRejects: number;
  /** A table with more rows is copied into the graph in several transactions. */
  readonly chunkRows: number;
}

export interface StartedRun {
  /** 0 if the first rows are all of them. */
  readonly stream: number;
  /** Sent with the answer, because a message costs more than a small result; empty with inexact columns. */
  readonly first: RowChunk;
  readonly names: readonly string[];
  readonly types: readonly string[];
  /** Columns whose values the binding would truncate: the statement must run again with these as text. */
  readonly inexact: readonly number[];
  readonly rows: number;
}

/** How a statement returns what the binding would truncate; nothing when it runs for the first time. */
export interface Rerun {
  /** Columns that the statement casts to STRING, with the type that they had. */
  readonly casts: Readonly<Record<number, string>>;
  /** Columns of nested types whose text is in a further column each, behind the others and in this order. */
  readonly texts: readonly number[];
}

/** True for a type whose values consist of others: nodes and paths, lists, records, maps. */
export function isNested(type: string): boolean {
  return /^(NODE|REL|RECURSIVE_REL)$|\]$|^(STRUCT|MAP|UNION)\(/.test(type);
}

/** The result of a writing statement, complete because its transaction has ended. */
export interface WrittenRows {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly inexact: readonly number[];
  readonly rows: readonly ResultRow[];
  readonly isTruncated: boolean;
}

export interface RowChunk {
  readonly rows: readonly ResultRow[];
  readonly done: boolean;
}

export interface LoadOutcome {
  readonly rows_in: number;
  readonly rows_loaded: number;
  readonly rejects: readonly LoadReject[];
  /** The transactions in which the rows were copied. */
  readonly chunks: number;
}

/** The request and reply of each call from the parent to the worker. */
export type Calls = {
  open: { readonly ask: OpenRequest; readonly answer: null };
  define: { readonly ask: { readonly statements: readonly string[] }; readonly answer: null };
  analyze: { readonly ask: { readonly text: string }; readonly answer: { readonly isReadOnly: boolean } };
  run: {
    readonly ask: {
      readonly text: string;
      readonly parameters: Readonly<Record<string, unknown>>;
      readonly timeoutMs: number;
      readonly firstRows: number;
    } & Rerun;
    readonly answer: StartedRun;
  };
  write: {
    readonly ask: Omit<Calls['run']['ask'], 'firstRows'> & { readonly maxRows: number };
    /** With inexact columns nothing was written. */
    readonly answer: WrittenRows;
  };
  checkpoint: { readonly ask: null; readonly answer: null };
  tables: {
    readonly ask: null;
    readonly answer: { readonly tables: readonly { readonly name: string; readonly isNode: boolean }[] };
  };
  next: { readonly ask: { readonly stream: number; readonly rows: number }; readonly answer: RowChunk };
  end: { readonly ask: { readonly stream: number }; readonly answer: null };
  /** The answer is the number of the load: a table is staged while the one before it is copied into the graph. */
  loadStart: { readonly ask: LoadTable; readonly answer: { readonly load: number } };
  /** Reads rows as CSV, as `rowTextWriter` writes them. */
  loadText: {
    readonly ask: { readonly load: number; readonly path: string; readonly maxLineBytes: number };
    readonly answer: null;
  };
  loadParquet: { readonly ask: { readonly load: number; readonly path: string }; readonly answer: null };
  /** Stops `loadEnd` before its next chunk. */
  loadCancel: { readonly ask: { readonly load: number }; readonly answer: null };
  loadEnd: { readonly ask: { readonly load: number }; readonly answer: LoadOutcome };
  close: { readonly ask: null; readonly answer: null };
};

export interface Failure {
  readonly code: GraphStoreErrorCode;
  readonly message: string;
  /** The engine's own text, for the log only. */
  readonly detail?: string;
  readonly rejects?: readonly LoadReject[];
}
