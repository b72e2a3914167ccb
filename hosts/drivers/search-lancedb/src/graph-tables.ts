/** The open tables, one folder for each graph, and the maintenance of their indexes. */
import { createHash } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Connection, connect, Index, Session, type Table } from '@lancedb/lancedb';
import { baseSchema, contentTerms, termColumns } from './entry-rows.ts';
import { folderId } from './index-identity.ts';
import { tableName } from './table-name.ts';

const maxOpenTables = 64;
/** The time for which old versions of a table are kept, because running queries of other processes may read them. */
const keepVersionsMs = 3_600_000;
/** Changed rows after which the indexes of a small table are brought up to date at once. */
const leastChangedRows = 64;
const changedShare = 0.1;
/**
 * Rows that the indexes lack are scored by other statistics than the rest, so indexes that lack this share are brought
 * up to date as soon as nobody writes to the graph.
 */
const lackedShare = 0.01;
const quietMs = 1_000;
/** A search waits for the indexes of a table with at most this many rows, which are made in a tenth of a second. */
const maxAwaitedRows = 2_000;
/**
 * While somebody writes to the graph, a table is compacted when half as many rows were removed from it as it has, or when
 * it has this many fragments: each compaction writes the whole table anew, with memory that the allocator keeps.
 */
const removedPerRow = 0.5;
const maxFragments = 64;

/** The caches of all tables together; without limits, they may take 7 GB. */
const indexCacheBytes = 256n * 2n ** 20n;
const metadataCacheBytes = 64n * 2n ** 20n;

interface OpenTable {
  readonly table: Table;
  /** Rows written or removed since the last maintenance; set high enough at opening that the first write starts one. */
  changed: number;
  /** Rows written or removed by this process that the indexes do not show yet. */
  unindexedRows: number;
  /** Rows written or removed since the last compaction. */
  changedSinceCompaction: number;
  /** Rows replaced or deleted since the last compaction, whose place the next one frees. */
  removedRows: number;
  /** The rows of the table when it was opened, or after the last write of this process. */
  rows: number;
  /** Resolves when the maintenance that was scheduled last has ended. */
  maintenance: Promise<void>;
  /** Brings the indexes up to date when it fires; each write starts it anew. */
  quiet: NodeJS.Timeout | undefined;
}

/** The numbers of rows of a write: those that it contains, and those of before that it has replaced or deleted. */
export interface RowChanges {
  readonly written: number;
  readonly removed: number;
}

/** An index of texts that are split into terms already. Its statistics count replaced rows until it is rebuilt. */
const termIndex = (): Index =>
  Index.fts({
    baseTokenizer: 'whitespace',
    lowercase: false,
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
    withPosition: false,
    maxTokenLength: 1_000,
  });

export class GraphTables {
  readonly #folder: string;
  /** The tables in the order of their last use. */
  readonly #open = new Map<string, Promise<OpenTable>>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #maintaining = new Set<Promise<void>>();
  readonly #caches = new Session(indexCacheBytes, metadataCacheBytes);
  /** Resolves when the maintenance of a large table that was scheduled last has ended. */
  #maintenance: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The table of a graph; undefined if the graph has none. */
  async find(graphId: string): Promise<Table | undefined> {
    const known = this.#known(graphId);
    if (known !== undefined) return (await known).table;
    const isThere = await stat(join(this.#folderOf(graphId), `${tableName}.lance`)).catch(undefinedIfMissing);
    return isThere === undefined ? undefined : this.ensure(graphId);
  }

  /** The table of a graph, made at its first entry. */
  async ensure(graphId: string): Promise<Table> {
    const known = this.#known(graphId);
    if (known !== undefined) return (await known).table;
    const opening = openTable(this.#folderOf(graphId), this.#caches);
    this.#open.set(graphId, opening);
    opening.then(
      (opened) => this.#maintainIfRowsAreLacked(opened),
      () => this.forget(graphId),
    );
    if (this.#open.size > maxOpenTables) {
      const [leastRecent] = this.#open.keys();
      if (leastRecent !== undefined) this.#open.delete(leastRecent);
    }
    return (await opening).table;
  }

  /** The id of the folder of a graph that has a table; a copy has the same, a folder that was made anew another one. */
  async folderId(graphId: string): Promise<string> {
    return folderId(this.#folderOf(graphId));
  }

  /** Forgets the open table, so that its next use opens it again, such as after another process has removed it. */
  forget(graphId: string): void {
    this.#open.delete(graphId);
  }

  async remove(graphId: string): Promise<void> {
    const opened = await this.#open.get(graphId)?.catch(() => undefined);
    clearTimeout(opened?.quiet);
    this.forget(graphId);
    // Also that of a table which is no longer among the open ones.
    await Promise.all(this.#maintaining);
    await rm(this.#folderOf(graphId), { recursive: true, force: true });
  }

  /**
   * Counts written rows, and rebuilds the indexes in the background: at once when a tenth of the table has changed, and
   * otherwise a second after the last write when a hundredth has.
   */
  async changed(graphId: string, { written, removed }: RowChanges): Promise<void> {
    const known = await this.#known(graphId);
    // A row that replaces another one is a single change.
    const rows = Math.max(written, removed);
    if (known === undefined || rows === 0) return;
    known.changed += rows;
    known.unindexedRows += rows;
    known.changedSinceCompaction += rows;
    known.removedRows += removed;
    const count = await known.table.countRows();
    known.rows = count;
    if (known.changed >= Math.max(leastChangedRows, changedShare * count)) this.#maintain(known, { isQuiet: false });
    if (known.changedSinceCompaction >= lackedShare * count) this.#maintainWhenQuiet(known);
  }

  /**
   * Waits until the indexes of a small table contain what this process has written, because rows outside of them are
   * scored by other statistics.
   */
  async waitForIndexes(graphId: string): Promise<void> {
    const known = await this.#known(graphId);
    if (known === undefined || known.rows > maxAwaitedRows) return;
    if (known.unindexedRows > 0) this.#maintain(known, { isQuiet: false });
    await known.maintenance;
  }

  /** A process that was killed may have left rows that the indexes lack. */
  async #maintainIfRowsAreLacked(opened: OpenTable): Promise<void> {
    // The next write tries again if the table was removed or closed meanwhile.
    const stats = await opened.table.indexStats(`${contentTerms}_idx`).catch(() => undefined);
    const { numIndexedRows: indexed = 0, numUnindexedRows: lacked = 0 } = stats ?? {};
    if (lacked > 0 && lacked >= lackedShare * (indexed + lacked)) this.#maintainWhenQuiet(opened);
  }

  #maintainWhenQuiet(known: OpenTable): void {
    clearTimeout(known.quiet);
    known.quiet = setTimeout(() => this.#maintain(known, { isQuiet: true }), quietMs).unref();
  }

  #maintain(known: OpenTable, { isQuiet }: { readonly isQuiet: boolean }): void {
    if (this.#isClosed) return;
    const hasIndexes = known.changed === 0;
    known.changed = 0;
    known.unindexedRows = 0;
    // Large tables take turns, because each needs all processors; small ones do not wait for them.
    const isLarge = known.rows > maxAwaitedRows;
    const turn = isLarge ? Promise.all([this.#maintenance, known.maintenance]) : known.maintenance;
    known.maintenance = turn.then(async () => {
      if (this.#isClosed) return;
      // A failure is a conflict, after which the next write tries again, or the table was removed meanwhile.
      await maintain(known, { isQuiet, hasIndexes }).catch(() => {
        known.changed = leastChangedRows;
        known.unindexedRows = leastChangedRows;
      });
    });
    if (isLarge) this.#maintenance = known.maintenance;
    const { maintenance } = known;
    this.#maintaining.add(maintenance);
    maintenance.finally(() => this.#maintaining.delete(maintenance));
  }

  /** Runs work on tables; `close` waits until it has ended. */
  async whileOpen<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Error('The search index is closed.');
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#running);
    await Promise.all(this.#maintaining);
    const tables = await Promise.allSettled(this.#open.values());
    this.#open.clear();
    for (const opened of tables) if (opened.status === 'fulfilled') opened.value.table.close();
  }

  #known(graphId: string): Promise<OpenTable> | undefined {
    const known = this.#open.get(graphId);
    if (known === undefined) return undefined;
    this.#open.delete(graphId);
    this.#open.set(graphId, known);
    return known;
  }

  /** An id with other characters than those of graph ids is hashed, so that no id reaches another folder. */
  #folderOf(graphId: string): string {
    const isPlain = /^[a-z0-9_]{1,100}$/.test(graphId);
    return join(this.#folder, isPlain ? graphId : `x-${createHash('sha256').update(graphId).digest('hex')}`);
  }
}

/** A folder that cannot be read is no lost index. */
function undefinedIfMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

async function openTable(folder: string, caches: Session): Promise<OpenTable> {
  // Each read looks for the newest version, since other processes write, too.
  const connection: Connection = await connect(folder, { readConsistencyInterval: 0 }, caches);
  const table = await openOrCreate(connection);
  const indexed = new Set((await table.listIndices()).flatMap(({ columns }) => columns));
  if (!indexed.has('id')) await table.createIndex('id', { config: Index.btree() });
  for (const column of Object.keys(termColumns)) {
    if (!indexed.has(column)) await table.createIndex(column, { config: termIndex() });
  }
  return {
    table,
    changed: leastChangedRows,
    unindexedRows: 0,
    changedSinceCompaction: 0,
    removedRows: 0,
    rows: await table.countRows(),
    maintenance: Promise.resolve(),
    quiet: undefined,
  };
}

/** Opens the table if it exists: the engine refuses to create it again, because it may have columns of vectors. */
async function openOrCreate(connection: Connection): Promise<Table> {
  const open = (): Promise<Table> => connection.openTable(tableName);
  if ((await connection.tableNames()).includes(tableName)) return open();
  // Another process may create it at the same time.
  return connection.createEmptyTable(tableName, baseSchema, { mode: 'create' }).catch(open);
}

/**
 * Rebuilds the indexes of terms without the rows that are gone, unless they are up to date, then compacts the table and
 * removes old versions if that is due.
 */
async function maintain(
  known: OpenTable,
  { isQuiet, hasIndexes }: { readonly isQuiet: boolean; readonly hasIndexes: boolean },
): Promise<void> {
  const { table } = known;
  // Fails if another process has removed the table, whose folder an index would make again.
  const count = await table.countRows();
  for (const column of hasIndexes ? [] : Object.keys(termColumns)) {
    await table.createIndex(column, { config: termIndex(), replace: true });
  }
  const { numFragments: fragments } = (await table.stats()).fragmentStats;
  const { changedSinceCompaction, removedRows } = known;
  if (!isCompactionDue({ isQuiet, fragments, rows: count, removedRows })) return;
  await table.optimize({ cleanupOlderThan: new Date(Date.now() - keepVersionsMs) });
  // Not those of writes meanwhile.
  known.changedSinceCompaction -= changedSinceCompaction;
  known.removedRows -= removedRows;
}

/** True if a table is compacted now: when nobody writes to the graph, or when its fragments or removed rows are many. */
export function isCompactionDue(table: {
  readonly isQuiet: boolean;
  readonly fragments: number;
  readonly rows: number;
  readonly removedRows: number;
}): boolean {
  const { isQuiet, fragments, rows, removedRows } = table;
  return isQuiet || fragments >= maxFragments || removedRows >= removedPerRow * rows;
}
