import { defineJob, kernel } from '@pacioli/core';
import { expiredBackups, failLostBackups, markExpired } from '../backups/index.ts';
import { attempt, throwFailures } from '../files/index.ts';

const backupsPerTurn = 100;
/** Longer than all attempts of a backup take. */
const lostAfterMs = 86_400_000;

export default defineJob({
  name: 'expire-backups',
  summary: 'Removes the files of backups whose time is over, and fails those whose process was killed.',
  everySeconds: 86_400,
  maxSeconds: 600,
  services: { files: kernel.fileStore },
  async handle({ ctx, use }) {
    const before = new Date(ctx.now().getTime() - lostAfterMs);
    await ctx.store.transaction('kernel', (tx) => failLostBackups(tx, before, ctx.now()));
    const failures: unknown[] = [];
    for (;;) {
      let expired = 0;
      const due = await ctx.store.transaction('kernel', (tx) => expiredBackups(tx, ctx.now(), backupsPerTurn));
      for (const backup of due) {
        if (ctx.signal.aborted) return;
        // The file first: a row without its file says what is missing, a file without its row would stay forever.
        const isExpired = await attempt(failures, async () => {
          await use.files.remove(backup.file_key);
          await ctx.store.transaction('kernel', (tx) => markExpired(tx, backup));
        });
        if (isExpired) expired += 1;
      }
      // Those that failed are due again at once.
      if (due.length < backupsPerTurn || expired === 0) break;
    }
    throwFailures(failures);
  },
});
