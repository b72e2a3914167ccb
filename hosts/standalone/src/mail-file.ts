import { open, rename, stat } from 'node:fs/promises';
import type { Mail } from '@pacioli/core/assembly';

/** A longer file is renamed to `<file>.1`, replacing the previous one. */
const maxFileBytes = 10 * 1024 * 1024;

/**
 * Appends messages to a file that only its owner can read, for a deployment without a mail server whose operator passes
 * links on manually. It does not verify any address.
 */
export function fileMail(file: string, now: () => Date = () => new Date()): Mail {
  return {
    delivery: 'operator',
    send: async ({ to, subject, text }) => {
      const known = await stat(file).catch(() => undefined);
      if (known !== undefined && known.size > maxFileBytes) await rename(file, `${file}.1`);
      const handle = await open(file, 'a', 0o600);
      try {
        await handle.write(`Date: ${now().toISOString()}\nTo: ${to}\nSubject: ${subject}\n\n${text}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
  };
}
