import { Notifier } from './notifier.ts';

/**
 * Looks for work until it is stopped: when it is notified, and at the latest after `pollMs`. A notification during a
 * look makes another one follow at once, because the look may already be past the new work.
 */
export class WorkLoop {
  readonly #look: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #pollMs: number;
  readonly #notifier = new Notifier();
  #isStopping = false;
  #ended: Promise<void> = Promise.resolve();

  constructor(use: {
    readonly look: () => Promise<void>;
    /** Called when a look fails; the loop goes on. */
    readonly onError: (error: unknown) => void;
    readonly pollMs: number;
  }) {
    this.#look = use.look;
    this.#onError = use.onError;
    this.#pollMs = use.pollMs;
  }

  start(): void {
    this.#ended = this.#run();
  }

  notify(): void {
    this.#notifier.notify();
  }

  /** Resolves at the end of the current look. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#notifier.notify();
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      try {
        await this.#look();
      } catch (error) {
        this.#onError(error);
      }
      await this.#notifier.wait(this.#pollMs);
    }
  }
}
