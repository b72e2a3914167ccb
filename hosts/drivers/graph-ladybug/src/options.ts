/** How the engine may use the machine. Sizes are in bytes, times in milliseconds. */
export interface LadybugOptions {
  /** Where the database files live; nothing else writes there. */
  readonly folder: string;
  /** A worker process above this is killed, and its statements fail (graphs E-13). */
  readonly maxMemoryBytes?: number;
  readonly bufferPoolBytes?: number;
  /** The address space of one database: a power of two. */
  readonly maxDatabaseBytes?: number;
  /** Open databases at once, each in a process of its own; the one idle for longest makes room. */
  readonly maxProcesses?: number;
  /** Statements at once on one database. */
  readonly maxStatementsPerDatabase?: number;
  readonly threadsPerStatement?: number;
  /** A worker that was not asked anything for so long is closed. */
  readonly maxIdleMs?: number;
  /** A reader that takes no rows for so long loses its stream (graphs E-42). */
  readonly maxStreamIdleMs?: number;
}

const mebibyte = 2 ** 20;

export const defaults: Required<Omit<LadybugOptions, 'folder'>> = {
  maxMemoryBytes: 2048 * mebibyte,
  bufferPoolBytes: 256 * mebibyte,
  maxDatabaseBytes: 2 ** 34,
  maxProcesses: 8,
  maxStatementsPerDatabase: 8,
  threadsPerStatement: 2,
  maxIdleMs: 30 * 60_000,
  maxStreamIdleMs: 30_000,
};

export type Settings = Required<LadybugOptions>;
