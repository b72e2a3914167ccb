import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { GenerationSize } from '@pacioli/core/ports';
import { isTemporary } from './database-files.ts';

/** The database file of a generation, or one of the files that the engine keeps next to it. */
const fileForm = /^(?<graphId>[a-zA-Z0-9_]+)\.g(?<generation>\d+)\.lbug(?:\.|$)/;

/**
 * Adds up the files of every generation in the folder, or of those of one graph, in their order. Files that are not
 * complete and snapshots are not storage of the graph.
 */
export async function measureSizes(folder: string, graphId?: string): Promise<readonly GenerationSize[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  const sizes = new Map<string, GenerationSize>();
  for (const name of names.sort()) {
    const found = fileForm.exec(name)?.groups;
    const owner = found?.['graphId'];
    if (owner === undefined || isTemporary(name) || (graphId !== undefined && owner !== graphId)) continue;
    const generation = Number(found?.['generation']);
    const key = `${owner}.g${generation}`;
    const before = sizes.get(key)?.size_bytes ?? 0;
    sizes.set(key, { graphId: owner, generation, size_bytes: before + (await sizeOf(join(folder, name))) });
  }
  return [...sizes.values()];
}

/** A file that is removed during the scan counts as 0 bytes. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}
