import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GraphStoreError } from '@pacioli/core/ports';
import { watchMemory } from './memory-watchdog.ts';
import type { CallName, Calls, OpenRequest, Reply } from './protocol.ts';

const maxHeartbeatMs = 30_000;
const maxCloseMs = 10_000;
/** The engine maps a database's address space once for each of its two page sizes; the system counts maps as data. */
const mapsPerDatabase = 2;
/** Address space that Node reserves without using it. */
const dataBytesReserved = 2 ** 30;

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** Always the built worker, even when the parent runs from source: compiling TypeScript would slow down each start. */
function workerFile(): { path: string; execArgv: string[] } {
  if (extname(fileURLToPath(import.meta.url)) === '.ts') {
    const path = fileURLToPath(new URL('../dist/worker/main.js', import.meta.url));
    if (!existsSync(path)) throw new Error(`There is no ${path}. "npm start" and "npm test" build it.`);
    return { path, execArgv: [] };
  }
  return {
    path: fileURLToPath(new URL('./worker/main.js', import.meta.url)),
    execArgv: process.execArgv.filter((argument) => !argument.startsWith('--inspect')),
  };
}

/**
 * Runs Node under a data limit (Linux) as a second line of defense, for growth between two samples of the watchdog.
 * The limit is twice as high because it counts requested address space, not only resident memory.
 */
function limitedProgram(
  execArgv: string[],
  maxMemoryBytes: number,
  maxDatabaseBytes: number,
): { execPath?: string; execArgv: string[] } {
  if (process.platform !== 'linux') return { execArgv };
  const kibibytes = Math.ceil((maxMemoryBytes * 2 + maxDatabaseBytes * mapsPerDatabase + dataBytesReserved) / 1024);
  const script = `ulimit -c 0; ulimit -d ${kibibytes}; exec "$0" "$@"`;
  return { execPath: '/bin/sh', execArgv: ['-c', script, process.execPath, ...execArgv] };
}

/** One worker process with one open database. When it dies, all pending calls fail; nothing is retried here. */
export class EngineProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #stopWatching: () => void;
  readonly exited: Promise<void>;
  #asked = 0;
  #death: GraphStoreError | undefined;
  #beatAt = Date.now();
  /** Time of the last call; the pool closes the least recently used process first. */
  usedAt = Date.now();
  /** Statements that hold a connection of the worker. */
  running = 0;
  /** Abandoned statements that the engine still runs, because it has no way to interrupt them. */
  abandoned = 0;

  private constructor(child: ChildProcess, maxMemoryBytes: number) {
    this.#child = child;
    this.exited = new Promise((resolve) => child.once('exit', () => resolve()));
    child.on('message', (message) => this.#receive(message as Reply)); // Only our worker writes to this channel.
    child.on('error', (cause) =>
      this.#fail(new GraphStoreError('unavailable', 'The graph engine could not be started.', { cause })),
    );
    child.once('exit', () =>
      this.#fail(new GraphStoreError('unavailable', 'The graph engine stopped; retry the query.')),
    );
    this.#stopWatching = watchMemory(child.pid, {
      maxMemoryBytes,
      isSilent: () => Date.now() - this.#beatAt > maxHeartbeatMs,
      tooMuch: () =>
        this.kill(
          new GraphStoreError('memory', 'The query needs more memory than is allowed: request less data at once.'),
        ),
      silent: () =>
        this.kill(new GraphStoreError('unavailable', 'The graph engine does not respond; retry the query.')),
    });
  }

  /** Starts a worker and opens the database in it. */
  static async start(request: OpenRequest, maxMemoryBytes: number): Promise<EngineProcess> {
    const { path, execArgv } = workerFile();
    const child = fork(path, [], {
      ...limitedProgram(execArgv, maxMemoryBytes, request.maxDatabaseBytes),
      serialization: 'advanced', // Whole numbers beyond 2^53 and bytes cross as they are.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {}, // The worker needs none of its parent's settings or secrets.
    });
    const started = new EngineProcess(child, maxMemoryBytes);
    try {
      await started.call('open', request);
    } catch (error) {
      started.kill(new GraphStoreError('unavailable', 'The database could not be opened.', { cause: error }));
      throw error;
    }
    return started;
  }

  get isAlive(): boolean {
    return this.#death === undefined;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  call<C extends CallName>(call: C, ask: Calls[C]['ask']): Promise<Calls[C]['answer']> {
    if (this.#death !== undefined) return Promise.reject(this.#death);
    this.usedAt = Date.now();
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      // The worker sends exactly one reply for each call; both sides are typed by `Calls`.
      this.#waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject });
      this.#child.send({ id, call, ask }, (error) => {
        if (error !== null)
          this.#fail(
            new GraphStoreError('unavailable', 'The graph engine stopped; retry the query.', { cause: error }),
          );
      });
    });
  }

  /** Kills the worker at once; all pending calls fail with `reason`. */
  kill(reason: GraphStoreError): void {
    this.#fail(reason);
    this.#child.kill('SIGKILL');
  }

  /** Lets the worker checkpoint its log and close its file; kills it when that takes too long. */
  async close(): Promise<void> {
    if (this.#death !== undefined) return this.exited;
    const timer = setTimeout(
      () => this.kill(new GraphStoreError('unavailable', 'The graph engine did not close in time.')),
      maxCloseMs,
    );
    try {
      await this.call('close', null);
    } finally {
      clearTimeout(timer);
      this.#fail(new GraphStoreError('unavailable', 'The database was closed.'));
      await this.exited;
    }
  }

  #receive(reply: Reply): void {
    this.#beatAt = Date.now();
    if ('beat' in reply) return;
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('failure' in reply) {
      const { code, message, detail, rejects = [] } = reply.failure;
      const cause = detail === undefined ? undefined : new Error(detail);
      waiting?.reject(new GraphStoreError(code, message, { rejects, cause }));
    } else {
      waiting?.resolve(reply.answer);
    }
  }

  #fail(reason: GraphStoreError): void {
    if (this.#death !== undefined) return;
    this.#death = reason;
    this.#stopWatching();
    for (const waiting of this.#waiting.values()) waiting.reject(reason);
    this.#waiting.clear();
  }
}
