import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The size at which a checkpoint is due. The embedded engine runs in single-user mode, in which PostgreSQL starts no
 * checkpoint, and only a checkpoint lets it remove files. Frequent ones would write more, because each makes the next
 * change of a page log the whole page.
 */
export const maxWriteAheadLogBytes = 32 * 2 ** 20;

const segmentName = /^[0-9A-F]{24}$/;

/** Returns the bytes of the write-ahead log in a data folder. */
export function writeAheadLogBytes(dataFolder: string): number {
  const folder = join(dataFolder, 'pg_wal');
  try {
    const segments = readdirSync(folder).filter((name) => segmentName.test(name));
    return segments.reduce((total, name) => total + statSync(join(folder, name)).size, 0);
  } catch {
    // The engine reports an unreadable folder with its next statement.
    return 0;
  }
}
