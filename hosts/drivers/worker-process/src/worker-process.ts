import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Calls, Reply } from './calls.ts';
import { watchMemory } from './memory-watchdog.ts';

const maxHeartbeatMs = 30_000;
const maxCloseMs = 10_000;
/** Address space that Node reserves without using it. */
const dataBytesReserved = 2 ** 30;

export interface WorkerOptions {
  /** `import.meta.url` of a file in the folder of sources (or of their compiled form) with `worker/main`. */
  readonly near: string;
  /** A worker above this size is killed. */
  readonly maxMemoryBytes: number;
  /** Address space that the engine maps beyond its memory. */
  readonly mappedBytes: number;
  /** Variables of the worker's environment. It gets none of its parent's settings or secrets. */
  readonly env?: Readonly<Record<string, string>>;
  /** The errors of the driver for the ways in which a worker ends or fails. */
  readonly errors: {
    readonly stopped: (message: string, cause?: unknown) => Error;
    readonly memory: () => Error;
    /** From the worker's own description. */
    readonly failed: (failure: unknown) => Error;
  };
}

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** Always the built worker, even when the parent runs from source: compiling TypeScript would slow down each start. */
function workerFile(near: string): { path: string; execArgv: string[] } {
  if (extname(fileURLToPath(near)) === '.ts') {
    const path = fileURLToPath(new URL('../dist/worker/main.js', near));
    if (!existsSync(path)) throw new Error(`There is no ${path}. "npm start" and "npm test" build it.`);
    return { path, execArgv: [] };
  }
  return {
    path: fileURLToPath(new URL('./worker/main.js', near)),
    execArgv: process.execArgv.filter((argument) => !argument.startsWith('--inspect')),
  };
}

/**
 * Runs Node under a data limit (Linux) as a second line of defense, for growth between two samples of the watchdog.
 * The limit is twice as high because it counts requested address space, not only resident memory.
 */
function limitedProgram(
  execArgv: string[],
  { maxMemoryBytes, mappedBytes }: WorkerOptions,
): { execPath?: string; execArgv: string[] } {
  if (process.platform !== 'linux') return { execArgv };
  const kibibytes = Math.ceil((maxMemoryBytes * 2 + mappedBytes + dataBytesReserved) / 1024);
  const script = `ulimit -c 0; ulimit -d ${kibibytes}; exec "$0" "$@"`;
  return { execPath: '/bin/sh', execArgv: ['-c', script, process.execPath, ...execArgv] };
}

/** One worker process. When it dies, all pending calls fail; nothing is retried here. */
export class WorkerProcess<C extends Calls> {
  readonly #child: ChildProcess;
  readonly #options: WorkerOptions;
  readonly #waiting = new Map<number, Waiting>();
  readonly #stopWatching: () => void;
  readonly exited: Promise<void>;
  #asked = 0;
  #death: Error | undefined;
  #hasCrashed = false;
  #beatAt = Date.now();
  /** Time of the last call; a pool closes the least recently used process first. */
  usedAt = Date.now();

  constructor(options: WorkerOptions) {
    const { path, execArgv } = workerFile(options.near);
    this.#options = options;
    const { errors } = options;
    this.#child = fork(path, [], {
      ...limitedProgram(execArgv, options),
      serialization: 'advanced', // Whole numbers beyond 2^53 and bytes cross as they are.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: options.env ?? {},
    });
    this.exited = new Promise((resolve) => this.#child.once('exit', () => resolve()));
    this.#child.on('message', (message) => this.#receive(message as Reply)); // Only our worker writes to this channel.
    this.#child.on('error', (cause) => this.#fail(errors.stopped('The engine could not be started.', cause)));
    this.#child.once('exit', () => {
      this.#hasCrashed = this.#death === undefined;
      this.#fail(errors.stopped('The engine stopped; retry the query.'));
    });
    this.#stopWatching = watchMemory(this.#child.pid, {
      maxMemoryBytes: options.maxMemoryBytes,
      isSilent: () => Date.now() - this.#beatAt > maxHeartbeatMs,
      tooMuch: () => this.kill(errors.memory()),
      silent: () => this.kill(errors.stopped('The engine does not respond; retry the query.')),
    });
  }

  get isAlive(): boolean {
    return this.#death === undefined;
  }

  /** True if the process ended although nothing here had asked it to. */
  get hasCrashed(): boolean {
    return this.#hasCrashed;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  call<N extends keyof C & string>(call: N, ask: C[N]['ask']): Promise<C[N]['answer']> {
    if (this.#death !== undefined) return Promise.reject(this.#death);
    this.usedAt = Date.now();
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      // The worker sends exactly one reply for each call; both sides are typed by the same calls.
      this.#waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject });
      this.#child.send({ id, call, ask }, (error) => {
        if (error !== null) this.#fail(this.#options.errors.stopped('The engine stopped; retry the query.', error));
      });
    });
  }

  /** Kills the worker at once; all pending calls fail with `reason`. */
  kill(reason: Error): void {
    this.#fail(reason);
    this.#child.kill('SIGKILL');
  }

  /**
   * Lets the worker end its work by the call `close`, and waits until the process is gone; kills it when that takes too
   * long. Never fails: work that must be durable is completed by a call of its own before.
   */
  async close(): Promise<void> {
    if (this.#death !== undefined) return this.exited;
    const stopped = this.#options.errors.stopped('The database was closed.');
    // Also ends a process that has answered, but cannot exit because a statement still runs.
    const timer = setTimeout(() => this.kill(stopped), maxCloseMs);
    const isClosed = await this.call('close' as keyof C & string, null).then(
      () => true, // Every worker has this call.
      () => false,
    );
    if (isClosed) this.#fail(stopped);
    else this.kill(stopped);
    await this.exited;
    clearTimeout(timer);
  }

  #receive(reply: Reply): void {
    this.#beatAt = Date.now();
    if ('beat' in reply) return;
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('failure' in reply) waiting?.reject(this.#options.errors.failed(reply.failure));
    else waiting?.resolve(reply.answer);
  }

  #fail(reason: Error): void {
    if (this.#death !== undefined) return;
    this.#death = reason;
    this.#stopWatching();
    for (const waiting of this.#waiting.values()) waiting.reject(reason);
    this.#waiting.clear();
  }
}
