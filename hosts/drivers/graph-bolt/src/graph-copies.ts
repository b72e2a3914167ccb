import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  type CatalogTable,
  type GenerationRef,
  type GraphSnapshot,
  type GraphStats,
  GraphStoreError,
  type ResultRow,
} from '@pacioli/core/ports';
import type { Transaction } from 'neo4j-driver';
import { requireMarker } from './claim-marker.ts';
import type { ClaimedDatabase, Claims } from './claims.ts';
import type { Connections } from './connections.ts';
import { rowsOf, type TableBatch, writeRows } from './copy-rows.ts';
import { requireWithinTypes } from './declared-ranges.ts';
import { failureOf } from './failure.ts';
import type { Settings } from './options.ts';
import { type RowCounts, readSnapshot, snapshotFormat, writeSnapshot } from './snapshot-rows.ts';
import { countRows, type StoredRow, storedRows } from './table-rows.ts';
import { ValueReader } from './values.ts';

export interface CopyOptions {
  readonly tables?: readonly string[];
  readonly signal: AbortSignal;
}

interface Parts {
  readonly settings: Settings;
  readonly claims: Claims;
  readonly connections: Connections;
}

/** Copies of whole generations, row by row: forks, snapshots and what is restored from them. */
export class GraphCopies {
  readonly #settings: Settings;
  readonly #claims: Claims;
  readonly #connections: Connections;

  constructor({ settings, claims, connections }: Parts) {
    this.#settings = settings;
    this.#claims = claims;
    this.#connections = connections;
  }

  /** The copy appears when it is complete. */
  async copy(
    from: GenerationRef,
    source: ClaimedDatabase,
    to: GenerationRef,
    { tables: chosen, signal }: CopyOptions,
  ): Promise<GraphStats> {
    const tables = source.tables.filter(({ name }) => chosen === undefined || chosen.includes(name));
    return this.#reading(from, source, (tx) => {
      const batches = rowsOf(tx, tables, source.tables, this.#settings.rowsPerBatch);
      return this.#build(to, tables, batches, signal);
    });
  }

  /** Writes the rows to a temporary file, which is removed when it has been read. Called while nobody writes. */
  async snapshot(ref: GenerationRef, database: ClaimedDatabase, signal: AbortSignal): Promise<GraphSnapshot> {
    const file = join(this.#settings.temporaryFolder, `pacioli-snapshot-${randomUUID()}.ndjson`);
    try {
      const counts = await this.#reading(ref, database, async (tx) => {
        const { tables } = database;
        const found = await countTables(tx, tables);
        const batches = rowsOf(tx, tables, tables, this.#settings.rowsPerBatch);
        await pipeline(writeSnapshot(tables, batches, found), createWriteStream(file, { mode: 0o600 }), { signal });
        return found;
      });
      const { size } = await stat(file);
      return { format: snapshotFormat, stats: { ...counts, size_bytes: size }, chunks: readAndRemove(file, signal) };
    } catch (error) {
      await rm(file, { force: true });
      if (signal.aborted) throw new GraphStoreError('cancelled', 'The backup was cancelled.', { cause: error });
      throw error;
    }
  }

  async restore(
    ref: GenerationRef,
    { format, chunks }: Pick<GraphSnapshot, 'format' | 'chunks'>,
    signal: AbortSignal,
  ): Promise<GraphStats> {
    if (format !== snapshotFormat) {
      const given = format.slice(0, 50);
      throw new GraphStoreError(
        'incompatible',
        `The snapshot is of format ${given}; this engine reads ${snapshotFormat}.`,
      );
    }
    const { tables, batches } = await readSnapshot(chunks);
    return this.#build(ref, tables, batches(this.#settings.rowsPerBatch), signal);
  }

  /** Reads the rows of one table in one transaction. */
  async *readTable(
    ref: GenerationRef,
    { address, tables }: ClaimedDatabase,
    name: string,
    signal: AbortSignal,
  ): AsyncGenerator<readonly ResultRow[]> {
    const table = tables.find((each) => each.name === name);
    if (table === undefined)
      throw new GraphStoreError('catalog', `The graph has no table ${name}. Its catalog lists the tables.`);
    const { rowsPerBatch, maxCopyMs } = this.#settings;
    const session = this.#connections.session(address, 'read', rowsPerBatch);
    try {
      const tx = await session.beginTransaction({ timeout: maxCopyMs });
      await requireMarker(tx, ref);
      for await (const rows of storedRows(tx, table, tables, rowsPerBatch)) {
        if (signal.aborted) throw new GraphStoreError('cancelled', 'The read was canceled.');
        for (const row of rows) requireWithinTypes(row, table);
        yield rows.map((row) => resultRow(row, table));
      }
    } finally {
      await this.#connections.end(session);
    }
  }

  stats(ref: GenerationRef, database: ClaimedDatabase): Promise<GraphStats> {
    return this.#reading(ref, database, async (tx) => ({
      ...(await countTables(tx, database.tables)),
      size_bytes: null,
    }));
  }

  async #build(
    ref: GenerationRef,
    tables: readonly CatalogTable[],
    batches: AsyncIterable<TableBatch>,
    signal: AbortSignal,
  ): Promise<GraphStats> {
    const database = await this.#claims.claim(ref, tables, 'copying');
    const session = this.#connections.session(database.address, 'write');
    try {
      await writeRows(session, tables, this.#held(ref, batches), signal);
      const stats = await this.#reading(ref, database, (tx) => countTables(tx, tables));
      await this.#claims.publish(ref, database, 'ready');
      return { ...stats, size_bytes: null };
    } catch (error) {
      await this.#claims.drop(ref, async () => undefined);
      throw failureOf(error);
    } finally {
      await this.#connections.end(session);
      await this.#claims.release(ref);
    }
  }

  /** Keeps other processes from taking the copy for one that a lost process left behind. */
  async *#held(ref: GenerationRef, batches: AsyncIterable<TableBatch>): AsyncGenerator<TableBatch> {
    const heldMs = 120_000;
    await this.#claims.hold(ref, heldMs);
    let heldAt = Date.now();
    for await (const batch of batches) {
      if (Date.now() - heldAt > heldMs / 4) {
        await this.#claims.hold(ref, heldMs);
        heldAt = Date.now();
      }
      yield batch;
    }
  }

  /** Reads in one transaction that ends with the work. */
  async #reading<T>(
    ref: GenerationRef,
    { address }: ClaimedDatabase,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const session = this.#connections.session(address, 'read', this.#settings.rowsPerBatch);
    try {
      const tx = await session.beginTransaction({ timeout: this.#settings.maxCopyMs });
      await requireMarker(tx, ref);
      return await work(tx);
    } finally {
      await this.#connections.end(session);
    }
  }
}

const reader = new ValueReader([]);

function resultRow({ properties, from, to }: StoredRow, table: CatalogTable): ResultRow {
  const ends = table.kind === 'node' ? [] : [from, to];
  return [...ends, ...table.columns.map(({ name }) => properties[name])].map((value) => reader.value(value));
}

async function countTables(tx: Transaction, tables: readonly CatalogTable[]): Promise<RowCounts> {
  const nodes: Record<string, number> = {};
  const relationships: Record<string, number> = {};
  for (const table of tables) (table.kind === 'node' ? nodes : relationships)[table.name] = await countRows(tx, table);
  return { nodes, relationships };
}

/** Removes the file at its end, and also when its reader leaves early, even before the first chunk. */
function readAndRemove(file: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const stream = createReadStream(file, { signal });
  const remove = (): Promise<void> => rm(file, { force: true });
  stream.once('close', () => void remove());
  return {
    [Symbol.asyncIterator]: () => {
      const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>; // No encoding: bytes.
      return {
        next: () => chunks.next(),
        return: async () => {
          stream.destroy();
          await remove();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
