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
  type QueryParameters,
  type ResultRow,
  type RowStream,
  type RunOptions,
  type StatementInfo,
} from '@pacioli/core/ports';
import { portableProcedures, tableProcedures } from '@pacioli/graph-statements';
import { checkedPlan } from './checked-plan.ts';
import { requireMarker } from './claim-marker.ts';
import { type ClaimedDatabase, Claims } from './claims.ts';
import { Connections } from './connections.ts';
import { failureOf } from './failure.ts';
import { type CopyOptions, GraphCopies } from './graph-copies.ts';
import { loadTable } from './load-table.ts';
import { warnOfMissingMemoryLimits } from './memory-limits.ts';
import { type BoltOptions, defaults, type Settings } from './options.ts';
import { boundParameters } from './parameters.ts';
import { RunningReads } from './running-reads.ts';
import { declaredTables } from './schema-statements.ts';
import { boltStatement, functionNamespaces } from './statement.ts';
import { startStatement } from './statement-run.ts';
import { writeStatement } from './statement-write.ts';
import { WriterLock } from './writer-lock.ts';

/** The longest that dropping a generation waits for its readers (graphs M-20). */
const maxDrainMs = 5_000;
const planTimeoutMs = 30_000;

/**
 * The analytical store on graph servers that speak Bolt: each generation of a graph has a database of its own, so that
 * no statement of one tenant can reach the rows of another (graphs E-30).
 */
export function boltGraphStore(options: BoltOptions): GraphStore {
  return new BoltGraphStore({ ...defaults, ...options });
}

class BoltGraphStore implements GraphStore {
  readonly driver = 'bolt';
  readonly dialect = { readProcedures: [...portableProcedures, ...tableProcedures], functionNamespaces };
  readonly capabilities: GraphCapabilities = {
    loadsParquet: false,
    types: 'base',
    reportsSizes: false,
    addsTables: false,
    snapshotExtension: 'ndjson',
  };
  readonly maxStatementsPerGraph: number;
  readonly #settings: Settings;
  readonly #connections: Connections;
  readonly #claims: Claims;
  readonly #copies: GraphCopies;
  readonly #writerLock: WriterLock;
  readonly #reads: RunningReads;
  #hasCheckedMemory = false;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.maxStatementsPerGraph = settings.maxStatementsPerGraph;
    this.#connections = new Connections(settings);
    this.#claims = new Claims(settings.directory, this.#connections);
    this.#writerLock = new WriterLock(this.#claims);
    this.#reads = new RunningReads(settings.maxStatementsPerGraph);
    this.#copies = new GraphCopies({ settings, claims: this.#claims, connections: this.#connections });
  }

  async create(ref: GenerationRef, schema: AnalyticalSchema): Promise<void> {
    const tables = declaredTables(schema);
    await this.#writerLock.inProcess(ref, () => this.#claims.claim(ref, tables, 'loading'));
  }

  async exists(ref: GenerationRef): Promise<boolean> {
    return (await this.#claims.find(ref)) !== undefined;
  }

  load(
    ref: GenerationRef,
    table: AnalyticalNode | AnalyticalRelationship,
    source: BulkSource,
    options: LoadOptions,
  ): Promise<LoadReport> {
    return this.#writerLock.inProcess(ref, async () => {
      const { address, tables } = await this.#claims.existing(ref);
      const { rowsPerBatch } = this.#settings;
      const session = this.#connections.session(address, 'write');
      try {
        return await loadTable({ session, tables, table, source, options, rowsPerBatch });
      } catch (error) {
        throw isOfServer(error) ? failureOf(error) : error;
      } finally {
        await this.#connections.end(session);
      }
    });
  }

  promote(ref: GenerationRef): Promise<void> {
    return this.#writerLock.inProcess(ref, async () => {
      await this.#claims.publish(ref, await this.#claims.existing(ref), 'ready');
    });
  }

  drop(ref: GenerationRef): Promise<void> {
    return this.#writerLock.inProcess(ref, () => this.#claims.drop(ref, () => this.#reads.ended(ref, maxDrainMs)));
  }

  generations(graphId: string): Promise<readonly number[]> {
    return this.#claims.generations(graphId);
  }

  async analyze(ref: GenerationRef, text: string, parameters: QueryParameters): Promise<StatementInfo> {
    return this.#current(ref, async (database) => {
      const statement = boltStatement(text, database.tables);
      const bound = boundParameters(statement.masked, parameters);
      const session = this.#connections.session(database.address, 'read');
      try {
        const tx = await session.beginTransaction({ timeout: planTimeoutMs });
        await requireMarker(tx, ref);
        return await checkedPlan(tx, statement.unnamed, bound);
      } finally {
        await this.#connections.end(session);
      }
    });
  }

  async run(ref: GenerationRef, text: string, parameters: QueryParameters, options: RunOptions): Promise<RowStream> {
    return this.#current(ref, (database) => {
      const release = this.#reads.begin(ref);
      const request = { ref, text, parameters, options };
      return startStatement(this.#connections, this.#settings, database, request, release).catch((error: unknown) => {
        release();
        throw error;
      });
    });
  }

  write(ref: GenerationRef, text: string, parameters: QueryParameters, options: RunOptions): Promise<RowStream> {
    return this.#writerLock.asOnlyWriter(ref, options.timeoutMs, () =>
      this.#current(ref, (database) => writeStatement(this.#connections, database, { ref, text, parameters, options })),
    );
  }

  async addTables(): Promise<void> {
    throw new GraphStoreError('incompatible', 'This graph engine cannot add tables to a database.');
  }

  copy(from: GenerationRef, to: GenerationRef, options: CopyOptions): Promise<GraphStats> {
    return this.#writerLock.inProcess(to, () =>
      this.#unwritten(from, (source) => this.#copies.copy(from, source, to, options)),
    );
  }

  snapshot(ref: GenerationRef, signal: AbortSignal): Promise<GraphSnapshot> {
    return this.#unwritten(ref, (database) => this.#copies.snapshot(ref, database, signal));
  }

  restore(
    ref: GenerationRef,
    snapshot: Pick<GraphSnapshot, 'format' | 'chunks'>,
    signal: AbortSignal,
  ): Promise<GraphStats> {
    return this.#writerLock.inProcess(ref, () => this.#copies.restore(ref, snapshot, signal));
  }

  async sizes(): Promise<readonly GenerationSize[]> {
    return [];
  }

  async *readTable(ref: GenerationRef, name: string, signal: AbortSignal): AsyncGenerator<readonly ResultRow[]> {
    const end = this.#reads.begin(ref);
    try {
      yield* this.#copies.readTable(ref, await this.#claims.existing(ref), name, signal);
    } catch (error) {
      throw isOfServer(error) ? failureOf(error) : error;
    } finally {
      end();
    }
  }

  async catalog(ref: GenerationRef): Promise<readonly CatalogTable[]> {
    return this.#current(ref, async ({ tables }) => tables);
  }

  async stats(ref: GenerationRef): Promise<GraphStats> {
    return this.#current(ref, (database) => this.#copies.stats(ref, database));
  }

  async probe(): Promise<GraphStoreHealth> {
    await this.#claims.warmUp();
    const reachable = await this.#connections.isReachable();
    if (reachable && !this.#hasCheckedMemory && this.#settings.log !== undefined) {
      this.#hasCheckedMemory = true;
      await warnOfMissingMemoryLimits(this.#connections, this.#settings.log);
    }
    return {
      driver: this.driver,
      reachable,
      open_databases: this.#claims.count,
      running_statements: this.#reads.count,
    };
  }

  async close(): Promise<void> {
    await this.#connections.close();
  }

  #unwritten<T>(ref: GenerationRef, work: (database: ClaimedDatabase) => Promise<T>): Promise<T> {
    return this.#writerLock.whileUnwritten(ref, this.#settings.maxCopyMs, () => this.#current(ref, work));
  }

  /** Runs on the database of a generation, and forgets the database if it turns out to hold another one. */
  async #current<T>(ref: GenerationRef, work: (database: ClaimedDatabase) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#claims.existing(ref));
    } catch (error) {
      if (!isOfServer(error) && !(error instanceof GraphStoreError)) throw error;
      const failure = failureOf(error);
      if (failure.code === 'database-missing') this.#claims.forget(ref);
      throw failure;
    }
  }
}

/** Errors of the driver have a code; others are mistakes of the program or of the caller’s stream. */
const isOfServer = (error: unknown): boolean => error instanceof Error && 'code' in error;
