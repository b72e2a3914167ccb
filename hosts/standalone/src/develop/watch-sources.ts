import { join, relative } from 'node:path';
import { watch } from 'chokidar';

/** An editor writes a file in several steps, and a generator several files; they count as one change. */
const settleMs = 150;
const ignored = /\.(gen|test)\.ts$|~$|\.sw[a-z]$/;
const configNames = ['pacioli.config.ts', 'pacioli.config.mjs', 'pacioli.config.js'];

/**
 * Calls back after each change of files below the folder's `src`, except generated files and tests, and of its
 * `pacioli.config.ts`; folders and files may be added later. Returns a function that ends the watch.
 */
export function watchSources(folder: string, onChange: () => void): () => Promise<void> {
  let settle: NodeJS.Timeout | undefined;
  const paths = ['src', ...configNames].map((name) => join(folder, name));
  const watcher = watch(paths, {
    ignoreInitial: true,
    ignored: (path) => ignored.test(relative(folder, path)),
  });
  watcher.on('all', () => {
    clearTimeout(settle);
    settle = setTimeout(onChange, settleMs);
  });
  return async () => {
    clearTimeout(settle);
    await watcher.close();
  };
}
