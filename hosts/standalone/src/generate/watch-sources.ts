import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';

/** An editor writes a file in several steps, and a generator several files; they count as one change. */
const settleMs = 150;

/** Calls back after each change of files below the folder's `src`, except generated files and tests. */
export function watchSources(folder: string, onChange: () => void): FSWatcher {
  let settle: NodeJS.Timeout | undefined;
  return watch(join(folder, 'src'), { recursive: true }, (_event, file) => {
    if (file !== null && /\.(gen|test)\.ts$|~$|\.sw[a-z]$/.test(file)) return;
    clearTimeout(settle);
    settle = setTimeout(onChange, settleMs);
  });
}
