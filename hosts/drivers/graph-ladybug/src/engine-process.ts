import { GraphStoreError } from '@pacioli/core/ports';
import { WorkerProcess } from '@pacioli/worker-process';
import type { Calls, Failure, OpenRequest } from './protocol.ts';

/** The engine maps a database's address space once for each of its two page sizes; the system counts maps as data. */
const mapsPerDatabase = 2;

/** One worker process with one open database. */
export class EngineProcess extends WorkerProcess<Calls> {
  /** Statements that hold a connection of the worker. */
  running = 0;
  /** Abandoned statements that the engine still runs, because it has no way to interrupt them. */
  abandoned = 0;

  private constructor(request: OpenRequest, maxMemoryBytes: number) {
    super({
      near: import.meta.url,
      maxMemoryBytes,
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
  static async start(request: OpenRequest, maxMemoryBytes: number): Promise<EngineProcess> {
    const started = new EngineProcess(request, maxMemoryBytes);
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
