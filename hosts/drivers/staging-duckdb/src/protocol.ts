import type {
  ColumnFault,
  DanglingEnds,
  GraphValue,
  StagedTableState,
  StageReport,
  StagingErrorCode,
  UnrecordedFile,
} from '@pacioli/core/ports';

/** A table as the worker needs it. Relationships have the columns `src` and `dst` before their properties. */
export interface WorkerTable {
  readonly kind: 'node' | 'relationship';
  readonly name: string;
  /** Of a node. */
  readonly key: string;
  readonly columns: readonly { readonly name: string; readonly type: string; readonly isRequired: boolean }[];
  readonly ends: readonly { readonly end: DanglingEnds['end']; readonly node: string; readonly key: string }[];
}

export interface SourceColumns {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

export type SqlParameters = readonly unknown[] | Readonly<Record<string, unknown>>;

/** The request and reply of each call from the parent to the worker. */
export type Calls = {
  open: {
    /** Without a path, the database is in memory. */
    readonly ask: {
      readonly path: string | null;
      /** Only 'settle' opens a database with rows of files that were not recorded. */
      readonly mode: 'read' | 'write' | 'settle';
      readonly maxMemoryBytes: number;
      readonly threads: number;
      /** Null for a database in memory. */
      readonly temporaryFolder: string | null;
    };
    readonly answer: null;
  };
  stage: {
    readonly ask: {
      readonly table: WorkerTable;
      readonly file: { readonly id: string; readonly format: string; readonly path: string; readonly position: number };
    };
    readonly answer: StageReport;
  };
  /** Ends the mark of a file that is recorded. */
  recorded: { readonly ask: { readonly fileId: string }; readonly answer: null };
  unrecorded: { readonly ask: null; readonly answer: readonly UnrecordedFile[] };
  unstage: {
    readonly ask: { readonly table: WorkerTable; readonly fileId: string };
    readonly answer: { readonly removedRows: number; readonly tableRows: number };
  };
  check: { readonly ask: { readonly tables: readonly WorkerTable[] }; readonly answer: readonly StagedTableState[] };
  parquet: { readonly ask: { readonly table: WorkerTable; readonly path: string }; readonly answer: null };
  checkParquet: {
    readonly ask: { readonly path: string; readonly columns: SourceColumns['columns'] };
    readonly answer: null;
  };
  readParquet: {
    readonly ask: { readonly path: string; readonly columns: SourceColumns['columns'] };
    readonly answer: null;
  };
  /** The next rows in the order of the columns; none at the end. */
  nextRows: { readonly ask: null; readonly answer: readonly (readonly GraphValue[])[] };
  names: { readonly ask: { readonly text: string }; readonly answer: readonly string[] };
  source: { readonly ask: SourceColumns; readonly answer: null };
  sourceRows: {
    readonly ask: { readonly rows: number; readonly columns: readonly (readonly unknown[])[] };
    readonly answer: null;
  };
  /** Writes the rows of a source as a parquet file. */
  writeParquet: { readonly ask: SourceColumns & { readonly path: string }; readonly answer: null };
  query: {
    readonly ask: {
      readonly id: number;
      readonly text: string;
      readonly parameters: SqlParameters;
      readonly empty: readonly SourceColumns[];
      readonly timeoutMs: number;
      readonly maxRows: number;
      readonly maxBytes: number;
    };
    readonly answer: {
      readonly columns: readonly string[];
      readonly rows: readonly (readonly GraphValue[])[];
      readonly truncated: boolean;
    };
  };
  interrupt: { readonly ask: { readonly id: number }; readonly answer: null };
  close: { readonly ask: null; readonly answer: null };
};

export interface Failure {
  readonly code: StagingErrorCode;
  readonly message: string;
  readonly faults: readonly ColumnFault[];
  /** The engine's own text, for the log only. */
  readonly detail?: string;
}
