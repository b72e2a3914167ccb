import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Files that are removed after use. Another process may use younger ones; older ones are of a process that was killed. */
const maxPassingMs = 3_600_000;
const passing = /^(?:upload-[0-9a-f-]+(?:\.\w+)?|\w+\.duckdb\.export(?:-[0-9a-f-]+)?\.parquet)$/;

/** Makes the folder of the staging databases, and removes what a process that was killed left in it. */
export async function openFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of (await readdir(folder)).filter((each) => passing.test(each))) {
    const path = join(folder, name);
    const changedAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(), // Removed meanwhile.
    );
    if (changedAt < Date.now() - maxPassingMs) await rm(path, { recursive: true, force: true });
  }
}
