import { defineJob, kernel } from '@pacioli/core';
import { attempt, neverIngested, removeNeverIngested, throwFailures } from '../files/index.ts';

const dayMs = 86_400_000;
const filesPerTurn = 500;

export default defineJob({
  name: 'sweep-uploads',
  summary: 'Forgets uploads that were granted a day ago and never ingested.',
  everySeconds: 3_600,
  maxSeconds: 300,
  services: { files: kernel.fileStore },
  async handle({ ctx, use }) {
    const before = new Date(ctx.now().getTime() - dayMs);
    const failures: unknown[] = [];
    // The client may have sent the content without asking for its ingestion.
    const remove = (file: (typeof due)[number]): Promise<void> =>
      ctx.store.transaction('kernel', (tx) => removeNeverIngested(tx, file, before, (key) => use.files.remove(key)));
    let due: Awaited<ReturnType<typeof neverIngested>> = [];
    do {
      const page = { after: due.at(-1), limit: filesPerTurn };
      due = await ctx.store.transaction('kernel', (tx) => neverIngested(tx, before, page), { readOnly: true });
      for (const file of due) {
        if (ctx.signal.aborted) return;
        await attempt(failures, () => remove(file));
      }
    } while (due.length === filesPerTurn);
    throwFailures(failures);
  },
});
