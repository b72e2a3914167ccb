import type { Ids } from '@pacioli/core';
import type { GenerationRef } from '@pacioli/core/ports';
import { addBackup, type InitiatedBy } from './stored-backups.ts';
import { type BackedUpGraph, type SnapshotServices, takeBackup } from './take-backup.ts';

export interface BackupServices extends SnapshotServices {
  readonly ids: Ids;
}

export interface GraphBackup {
  /** The graph in whose list the backup is: that of a subgraph is in the list of its parent. */
  readonly listedUnder: string;
  readonly of: BackedUpGraph;
  /** The database of the graph; by default the active one. */
  readonly database?: GenerationRef;
  readonly initiatedBy: InitiatedBy;
  readonly retentionDays: number;
  readonly signal: AbortSignal;
}

/** Adds a backup to the list of a graph and takes it at once. Throws the reason of a failure, which the list shows too. */
export async function backUpGraph(
  services: BackupServices,
  { listedUnder: graphId, of, initiatedBy, retentionDays, ...rest }: GraphBackup,
): Promise<{ readonly id: string; readonly key: string }> {
  const id = services.ids.make('bk');
  const extension = services.graphStore.capabilities.snapshotExtension;
  const now = services.clock.now();
  await services.store.transaction({ graphId }, (tx) =>
    addBackup(tx, { id, graphId, ofGraphId: of.id, initiatedBy, extension, retentionDays, now }),
  );
  const { key } = await takeBackup(services, { ...rest, graphId, backupId: id, of });
  return { id, key };
}
