import { Duplex } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import type { CompiledEngine, EmbeddedEngine } from './embedded-engine.ts';

const maxCloseMs = 10_000;

export interface PGliteStreamOptions {
  readonly folder: string;
  readonly engine: EmbeddedEngine;
  /** Resolves when no earlier worker uses the folder. */
  readonly free: Promise<void>;
  /** Returns the limit for the statement that starts now. */
  maxStatementMs(): number;
}

interface WriteCall {
  readonly chunk: Buffer;
  readonly encoding: BufferEncoding;
}

/**
 * A message from the thread: ready, the compiled engine, a note that the engine's memory has grown beyond its limit, or
 * bytes of the protocol.
 */
type Answer = 'ready' | CompiledEngine | 'grown' | Uint8Array;

type Done = (error?: Error | null) => void;

/**
 * Looks to pg like a socket; the server behind it is PGlite in a worker thread. The engine cannot stop a running
 * statement, so a statement over its limit terminates the thread like a crash. The next connection starts another
 * thread, which recovers the folder from its write-ahead log.
 */
export class PGliteStream extends Duplex {
  /** Resolves when the worker has exited and the folder is released. */
  readonly exited: Promise<void>;
  readonly #options: PGliteStreamOptions;
  #worker: Worker | undefined;
  #markExited: () => void = () => undefined;
  #isGrown = false;
  #answersAwaited = 0;
  #deadline: NodeJS.Timeout | undefined;

  constructor(options: PGliteStreamOptions) {
    super();
    this.#options = options;
    this.exited = new Promise((resolve) => {
      this.#markExited = resolve;
    });
  }

  /** True once the engine's memory, which never shrinks, has grown beyond its limit; a new thread begins with little. */
  get isGrown(): boolean {
    return this.#isGrown;
  }

  /** Called by pg like a socket's `connect`; port and host are ignored. */
  connect(): this {
    void this.#start();
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    this.#worker?.ref();
    return this;
  }

  unref(): this {
    this.#worker?.unref();
    return this;
  }

  override _read(): void {
    // Answers are pushed on arrival; a session requests the next one only after it has read the last.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#send([chunk]);
    done();
  }

  override _writev(calls: WriteCall[], done: Done): void {
    this.#send(calls.map((call) => call.chunk));
    done();
  }

  override _final(done: Done): void {
    const worker = this.#worker;
    if (worker === undefined) {
      done();
      return;
    }
    const patience = setTimeout(() => void worker.terminate(), maxCloseMs);
    worker.postMessage('close');
    void this.exited.then(() => {
      clearTimeout(patience);
      done();
      this.destroy();
    });
  }

  override _destroy(error: Error | null, done: Done): void {
    clearTimeout(this.#deadline);
    const worker = this.#worker;
    if (worker === undefined) {
      this.#markExited();
      done(error);
      return;
    }
    void worker.terminate().finally(() => done(error));
  }

  async #start(): Promise<void> {
    await this.#options.free;
    if (this.destroyed) return;
    const worker = this.#options.engine.open(this.#options.folder);
    this.#worker = worker;
    worker.once('exit', () => {
      this.#markExited();
      if (!this.writableEnded) this.destroy(new Error('Connection terminated: the embedded database stopped.'));
    });
    worker.once('error', (error) => this.destroy(error));
    worker.on('message', (answer: Answer) => this.#receive(answer));
  }

  #receive(answer: Answer): void {
    if (answer === 'ready') {
      this.emit('connect');
      return;
    }
    if (answer === 'grown') {
      this.#isGrown = true;
      return;
    }
    if ('compiled' in answer) return;
    this.#answersAwaited -= 1;
    clearTimeout(this.#deadline);
    if (this.#answersAwaited > 0) this.#startDeadline();
    if (answer.byteLength > 0) this.push(Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength));
  }

  /** Sends everything that pg wrote together as one message, because each message between threads costs time. */
  #send(chunks: readonly Buffer[]): void {
    // A copy, because pg's buffers are slices of larger ones that it reuses.
    const bytes = new Uint8Array(chunks.reduce((total, chunk) => total + chunk.byteLength, 0));
    let offset = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, offset);
      offset += chunk.byteLength;
    }
    this.#answersAwaited += 1;
    if (this.#answersAwaited === 1) this.#startDeadline();
    this.#worker?.postMessage(bytes, [bytes.buffer]);
  }

  #startDeadline(): void {
    this.#deadline = setTimeout(() => {
      // PostgreSQL's code for a canceled statement, so that both drivers report the same error.
      const error = Object.assign(new Error('The statement took longer than its limit.'), { code: '57014' });
      this.destroy(error);
    }, this.#options.maxStatementMs());
  }
}
