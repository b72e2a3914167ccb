import type { Graphs, Store } from '@pacioli/core';
import { isStagingError, type StagedTable, type StagingStore, type UnrecordedFile } from '@pacioli/core/ports';
import { lockFile, noteStagedAgain } from './stored-files.ts';

export interface SettlingParts {
  readonly store: Store;
  readonly staging: StagingStore;
  readonly graphs: Graphs;
}

/**
 * Works on the staged rows of a graph. When a process was killed after it staged a file and before it recorded that, its
 * rows are settled first: what is read are the files that the record calls staged (graphs T-9).
 */
export async function withSettled<T>(
  services: SettlingParts,
  graphId: string,
  tables: readonly StagedTable[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isStagingError(error) || error.code !== 'unrecorded') throw error;
    await services.staging.settle(graphId, tables, (file) => isKept(services, graphId, file));
    return work();
  }
}

/** True for a file that was staged before, whose new rows have replaced the earlier ones. */
function isKept({ store, graphs }: SettlingParts, graphId: string, { id, rows }: UnrecordedFile): Promise<boolean> {
  return store.transaction({ graphId }, async (tx) => {
    // The lock waits for a commit that the killed process had sent.
    const file = await lockFile(tx, id);
    if (file === undefined || file.row_count === null) return false;
    await noteStagedAgain(tx, id, rows);
    await graphs.markStale(tx, graphId, `file_staged: ${file.file_name}`);
    return true;
  });
}
