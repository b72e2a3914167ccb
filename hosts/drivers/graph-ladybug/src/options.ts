/** How the engine may use the machine. Sizes are in bytes, times in milliseconds. */
export interface LadybugOptions {
  /** Where the database files live; nothing else writes there. */
  readonly folder: string;
  /** A worker process above this is killed, and its statements fail (graphs E-13). */
  readonly memory_bytes_max?: number;
  readonly buffer_pool_bytes?: number;
  /** The address space of one database: a power of two. */
  readonly database_bytes_max?: number;
  /** Open databases at once, each in a process of its own; the one idle for longest makes room. */
  readonly processes_max?: number;
  /** Statements at once on one database. */
  readonly statements_per_database_max?: number;
  readonly threads_per_statement?: number;
  /** A worker that was not asked anything for so long is closed. */
  readonly idle_ms_max?: number;
  /** A reader that takes no rows for so long loses its stream (graphs E-42). */
  readonly stream_idle_ms_max?: number;
}

const mebibyte = 2 ** 20;

export const defaults: Required<Omit<LadybugOptions, 'folder'>> = {
  memory_bytes_max: 2048 * mebibyte,
  buffer_pool_bytes: 256 * mebibyte,
  database_bytes_max: 2 ** 34,
  processes_max: 8,
  statements_per_database_max: 8,
  threads_per_statement: 2,
  idle_ms_max: 30 * 60_000,
  stream_idle_ms_max: 30_000,
};

export type Settings = Required<LadybugOptions>;
