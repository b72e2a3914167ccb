import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const leftOut = new Set(['node_modules', 'test', '.cache']);

/**
 * Changes with the size or modification time of any file below a folder, except installed packages and tests. A fresh
 * checkout has new times and therefore another stamp.
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
