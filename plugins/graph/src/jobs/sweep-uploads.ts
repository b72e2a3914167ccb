import { defineJob, kernel } from '@pacioli/core';
import { neverUploaded } from '../files/index.ts';

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
    for (;;) {
      const gone = await ctx.store.transaction('kernel', (tx) => neverUploaded(tx, before, filesPerTurn));
      // The client may have sent the content without asking for its ingestion.
      for (const { file_key } of gone) await use.files.remove(file_key);
      if (gone.length < filesPerTurn || ctx.signal.aborted) return;
    }
  },
});
