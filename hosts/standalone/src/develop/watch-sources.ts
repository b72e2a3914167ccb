import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';

/** An editor writes a file in several steps, and a generator several files; they count as one change. */
const settleMs = 150;
const ignored = /\.(gen|test)\.ts$|~$|\.sw[a-z]$/;
const config = /^pacioli\.config\.(ts|mjs|js)$/;

/**
 * Calls back after each change of files below the folder's `src`, except generated files and tests, and of its
 * `pacioli.config.ts`. Returns a function that ends the watch.
 */
export function watchSources(folder: string, onChange: () => void): () => void {
  let settle: NodeJS.Timeout | undefined;
  const changed = (): void => {
    clearTimeout(settle);
    settle = setTimeout(onChange, settleMs);
  };
  const top = watch(folder, (_event, file) => {
    if (file !== null && config.test(file)) changed();
  });
  const source = join(folder, 'src');
  const sources = existsSync(source) ? watch(source, { recursive: true }) : undefined;
  sources?.on('change', (_event, file) => {
    if (!ignored.test(String(file))) changed();
  });
  return () => {
    clearTimeout(settle);
    top.close();
    sources?.close();
  };
}
