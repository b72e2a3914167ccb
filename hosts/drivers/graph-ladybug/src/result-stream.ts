import {
  GraphStoreError,
  type GraphValue,
  type ResultRow,
  type RowStream,
  type RunOptions,
  type RunSummary,
} from '@pacioli/core/ports';
import type { EngineProcess } from './engine-process.ts';
import type { RowChunk, StartedRun } from './protocol.ts';

/**
 * Rows of one running statement, fetched in chunks on demand (graphs E-40). One chunk is read ahead, so that the engine
 * reads while its consumer writes.
 */
export class ResultStream implements RowStream {
  readonly columns: readonly string[];
  readonly #worker: EngineProcess;
  readonly #run: StartedRun;
  readonly #options: RunOptions;
  readonly #maxIdleMs: number;
  readonly #release: () => void;
  readonly #abort = (): void => void this.#end(new GraphStoreError('cancelled', 'The query was canceled.'));
  #idle: NodeJS.Timeout | undefined;
  #ahead: Promise<RowChunk> | undefined;
  /** True if the worker has closed the result, because its last row was read. */
  #isRead: boolean;
  #rows = 0;
  #isTruncated = false;
  #ended: GraphStoreError | 'done' | undefined;

  constructor(args: {
    worker: EngineProcess;
    run: StartedRun;
    columns: readonly string[];
    options: RunOptions;
    maxIdleMs: number;
    release: () => void;
  }) {
    this.columns = args.columns;
    this.#worker = args.worker;
    this.#run = args.run;
    this.#options = args.options;
    this.#maxIdleMs = args.maxIdleMs;
    this.#release = args.release;
    this.#ahead = Promise.resolve(args.run.first);
    this.#isRead = args.run.first.done;
    args.options.signal.addEventListener('abort', this.#abort, { once: true });
    this.#restartIdle();
  }

  summary(): RunSummary {
    return { rows: this.#rows, truncated: this.#isTruncated };
  }

  async cancel(): Promise<void> {
    await this.#end(new GraphStoreError('cancelled', 'The query was canceled.'));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly ResultRow[]> {
    try {
      for (;;) {
        const chunk = await this.#next();
        if (chunk === undefined) return;
        yield chunk;
      }
    } finally {
      await this.#end('done');
    }
  }

  async #next(): Promise<readonly GraphValue[][] | undefined> {
    if (this.#ended === 'done') return undefined;
    if (this.#ended !== undefined) throw this.#ended;
    const left = this.#options.maxRows - this.#rows;
    if (left <= 0) {
      this.#isTruncated = this.#run.rows > this.#rows;
      await this.#end('done');
      return undefined;
    }
    this.#restartIdle();
    const { rows, done } = await (this.#ahead ?? this.#fetch(left));
    this.#ahead = undefined;
    this.#isRead = done;
    this.#rows += rows.length;
    if (done) await this.#end('done');
    else if (left > rows.length) {
      this.#ahead = this.#fetch(left - rows.length);
      this.#ahead.catch(() => undefined); // The next call reports it.
    }
    if (rows.length === 0) return undefined;
    return rows as GraphValue[][]; // Received by message, so nothing else references them.
  }

  #fetch(left: number): Promise<RowChunk> {
    const { stream } = this.#run;
    return this.#worker.call('next', { stream, rows: Math.min(left, this.#options.rowsPerChunk) });
  }

  /** An idle reader pins memory and a connection of the engine, so it is cut off after a while. */
  #restartIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      void this.#end(new GraphStoreError('timeout', 'The rows were not read in time, so the query was stopped.'));
    }, this.#maxIdleMs);
    this.#idle.unref();
  }

  async #end(how: GraphStoreError | 'done'): Promise<void> {
    if (this.#ended !== undefined) return;
    this.#ended = how;
    clearTimeout(this.#idle);
    this.#options.signal.removeEventListener('abort', this.#abort);
    try {
      if (this.#worker.isAlive && !this.#isRead) await this.#worker.call('end', { stream: this.#run.stream });
    } catch (error) {
      // The worker has died, so nothing is left to close; the next call reports it.
      if (!(error instanceof GraphStoreError)) throw error;
    } finally {
      this.#release();
    }
  }
}
