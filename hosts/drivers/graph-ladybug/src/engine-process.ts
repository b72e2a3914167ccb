import { availableParallelism } from 'node:os';
import { GraphStoreError } from '@pacioli/core/ports';
import { WorkerProcess } from '@pacioli/worker-process';
import type { Calls, Failure, OpenRequest, StartedRun } from './protocol.ts';

interface ProcessOptions {
  readonly maxMemoryBytes: number;
  /** True for a generation that is being loaded. */
  readonly isLoading: boolean;
}

/** The engine maps a database's address space once for each of its two page sizes; the system counts maps as data. */
const mapsPerDatabase = 2;

/**
 * glibc gives each thread a heap of its own and returns little of it to the system: a worker that ran five statements
 * with a million rows each held 2 GB, reached the limit of its memory and failed the next one, though each needs only
 * 600 MB. With one heap it stays at 700 MB, and its large results need 40 % less time.
 */
const oneHeap = { MALLOC_ARENA_MAX: '1' };

/** Each statement holds a thread of Node's pool, which has four by default, while the engine executes it. */
const manyStatements = { UV_THREADPOOL_SIZE: '16' };

/** A statement that has run this long counts as long: most end far sooner. */
const longStatementMs = 200;

/** One worker process with one open database. */
export class EngineProcess extends WorkerProcess<Calls> {
  /** Statements that hold a connection of the worker. */
  running = 0;
  /** Abandoned statements that the engine still runs, because it has no way to interrupt them. */
  abandoned = 0;
  /** When each statement that the engine executes now started; rows that wait for their reader do not count. */
  readonly #startedAt = new Set<{ readonly ms: number }>();

  private constructor(request: OpenRequest, { maxMemoryBytes, isLoading }: ProcessOptions) {
    super({
      near: import.meta.url,
      maxMemoryBytes,
      // COPY is 15 % faster with a heap for each thread, and the process ends with the load.
      env: isLoading ? {} : { ...oneHeap, ...manyStatements },
      mappedBytes: request.maxDatabaseBytes * mapsPerDatabase,
      errors: {
        stopped: (message, cause) => new GraphStoreError('unavailable', message, { cause }),
        memory: () =>
          new GraphStoreError('memory', 'The query needs more memory than is allowed: request less data at once.'),
        failed: (failure) => errorOf(failure as Failure), // The worker's `failureOf` wrote it.
      },
    });
  }

  /** Executes a read statement up to its first rows. */
  async run(ask: Calls['run']['ask']): Promise<StartedRun> {
    const started = { ms: Date.now() };
    this.#startedAt.add(started);
    try {
      return await this.call('run', ask);
    } finally {
      this.#startedAt.delete(started);
    }
  }

  /** True if long statements hold all threads of the engine, so that a short one would wait for them. */
  isOccupied(threadsPerStatement: number): boolean {
    const before = Date.now() - longStatementMs;
    const long = [...this.#startedAt].filter(({ ms }) => ms < before).length;
    return long * threadsPerStatement >= availableParallelism();
  }

  /** Starts a worker and opens the database in it. */
  static async start(request: OpenRequest, options: ProcessOptions): Promise<EngineProcess> {
    const started = new EngineProcess(request, options);
    try {
      await started.call('open', request);
    } catch (error) {
      started.kill(new GraphStoreError('unavailable', 'The database could not be opened.', { cause: error }));
      throw error;
    }
    return started;
  }
}

function errorOf({ code, message, detail, rejects = [] }: Failure): GraphStoreError {
  const cause = detail === undefined ? undefined : new Error(detail);
  return new GraphStoreError(code, message, { rejects, cause });
}
