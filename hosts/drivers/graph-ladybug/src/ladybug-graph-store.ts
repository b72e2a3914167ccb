import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  type AnalyticalNode,
  type AnalyticalRelationship,
  type AnalyticalSchema,
  type BulkSource,
  type CatalogTable,
  type GenerationRef,
  type GenerationSize,
  type GraphCapabilities,
  type GraphSnapshot,
  type GraphStats,
  type GraphStore,
  GraphStoreError,
  type GraphStoreHealth,
  type LoadOptions,
  type LoadReport,
  maskStatement,
  type QueryParameters,
  type ResultRow,
  type RowStream,
  type RunOptions,
  type StatementInfo,
} from '@pacioli/core/ports';
import { callsCatalog, GraphMutex, portableProcedures } from '@pacioli/graph-statements';
import { BlockedStatements } from './blocked-statements.ts';
import { catalogQuery, catalogRead, type RunQuery, readCatalog, readCounts } from './catalog.ts';
import { type CopyOptions, DatabaseCopies } from './database-copies.ts';
import { closeFolder, removeFiles, removeLeftovers, syncToDisk } from './database-files.ts';
import { measureSizes } from './database-sizes.ts';
import { ddl } from './ddl.ts';
import type { EngineProcess } from './engine-process.ts';
import { checkGraphId, generationPath, generationsOf } from './generation-paths.ts';
import { endLoad, stageTable } from './load-table.ts';
import { defaults, type LadybugOptions, type Settings } from './options.ts';
import { portableStatement } from './portable-statement.ts';
import { ProcessPool } from './process-pool.ts';
import { analyzeStatement, startStatement } from './statement-run.ts';
import { writeStatement } from './statement-write.ts';
import { pageRead, readTable } from './table-rows.ts';

/** The longest that a write waits for the writes before it (graphs C-1). */
const maxWriteWaitMs = 10_000;

/** The longest that dropping a generation waits for its readers (graphs M-20). */
const maxDrainMs = 5_000;

/**
 * The analytical store on the embedded engine: one file for each graph and generation, each open file in its own
 * process, so that no statement of one tenant can affect another tenant or read its data.
 */
export function ladybugGraphStore(options: LadybugOptions): GraphStore {
  return new LadybugGraphStore({ ...defaults, ...options });
}

class LadybugGraphStore implements GraphStore {
  readonly driver = 'ladybug';
  readonly dialect = {
    readProcedures: [
      'show_tables',
      'table_info',
      'db_version',
      'show_connection',
      'show_warnings',
      'show_indexes',
      'show_functions',
      ...portableProcedures,
    ],
    functionNamespaces: [],
  };
  readonly capabilities: GraphCapabilities = {
    loadsParquet: true,
    types: 'all',
    reportsSizes: true,
    addsTables: true,
    snapshotExtension: 'lbug',
  };
  readonly maxStatementsPerGraph: number;
  readonly #settings: Settings;
  readonly #pool: ProcessPool;
  readonly #copies: DatabaseCopies;
  readonly #leftovers: Promise<void>;
  readonly #blockedStatements = new BlockedStatements();
  readonly #writers = new GraphMutex();
  readonly #stagings = new GraphMutex();

  constructor(settings: Settings) {
    this.#settings = settings;
    this.maxStatementsPerGraph = settings.maxStatementsPerDatabase;
    this.#pool = new ProcessPool(settings);
    this.#copies = new DatabaseCopies(this.#pool);
    // What cannot be removed now is tried again before the next copy.
    this.#leftovers = closeFolder(settings.folder)
      .then(() => removeLeftovers(settings.folder))
      .catch(() => undefined);
  }

  create(ref: GenerationRef, schema: AnalyticalSchema): Promise<void> {
    return this.#asWriter(ref, async () => this.#copies.create(this.#missing(ref), ddl(schema)));
  }

  async exists(ref: GenerationRef): Promise<boolean> {
    return existsSync(this.#path(ref));
  }

  async load(
    ref: GenerationRef,
    table: AnalyticalNode | AnalyticalRelationship,
    source: BulkSource,
    options: LoadOptions,
  ): Promise<LoadReport> {
    const path = this.#existing(ref);
    const worker = await this.#asWriter(ref, () => this.#pool.worker(path, 'load'));
    // Rows are staged while the table before them is copied into the graph.
    const load = await this.#stagings.run(ref.graphId, () => stageTable(worker, path, table, source, options));
    return this.#asWriter(ref, async () => {
      if (options.signal.aborted) throw new GraphStoreError('cancelled', 'The load was canceled.');
      return endLoad(worker, load, options.signal);
    });
  }

  promote(ref: GenerationRef): Promise<void> {
    const path = this.#existing(ref);
    return this.#asWriter(ref, async () => {
      // Fails if the engine cannot complete the file; a process that was lost is replaced by one that recovers its loads.
      await (await this.#pool.worker(path, 'load')).call('checkpoint', null);
      await this.#pool.close(path);
      await syncToDisk(path);
      await syncToDisk(this.#settings.folder);
    });
  }

  drop(ref: GenerationRef): Promise<void> {
    const path = this.#path(ref);
    return this.#asWriter(ref, async () => {
      // The name goes first so that no new read opens the file; running reads finish on the open one (graphs E-10).
      await rm(path, { force: true });
      await this.#pool.close(path, maxDrainMs);
      await removeFiles(path);
      await removeLeftovers(this.#settings.folder, basename(path));
    });
  }

  async generations(graphId: string): Promise<readonly number[]> {
    checkGraphId(graphId);
    const names = existsSync(this.#settings.folder) ? await readdir(this.#settings.folder) : [];
    return generationsOf(graphId, names);
  }

  async sizes(graphId?: string): Promise<readonly GenerationSize[]> {
    if (graphId !== undefined) checkGraphId(graphId);
    return measureSizes(this.#settings.folder, graphId);
  }

  async analyze(ref: GenerationRef, given: string, _parameters: QueryParameters): Promise<StatementInfo> {
    const text = await this.#portable(ref, given);
    const analyze = (worker: EngineProcess) => analyzeStatement(worker, this.#settings, text);
    try {
      const { isReadOnly } = await this.#blockedStatements.run(ref.graphId, text, () => this.#reader(ref), analyze);
      return { kind: isReadOnly ? 'read' : 'write' };
    } catch (error) {
      // A database that is open for reading rejects a write already at prepare.
      if (error instanceof GraphStoreError && error.code === 'read-only') return { kind: 'write' };
      throw error;
    }
  }

  async run(ref: GenerationRef, given: string, parameters: QueryParameters, options: RunOptions): Promise<RowStream> {
    requireWhole(given);
    const text = await this.#portable(ref, given);
    const start = (worker: EngineProcess) => this.#start(worker, text, parameters, options);
    return this.#blockedStatements.run(ref.graphId, text, () => this.#reader(ref), start);
  }

  #start(worker: EngineProcess, text: string, parameters: QueryParameters, options: RunOptions): Promise<RowStream> {
    return startStatement(worker, this.#settings, maskStatement(text).text, text, parameters, options);
  }

  async write(ref: GenerationRef, given: string, parameters: QueryParameters, options: RunOptions): Promise<RowStream> {
    requireWhole(given);
    const text = await this.#portable(ref, given);
    const masked = maskStatement(text);
    const path = this.#existing(ref);
    const deadline = Date.now() + maxWriteWaitMs;
    return this.#asWriter(ref, async () => {
      if (Date.now() > deadline)
        throw new GraphStoreError('unavailable', 'Other writes of this graph take too long: retry in a moment.');
      return this.#blockedStatements.run(
        ref.graphId,
        text,
        () => this.#pool.worker(path, 'write'),
        (worker) => writeStatement(worker, masked.text, text, parameters, options),
      );
    });
  }

  async addTables(ref: GenerationRef, schema: AnalyticalSchema): Promise<void> {
    const path = this.#existing(ref);
    return this.#asWriter(ref, async () => {
      const present = new Set((await this.catalog(ref)).map(({ name }) => name));
      const isMissing = ({ name }: { readonly name: string }): boolean => !present.has(name);
      const missing = { nodes: schema.nodes.filter(isMissing), relationships: schema.relationships.filter(isMissing) };
      const worker = await this.#pool.worker(path, 'write');
      await worker.call('define', { statements: ddl(missing) });
    });
  }

  async copy(from: GenerationRef, to: GenerationRef, options: CopyOptions): Promise<GraphStats> {
    const paths = { from: this.#existing(from), to: this.#missing(to) };
    return this.#copies.copy(paths, {
      ...options,
      asWriter: (work) => this.#asWriter(from, work),
      stats: () => this.stats(to),
    });
  }

  async snapshot(ref: GenerationRef, signal: AbortSignal): Promise<GraphSnapshot> {
    const path = this.#existing(ref);
    return this.#asWriter(ref, () => this.#copies.snapshot(path, { stats: () => this.stats(ref), signal }));
  }

  restore(
    ref: GenerationRef,
    snapshot: Pick<GraphSnapshot, 'format' | 'chunks'>,
    signal: AbortSignal,
  ): Promise<GraphStats> {
    return this.#asWriter(ref, () =>
      this.#copies.restore(this.#missing(ref), snapshot, { stats: () => this.stats(ref), signal }),
    );
  }

  async *readTable(ref: GenerationRef, name: string, signal: AbortSignal): AsyncGenerator<readonly ResultRow[]> {
    const run = (statement: string) => this.#ownRun(ref, statement, { ...pageRead, signal });
    yield* readTable(run, await this.catalog(ref), name);
  }

  async catalog(ref: GenerationRef): Promise<readonly CatalogTable[]> {
    return readCatalog(this.#rowsOf(ref));
  }

  async stats(ref: GenerationRef): Promise<GraphStats> {
    const counts = await readCounts(this.#rowsOf(ref), await this.catalog(ref));
    return { ...counts, size_bytes: (await stat(this.#existing(ref))).size };
  }

  async probe(): Promise<GraphStoreHealth> {
    return { driver: this.driver, reachable: true, ...this.#pool.counts() };
  }

  async close(): Promise<void> {
    await this.#leftovers;
    await this.#pool.closeAll();
  }

  #rowsOf(ref: GenerationRef): RunQuery {
    const signal = new AbortController().signal;
    return catalogQuery((statement) => this.#ownRun(ref, statement, { ...catalogRead, signal }));
  }

  /** Runs a statement of ours, which does not count when its process stops (graphs E-11). */
  async #ownRun(ref: GenerationRef, statement: string, options: RunOptions): Promise<RowStream> {
    return this.#start(await this.#reader(ref), statement, {}, options);
  }

  /** The statement in the words of this engine (graphs 21.4). */
  async #portable(ref: GenerationRef, text: string): Promise<string> {
    return portableStatement(text, callsCatalog(text) ? await this.catalog(ref) : []);
  }

  #reader(ref: GenerationRef): Promise<EngineProcess> {
    const path = this.#existing(ref);
    return isSubgraph(ref) ? this.#pool.worker(path, 'write') : this.#pool.reader(path);
  }

  /** One writer at a time on a graph; other graphs never wait for it (graphs C-1). */
  #asWriter<T>(ref: GenerationRef, work: () => Promise<T>): Promise<T> {
    return this.#writers.run(ref.graphId, work);
  }

  #path(ref: GenerationRef): string {
    return generationPath(this.#settings.folder, ref);
  }

  /** The path of a new generation. */
  #missing(ref: GenerationRef): string {
    const path = this.#path(ref);
    if (existsSync(path)) throw new GraphStoreError('database-exists', 'This generation of the graph exists already.');
    return path;
  }

  #existing(ref: GenerationRef): string {
    const path = this.#path(ref);
    if (!existsSync(path))
      throw new GraphStoreError('database-missing', 'This generation of the graph does not exist.');
    return path;
  }
}

/** A subgraph may be written at any time, and only the handle of its writer shows what is committed (graphs C-2). */
const isSubgraph = (ref: GenerationRef): boolean => ref.graphId.includes('_');

function requireWhole(text: string): void {
  if (maskStatement(text).complete) return;
  throw new GraphStoreError('syntax', 'A comment, text or quoted name in the statement does not end.');
}
