import { Worker } from 'node:worker_threads';

/** The heap of a thread's JavaScript; the engine and its answers are outside. Beyond it the thread ends like a crash. */
const maxHeapMb = 128;

/** The compiled engine, which threads share. */
export interface CompiledEngine {
  readonly compiled: object;
}

/**
 * Starts the threads that run the embedded database. This file loads nothing else, so that a program can start the
 * first thread at once: it loads and compiles the engine while the rest of the program loads, and touches no folder.
 */
export class EmbeddedEngine {
  #compiled: object | undefined;
  #waiting: Worker | undefined;

  /** Starts a thread that waits for a session. It does not keep the process alive. */
  start(): void {
    if (this.#waiting !== undefined) return;
    const worker = this.#newThread();
    worker.unref();
    // A thread that fails while it waits is dropped. The session then starts another one and reports its failure.
    const forget = (): void => {
      if (this.#waiting === worker) this.#waiting = undefined;
    };
    worker.once('error', forget);
    worker.once('exit', forget);
    this.#waiting = worker;
  }

  /** Tells the waiting thread, or a new one, to open the folder. */
  open(folder: string): Worker {
    const worker = this.#waiting ?? this.#newThread();
    this.#waiting = undefined;
    worker.ref();
    worker.postMessage({ folder });
    return worker;
  }

  /** Ends a thread that no session uses. */
  async stop(): Promise<void> {
    const worker = this.#waiting;
    this.#waiting = undefined;
    await worker?.terminate();
  }

  #newThread(): Worker {
    const worker = new Worker(new URL('./pglite-worker.mjs', import.meta.url), {
      workerData: { compiled: this.#compiled },
      // The flags of the main thread, such as loaders, mean nothing to this file.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    // Kept so that threads started later do not compile it again.
    worker.on('message', (message: object) => {
      // Every message is an object, and only this kind of it has the property.
      if ('compiled' in Object(message)) this.#compiled = (message as CompiledEngine).compiled;
    });
    return worker;
  }
}
