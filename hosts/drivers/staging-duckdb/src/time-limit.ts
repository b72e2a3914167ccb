import { StagingError } from '@pacioli/core/ports';

/** One limit for all parts of a request: waiting for its turn, reading rows, and the statement. */
export class TimeLimit {
  readonly #endsAt: number;
  /** Aborts at the limit or when the caller leaves, with the error that is to be thrown. */
  readonly signal: AbortSignal;
  readonly #stop: () => void;

  constructor(maxMs: number, caller: AbortSignal) {
    this.#endsAt = performance.now() + maxMs;
    const controller = new AbortController();
    this.signal = controller.signal;
    const cancel = (): void => controller.abort(new StagingError('cancelled', 'The query was cancelled.'));
    const timer = setTimeout(() => controller.abort(timeout()), maxMs);
    caller.addEventListener('abort', cancel, { once: true });
    if (caller.aborted) cancel();
    this.#stop = () => {
      clearTimeout(timer);
      caller.removeEventListener('abort', cancel);
    };
  }

  /** Milliseconds until the limit; throws when it is over. */
  remainingMs(): number {
    this.signal.throwIfAborted();
    const remaining = Math.ceil(this.#endsAt - performance.now());
    if (remaining <= 0) throw timeout();
    return remaining;
  }

  /** Runs work that may still wait when the limit ends; it must stop by itself then. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      const ended = new Promise<never>((_, reject) => {
        const fail = (): void => reject(this.signal.reason);
        if (this.signal.aborted) fail();
        else this.signal.addEventListener('abort', fail, { once: true });
      });
      return await Promise.race([ended, work()]);
    } finally {
      this.#stop();
    }
  }
}

const timeout = (): StagingError => new StagingError('timeout', 'The statement was stopped at its time limit.');
