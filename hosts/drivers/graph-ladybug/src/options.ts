/** Limits on the engine's use of the machine. Sizes are in bytes, times in milliseconds. */
export interface LadybugOptions {
  /** Where the database files live; nothing else writes there. */
  readonly folder: string;
  /** A worker process above this size is killed, and its statements fail (graphs E-13). */
  readonly maxMemoryBytes?: number;
  readonly bufferPoolBytes?: number;
  /** The address space of one database: a power of two. */
  readonly maxDatabaseBytes?: number;
  /** Open databases at once, each in its own process; beyond the limit, the one idle the longest is closed. */
  readonly maxProcesses?: number;
  /** Processes that read one database, so that short statements need not wait for long ones (graphs C-3). */
  readonly maxReadersPerDatabase?: number;
  /** Statements at once in one process. */
  readonly maxStatementsPerDatabase?: number;
  readonly threadsPerStatement?: number;
  /** A worker without a call for this long is closed. */
  readonly maxIdleMs?: number;
  /** A reader that fetches no rows for this long loses its stream (graphs E-42). */
  readonly maxStreamIdleMs?: number;
}

const mebibyte = 2 ** 20;

export const defaults: Required<Omit<LadybugOptions, 'folder'>> = {
  maxMemoryBytes: 2048 * mebibyte,
  bufferPoolBytes: 256 * mebibyte,
  maxDatabaseBytes: 2 ** 34,
  maxProcesses: 8,
  maxReadersPerDatabase: 3,
  maxStatementsPerDatabase: 8,
  threadsPerStatement: 2,
  maxIdleMs: 30 * 60_000,
  maxStreamIdleMs: 30_000,
};

export type Settings = Required<LadybugOptions>;
