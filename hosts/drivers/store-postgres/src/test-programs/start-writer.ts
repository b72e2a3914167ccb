import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Starts a process that writes rows into the store of a folder and prints each committed one, until it is killed. Each
 * row has a text of that length; so many transactions run or wait at any time.
 */
export function startWriter(folder: string, { textLength = 0, writers = 1 } = {}): ChildProcess {
  const program = fileURLToPath(new URL('./write-until-killed.ts', import.meta.url));
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const flags = ['--conditions', '@pacioli/source', '--import', loader];
  return spawn(process.execPath, [...flags, program, folder, String(textLength), String(writers)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
