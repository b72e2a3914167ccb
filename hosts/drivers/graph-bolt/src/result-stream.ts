import { GraphStoreError, type ResultRow, type RowStream, type RunOptions, type RunSummary } from '@pacioli/core/ports';
import type { Record as BoltRecord } from 'neo4j-driver';
import { stoppedAtDeadline } from './deadline.ts';
import type { ValueReader } from './values.ts';

/** Rows of one running statement. The driver asks the server for more when the next chunk is requested (graphs E-40). */
export class ResultStream implements RowStream {
  readonly columns: readonly string[];
  readonly #rows: AsyncIterator<BoltRecord>;
  readonly #reader: ValueReader;
  readonly #options: RunOptions;
  readonly #maxIdleMs: number;
  readonly #stop: () => Promise<void>;
  readonly #abort = (): void => void this.#end(new GraphStoreError('cancelled', 'The query was cancelled.'));
  #idle: NodeJS.Timeout | undefined;
  #delivered = 0;
  #isTruncated = false;
  #ended: GraphStoreError | 'done' | undefined;
  #stopping: Promise<void> | undefined;

  constructor(args: {
    rows: AsyncIterator<BoltRecord>;
    columns: readonly string[];
    reader: ValueReader;
    options: RunOptions;
    maxIdleMs: number;
    stop: () => Promise<void>;
  }) {
    this.columns = args.columns;
    this.#rows = args.rows;
    this.#reader = args.reader;
    this.#options = args.options;
    this.#maxIdleMs = args.maxIdleMs;
    this.#stop = args.stop;
    args.options.signal.addEventListener('abort', this.#abort, { once: true });
    this.#restartIdle();
  }

  summary(): RunSummary {
    return { rows: this.#delivered, truncated: this.#isTruncated };
  }

  async cancel(): Promise<void> {
    await this.#end(new GraphStoreError('cancelled', 'The query was cancelled.'));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly ResultRow[]> {
    try {
      for (;;) {
        const chunk = await this.#next();
        if (chunk.length > 0) yield chunk;
        if (chunk.length === 0) return;
      }
    } finally {
      await this.#end('done');
    }
  }

  async #next(): Promise<readonly ResultRow[]> {
    if (this.#ended === 'done') return [];
    if (this.#ended !== undefined) throw this.#ended;
    clearTimeout(this.#idle);
    const stop = (): Promise<void> => this.#end('done');
    const chunk = await stoppedAtDeadline(this.#read(), this.#options, stop);
    this.#delivered += chunk.length;
    this.#restartIdle();
    return chunk;
  }

  async #read(): Promise<readonly ResultRow[]> {
    const left = this.#options.maxRows - this.#delivered;
    const wanted = Math.min(left, this.#options.rowsPerChunk);
    const chunk: ResultRow[] = [];
    while (chunk.length < wanted) {
      const next = await this.#rows.next();
      if (next.done === true) return chunk;
      chunk.push([...next.value.values()].map((value) => this.#reader.value(value)));
    }
    if (left <= 0) this.#isTruncated = (await this.#rows.next()).done !== true;
    return chunk;
  }

  /** An idle reader pins a transaction of the server, so it is cut off after a while. */
  #restartIdle(): void {
    clearTimeout(this.#idle);
    if (this.#ended !== undefined) return;
    this.#idle = setTimeout(() => {
      void this.#end(new GraphStoreError('timeout', 'The rows were not read in time, so the query was stopped.'));
    }, this.#maxIdleMs);
    this.#idle.unref();
  }

  async #end(how: GraphStoreError | 'done'): Promise<void> {
    if (this.#ended === undefined) {
      this.#ended = how;
      clearTimeout(this.#idle);
      this.#options.signal.removeEventListener('abort', this.#abort);
      this.#stopping = this.#stop();
    }
    await this.#stopping;
  }
}
