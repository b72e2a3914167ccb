import type {
  AnalyticalNode,
  AnalyticalRelationship,
  AnalyticalRow,
  AnalyticalSchema,
  RowBatches,
} from './analytical.ts';
import type { ResultRow } from './graph-values.ts';

/** One built state of one graph. A rebuild creates the next generation next to the active one (graphs E-10). */
export interface GenerationRef {
  readonly graphId: string;
  readonly generation: number;
}

/**
 * JSON values by name, with whole numbers beyond ±(2^53−1) as bigint. A parameter that the statement does not use is
 * dropped; one that the engine cannot represent exactly fails with `parameter` and its path (graphs Q-45a).
 */
export type QueryParameters = Readonly<Record<string, unknown>>;

export interface RunOptions {
  readonly timeoutMs: number;
  /** Further rows are not delivered, which the summary reports. */
  readonly maxRows: number;
  readonly rowsPerChunk: number;
  readonly signal: AbortSignal;
}

export interface RunSummary {
  readonly rows: number;
  readonly truncated: boolean;
}

/**
 * Fetches rows when the next chunk is requested, and at most one more (graphs E-40). Iterate once; `cancel` may be called
 * at any time.
 */
export interface RowStream extends AsyncIterable<readonly ResultRow[]> {
  readonly columns: readonly string[];
  /** Available after the last chunk. */
  summary(): RunSummary;
  cancel(): Promise<void>;
}

export interface StatementInfo {
  readonly kind: 'read' | 'write';
}

export type RejectReason = 'duplicate' | 'dangling' | 'null_key' | 'cast';

export interface LoadReject {
  readonly reason: RejectReason;
  readonly count: number;
  /** At most 20 keys. */
  readonly examples: readonly string[];
}

/** `rows_in` counts the rows of the source, `rows_loaded` those in the graph. */
export interface LoadReport {
  readonly rows_in: number;
  readonly rows_loaded: number;
  readonly rejects: readonly LoadReject[];
}

export type BulkSource =
  | { readonly kind: 'rows'; readonly batches: RowBatches<AnalyticalRow> }
  | { readonly kind: 'parquet'; readonly path: string };

export interface LoadOptions {
  /** Up to this many rejected rows are skipped and reported; one more fails the load (graphs M-24). */
  readonly maxRejects: number;
  /** The maximum number of rows in one transaction; the engine's memory grows with it (graphs M-11). */
  readonly chunkRows?: number;
  readonly signal: AbortSignal;
}

/** A table in the engine's own catalog. */
export interface CatalogTable {
  readonly kind: 'node' | 'relationship';
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** The column that identifies a node. */
  readonly key?: string;
  readonly from?: string;
  readonly to?: string;
}

export interface GraphStats {
  readonly nodes: Readonly<Record<string, number>>;
  readonly relationships: Readonly<Record<string, number>>;
  /** Null where the engine does not report disk space. */
  readonly size_bytes: number | null;
}

/** The disk space of one generation of a graph, including all its files. */
export interface GenerationSize extends GenerationRef {
  readonly size_bytes: number;
}

export interface GraphStoreHealth {
  readonly driver: string;
  readonly reachable: boolean;
  readonly open_databases: number;
  readonly running_statements: number;
}

/** The keywords and procedures of an engine that the statement gate needs (graphs E-5). */
export interface CypherDialect {
  /** Procedures that only read the catalog; their names are compared in lowercase. */
  readonly readProcedures: readonly string[];
  /** The namespaces of functions, such as `duration` of `duration.between`, in lowercase; others are refused. */
  readonly functionNamespaces: readonly string[];
}

/** What an engine can do; a request for something else gets an error that names it. */
export interface GraphCapabilities {
  /** Whether `load` accepts a parquet file; otherwise only rows. */
  readonly loadsParquet: boolean;
  /** The types of graphs CS-1 that a property can have without loss: `base` is STRING, numbers, BOOLEAN, DATE, TIMESTAMP. */
  readonly types: 'all' | 'base';
  /** True if `sizes` and `stats` report the disk space. Otherwise it is unknown, and shown as null instead of zero. */
  readonly reportsSizes: boolean;
  /** True if the engine can add tables to a database; if false, `addTables` fails with `incompatible`. */
  readonly addsTables: boolean;
  /** The file extension of a snapshot: `lbug` for a database file of the embedded engine. */
  readonly snapshotExtension: string;
}

/** A complete and consistent copy of one generation, as a stream. Iterate `chunks` once, then call `discard`. */
export interface GraphSnapshot {
  /** Names the engine and the version of its storage format; `restore` accepts only a compatible one. */
  readonly format: string;
  /** The size is that of the content. */
  readonly stats: GraphStats & { readonly size_bytes: number };
  readonly chunks: AsyncIterable<Uint8Array>;
  /**
   * Frees what the snapshot takes until its chunks are read, also when none was. May be called more than once. A driver
   * whose snapshots take nothing has none.
   */
  discard?(): Promise<void>;
}

/**
 * The analytical store: one database for each graph and generation, never two tenants in one.
 * The active generation of a graph is a row of the transactional store, unknown to this one.
 */
export interface GraphStore {
  readonly driver: string;
  readonly dialect: CypherDialect;
  readonly capabilities: GraphCapabilities;
  /** The most concurrent statements of one graph; more are queued. */
  readonly maxStatementsPerGraph: number;
  /** Creates an empty generation with the tables of the schema. Fails if it exists. */
  create(ref: GenerationRef, schema: AnalyticalSchema): Promise<void>;
  exists(ref: GenerationRef): Promise<boolean>;
  /** Loads one table. Loads of one graph are serialized. All nodes must be loaded before relationships. */
  load(
    ref: GenerationRef,
    table: AnalyticalNode | AnalyticalRelationship,
    source: BulkSource,
    options: LoadOptions,
  ): Promise<LoadReport>;
  /** Completes the loading of a generation, which is then durable and read-only. */
  promote(ref: GenerationRef): Promise<void>;
  /** Removes a generation after its running reads have ended or been aborted. Removing a missing one succeeds. */
  drop(ref: GenerationRef): Promise<void>;
  /** Lists the existing generations, for the removal of obsolete ones. */
  generations(graphId: string): Promise<readonly number[]>;
  /** Parses and binds a statement; never runs it. */
  analyze(ref: GenerationRef, text: string, parameters: QueryParameters): Promise<StatementInfo>;
  /** Runs one reading statement. Resolves when the engine has accepted it and the columns are known. */
  run(ref: GenerationRef, text: string, parameters: QueryParameters, options: RunOptions): Promise<RowStream>;
  /**
   * Runs one writing statement in its own transaction, after the other writes of the graph. Only for the generation of a
   * subgraph: the others are read-only. Resolves when the transaction is durable. Waits at most ten seconds for the
   * writes before it, then fails with `unavailable`; never retries.
   */
  write(ref: GenerationRef, text: string, parameters: QueryParameters, options: RunOptions): Promise<RowStream>;
  /**
   * Creates the tables of the schema that the generation of a subgraph lacks, empty, after the writes before it; those
   * that it has stay as they are. Resolves when they are durable; fails with `incompatible` without `addsTables`.
   */
  addTables(ref: GenerationRef, schema: AnalyticalSchema): Promise<void>;
  /**
   * Copies a promoted generation to a new one, with its schema: all its tables, or only the named ones, whose
   * relationships must have both their ends among them. The copy needs no promotion.
   */
  copy(
    from: GenerationRef,
    to: GenerationRef,
    options: { readonly tables?: readonly string[]; readonly signal: AbortSignal },
  ): Promise<GraphStats>;
  /** Takes a consistent copy of a generation; its reads continue and its writes wait. */
  snapshot(ref: GenerationRef, signal: AbortSignal): Promise<GraphSnapshot>;
  /** Makes a new generation from the chunks of a snapshot; fails with `incompatible` for another engine or version. */
  restore(
    ref: GenerationRef,
    snapshot: Pick<GraphSnapshot, 'format' | 'chunks'>,
    signal: AbortSignal,
  ): Promise<GraphStats>;
  /** Measures the disk space of all generations, or of one graph's, without opening them; none without `reportsSizes`. */
  sizes(graphId?: string): Promise<readonly GenerationSize[]>;
  /**
   * Reads all rows of a table in pages; columns in the order of the catalog, for a relationship after the keys of its two
   * ends. Call it only while nobody writes to the generation.
   */
  readTable(ref: GenerationRef, table: string, signal: AbortSignal): AsyncIterable<readonly ResultRow[]>;
  catalog(ref: GenerationRef): Promise<readonly CatalogTable[]>;
  stats(ref: GenerationRef): Promise<GraphStats>;
  probe(): Promise<GraphStoreHealth>;
  close(): Promise<void>;
}

export type GraphStoreErrorCode =
  | 'syntax'
  | 'bind'
  | 'catalog'
  | 'parameter'
  | 'runtime'
  | 'timeout'
  | 'cancelled'
  | 'read-only'
  | 'rejected-rows'
  | 'database-missing'
  | 'database-exists'
  | 'incompatible'
  | 'memory'
  | 'unavailable'
  | 'engine';

const mark = Symbol.for('pacioli.graph-store-error');

/**
 * A classified failure of the graph store (graphs E-2). Messages are for callers: no path, host, data of another
 * tenant, or engine internals. The engine's own error is the cause, for the log.
 */
export class GraphStoreError extends Error {
  readonly code: GraphStoreErrorCode;
  /** Only with `rejected-rows`. */
  readonly rejects: readonly LoadReject[];
  /** Only with `parameter`: the path of the refused value in the parameters. */
  readonly place: readonly (string | number)[] | undefined;

  constructor(
    code: GraphStoreErrorCode,
    message: string,
    options: { cause?: unknown; rejects?: readonly LoadReject[]; place?: readonly (string | number)[] } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'GraphStoreError';
    this.code = code;
    this.rejects = options.rejects ?? [];
    this.place = options.place;
    Object.defineProperty(this, mark, { value: true });
  }
}

/** Recognizes a GraphStoreError even if two copies of the package are installed. */
export function isGraphStoreError(error: unknown): error is GraphStoreError {
  return typeof error === 'object' && error !== null && mark in error;
}
