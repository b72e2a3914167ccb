import { StagingError } from '@pacioli/core/ports';
import { WorkerProcess } from '@pacioli/worker-process';
import { ProcessSlots } from './process-slots.ts';
import type { Calls, Failure } from './protocol.ts';

export type Worker = WorkerProcess<Calls>;

interface ProcessSettings {
  readonly maxMemoryBytes: number;
  readonly threads: number;
  readonly maxProcesses: number;
  readonly maxIdleMs: number;
}

interface Database {
  readonly graphId: string;
  /** Null for one in memory. */
  readonly path: string | null;
  readonly mode: Calls['open']['ask']['mode'];
}

interface Reader {
  readonly graphId: string;
  readonly started: Promise<Worker>;
  worker: Worker | undefined;
  running: number;
  usedAt: number;
  timer: NodeJS.Timeout | undefined;
}

/** The engine's own share of the memory of its process. */
const engineShare = 0.5;

/**
 * The processes of the engine: one for each database that is written or in memory, and one that reads a graph, which
 * stays for the next statement until its place is needed.
 */
export class EngineProcesses {
  readonly #settings: ProcessSettings;
  readonly #slots: ProcessSlots;
  readonly #readers = new Map<string, Reader>();
  /** Processes that are ending, by graph: the engine locks a file until then. */
  readonly #closing = new Map<Promise<void>, string>();

  constructor(settings: ProcessSettings) {
    this.#settings = settings;
    this.#slots = new ProcessSlots(settings.maxProcesses);
  }

  /** Opens the database for writing. Only while nobody else works on the graph. */
  async write<T>(
    graphId: string,
    path: string,
    work: (worker: Worker) => Promise<T>,
    mode: 'write' | 'settle' = 'write',
  ): Promise<T> {
    await this.closeReader(graphId);
    return this.#once({ graphId, path, mode }, work);
  }

  /** Opens a database in memory, which ends with the work. */
  inMemory<T>(graphId: string, work: (worker: Worker) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#once({ graphId, path: null, mode: 'write' }, work, signal);
  }

  /** Shares one reading process between the statements of a graph. */
  async read<T>(graphId: string, path: string, work: (worker: Worker) => Promise<T>): Promise<T> {
    // Replaced before anything is awaited, so that two calls cannot start two processes.
    let reader = this.#readers.get(graphId);
    if (reader === undefined || reader.worker?.isAlive === false) {
      reader = this.#startReader(graphId, path);
      this.#readers.set(graphId, reader);
    }
    clearTimeout(reader.timer);
    reader.running += 1;
    try {
      return await work(await reader.started);
    } finally {
      reader.running -= 1;
      reader.usedAt = Date.now();
      if (reader.running === 0) this.#rest(reader);
    }
  }

  async closeReader(graphId: string): Promise<void> {
    const reader = this.#readers.get(graphId);
    if (reader !== undefined) this.#close(reader);
    await Promise.all([...this.#closing].filter(([, id]) => id === graphId).map(([closing]) => closing));
  }

  async closeAll(): Promise<void> {
    for (const reader of [...this.#readers.values()]) this.#close(reader);
    await Promise.all(this.#closing.keys());
  }

  #startReader(graphId: string, path: string): Reader {
    const reader: Reader = {
      graphId,
      started: this.#start({ graphId, path, mode: 'read' }),
      worker: undefined,
      running: 0,
      usedAt: Date.now(),
      timer: undefined,
    };
    reader.started.then(
      (worker) => {
        reader.worker = worker;
      },
      () => this.#forget(reader), // The calls that wait for it report the failure.
    );
    return reader;
  }

  #rest(reader: Reader): void {
    reader.timer = setTimeout(() => this.#close(reader), this.#settings.maxIdleMs);
    reader.timer.unref();
    if (this.#slots.waiting > this.#closing.size) this.#closeLeastUsed();
  }

  #closeLeastUsed(): void {
    const idle = [...this.#readers.values()].filter(({ running, worker }) => running === 0 && worker !== undefined);
    const [oldest] = idle.sort((left, right) => left.usedAt - right.usedAt);
    if (oldest !== undefined) this.#close(oldest);
  }

  #close(reader: Reader): void {
    this.#forget(reader);
    const closing = reader.started.then(
      (worker) => worker.close().catch(() => undefined), // Dead already.
      () => undefined,
    );
    this.#closing.set(closing, reader.graphId);
    void closing.then(() => this.#closing.delete(closing));
  }

  #forget(reader: Reader): void {
    clearTimeout(reader.timer);
    if (this.#readers.get(reader.graphId) === reader) this.#readers.delete(reader.graphId);
  }

  async #once<T>(database: Database, work: (worker: Worker) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const worker = await this.#start(database, signal);
    try {
      return await work(worker);
    } finally {
      await worker.close().catch(() => undefined); // It may have been killed, which its call has reported.
    }
  }

  async #start({ graphId, path, mode }: Database, signal?: AbortSignal): Promise<Worker> {
    const turn = this.#slots.take(graphId, signal);
    if (this.#slots.waiting > this.#closing.size) this.#closeLeastUsed();
    const release = await turn;
    const { maxMemoryBytes, threads } = this.#settings;
    let worker: Worker | undefined;
    try {
      worker = this.#process();
      void worker.exited.then(release);
      const engineBytes = Math.floor(maxMemoryBytes * engineShare);
      const temporaryFolder = path === null ? null : `${path}.tmp`;
      await worker.call('open', { path, mode, maxMemoryBytes: engineBytes, threads, temporaryFolder });
      return worker;
    } catch (error) {
      worker?.kill(new StagingError('unavailable', 'The staged rows cannot be opened.', { cause: error }));
      release();
      throw error;
    }
  }

  #process(): Worker {
    return new WorkerProcess<Calls>({
      near: import.meta.url,
      maxMemoryBytes: this.#settings.maxMemoryBytes,
      mappedBytes: 0,
      errors: {
        stopped: (message, cause) => new StagingError('unavailable', message, { cause }),
        memory: () =>
          new StagingError('memory', 'This needs more memory than is allowed: stage or request less at once.'),
        failed: (failure) => errorOf(failure as Failure), // The worker's `failureOf` wrote it.
      },
    });
  }
}

function errorOf({ code, message, faults, detail }: Failure): StagingError {
  return new StagingError(code, message, { faults, cause: detail === undefined ? undefined : new Error(detail) });
}
