import type { TypeOf } from '@pacioli/core';
import type backupResponse from '../models/BackupResponse.ts';
import type { Backup } from './stored-backups.ts';

/** A backup as the wire shows it; a backup of a deleted subgraph has the subgraph’s id. */
export function backupAnswer(backup: Backup): TypeOf<typeof backupResponse> {
  return {
    backup_id: backup.backup_id,
    graph_id: backup.of_graph_id,
    backup_format: 'full_dump',
    backup_type: 'full',
    status: backup.status,
    original_size_bytes: backup.original_bytes,
    compressed_size_bytes: backup.compressed_bytes,
    compression_ratio: backup.original_bytes === 0 ? 1 : ratio(backup.compressed_bytes / backup.original_bytes),
    node_count: backup.nodes,
    relationship_count: backup.relationships,
    backup_duration_seconds: backup.seconds,
    compression_enabled: true,
    created_at: backup.created_at.toISOString(),
    completed_at: backup.completed_at?.toISOString() ?? null,
    expires_at: backup.expires_at.toISOString(),
    initiated_by: backup.initiated_by,
    // This deployment has no memory stores.
    memory_included: false,
    download_extension: backup.status === 'completed' ? extensionOf(backup) : null,
  };
}

/** To three decimals (graphs B-7). */
export const ratio = (value: number): number => Math.round(value * 1_000) / 1_000;

/** The end of the file’s name, such as `.lbug.zip`. */
function extensionOf({ file_key, backup_id }: Pick<Backup, 'file_key' | 'backup_id'>): string {
  return file_key.slice(file_key.indexOf(backup_id) + backup_id.length);
}

/** The name under which a backup is downloaded: graph, time and extension (graphs B-4). */
export function fileNameOf(backup: Backup): string {
  const time = backup.created_at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '_');
  return `${backup.of_graph_id}_${time}${extensionOf(backup)}`;
}
