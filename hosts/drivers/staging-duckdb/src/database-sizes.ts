import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface DatabaseSize {
  readonly graphId: string;
  readonly size_bytes: number;
}

/** The disk space of each graph's database with its write-ahead file, or of one graph's. */
export async function databaseSizes(folder: string, graphId?: string): Promise<readonly DatabaseSize[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  const sizes = new Map<string, number>();
  for (const name of names.sort()) {
    const owner = /^([a-zA-Z0-9_]+)\.duckdb(?:\.wal)?$/.exec(name)?.[1];
    if (owner === undefined || (graphId !== undefined && owner !== graphId)) continue;
    const bytes = await stat(join(folder, name)).then(
      ({ size }) => size,
      () => 0, // Removed during the scan.
    );
    sizes.set(owner, (sizes.get(owner) ?? 0) + bytes);
  }
  return [...sizes].map(([id, sizeBytes]) => ({ graphId: id, size_bytes: sizeBytes }));
}
