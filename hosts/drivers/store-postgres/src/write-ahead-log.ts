import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Each checkpoint makes the next change of a page log the whole page, so frequent ones would write more. */
const maxBytes = 32 * 2 ** 20;
const segmentName = /^[0-9A-F]{24}$/;

/**
 * Bounds the files of the embedded engine's write-ahead log. The engine runs in single-user mode, in which PostgreSQL
 * starts no checkpoint, and only a checkpoint lets it remove files.
 */
export class WriteAheadLog {
  readonly #folder: string;
  readonly #checkpoint: () => Promise<unknown>;
  #isRunning = false;

  constructor(dataFolder: string, checkpoint: () => Promise<unknown>) {
    this.#folder = join(dataFolder, 'pg_wal');
    this.#checkpoint = checkpoint;
  }

  /** Starts a checkpoint if the files have grown. Counts them synchronously, so that it precedes the next transaction. */
  check(): void {
    if (this.#isRunning || this.#bytes() <= maxBytes) return;
    this.#isRunning = true;
    this.#checkpoint()
      // The next transaction tries again.
      .catch(() => undefined)
      .finally(() => {
        this.#isRunning = false;
      });
  }

  #bytes(): number {
    try {
      const segments = readdirSync(this.#folder).filter((name) => segmentName.test(name));
      return segments.reduce((total, name) => total + statSync(join(this.#folder, name)).size, 0);
    } catch {
      // The engine reports an unreadable folder with its next statement.
      return 0;
    }
  }
}
