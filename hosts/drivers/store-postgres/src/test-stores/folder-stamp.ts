import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const leftOut = new Set(['node_modules', 'test', '.cache']);

/**
 * Changes with the size or the time of any file below a folder, apart from installed packages and tests. A checkout
 * gives files new times, so its stamp is another one.
 */
export function folderStamp(folder: string): string {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !leftOut.has(name))
    .map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return folderStamp(path);
      const { size, mtimeMs } = statSync(path);
      return `${path} ${size} ${mtimeMs}`;
    })
    .join('\n');
}
