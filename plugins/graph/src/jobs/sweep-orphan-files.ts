import { defineJob, kernel, type Store } from '@pacioli/core';
import { attempt, existingFiles, fileOfKey, throwFailures, uploadedFilesPrefix } from '../files/index.ts';

/** Longer than an upload URL is valid, so that no row is still to come. */
const minAgeMs = 86_400_000;
const filesPerTurn = 500;

export default defineJob({
  name: 'sweep-orphan-files',
  summary: 'Removes uploaded content without a file, such as what a client sent after the file was deleted.',
  everySeconds: 86_400,
  maxSeconds: 1_800,
  services: { files: kernel.fileStore },
  async handle({ ctx, use }) {
    const before = ctx.now().getTime() - minAgeMs;
    const failures: unknown[] = [];
    const remove = async (keys: readonly string[]): Promise<void> => {
      for (const key of await orphansOf(ctx.store, keys)) await attempt(failures, () => use.files.remove(key));
    };
    let waiting: string[] = [];
    for await (const { key, modifiedAt } of use.files.list(uploadedFilesPrefix)) {
      if (ctx.signal.aborted) return;
      if (modifiedAt.getTime() < before) waiting.push(key);
      if (waiting.length < filesPerTurn) continue;
      await remove(waiting);
      waiting = [];
    }
    await remove(waiting);
    throwFailures(failures);
  },
});

async function orphansOf(store: Store, keys: readonly string[]): Promise<readonly string[]> {
  const files = keys.flatMap((key) => fileOfKey(key) ?? []);
  const rows = await store.transaction('kernel', (tx) => existingFiles(tx, files), { readOnly: true });
  const existing = new Set(rows.map(({ file_key: key }) => key));
  return keys.filter((key) => fileOfKey(key) !== undefined && !existing.has(key));
}
