import { GraphStoreError } from '@pacioli/core/ports';
import { WorkerProcess } from '@pacioli/worker-process';
import type { Calls, Failure, OpenRequest } from './protocol.ts';

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

/** One worker process with one open database. */
export class EngineProcess extends WorkerProcess<Calls> {
  /** Statements that hold a connection of the worker. */
  running = 0;
  /** Abandoned statements that the engine still runs, because it has no way to interrupt them. */
  abandoned = 0;

  private constructor(request: OpenRequest, { maxMemoryBytes, isLoading }: ProcessOptions) {
    super({
      near: import.meta.url,
      maxMemoryBytes,
      // COPY is 15 % faster with a heap for each thread, and the process ends with the load.
      env: isLoading ? {} : oneHeap,
      mappedBytes: request.maxDatabaseBytes * mapsPerDatabase,
      errors: {
        stopped: (message, cause) => new GraphStoreError('unavailable', message, { cause }),
        memory: () =>
          new GraphStoreError('memory', 'The query needs more memory than is allowed: request less data at once.'),
        failed: (failure) => errorOf(failure as Failure), // The worker's `failureOf` wrote it.
      },
    });
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
