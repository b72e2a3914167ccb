import { defineJob, kernel } from '@pacioli/core';
import { expiredBackups, markExpired } from '../backups/index.ts';

const backupsPerTurn = 100;

export default defineJob({
  name: 'expire-backups',
  summary: 'Removes the files of backups whose time is over.',
  everySeconds: 86_400,
  maxSeconds: 600,
  services: { files: kernel.fileStore },
  async handle({ ctx, use }) {
    for (;;) {
      const due = await ctx.store.transaction('kernel', (tx) => expiredBackups(tx, ctx.now(), backupsPerTurn));
      for (const backup of due) {
        if (ctx.signal.aborted) return;
        // The file first: a row without its file says what is missing, a file without its row would stay forever.
        await use.files.remove(backup.file_key);
        await ctx.store.transaction('kernel', (tx) => markExpired(tx, backup));
      }
      if (due.length < backupsPerTurn) return;
    }
  },
});
