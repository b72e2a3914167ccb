import { columnsOf, type RowOf, ServiceError, sql, type Transaction, tierNumbers } from '@pacioli/core';
import type { GraphBackupEntry } from '../rows.gen.ts';

export type InitiatedBy = GraphBackupEntry['initiated_by'];

const backupColumns = columnsOf<GraphBackupEntry>()(
  'backup_id',
  'graph_id',
  'of_graph_id',
  'status',
  'initiated_by',
  'file_key',
  'original_bytes',
  'compressed_bytes',
  'nodes',
  'relationships',
  'seconds',
  'created_at',
  'completed_at',
  'expires_at',
);

export type Backup = RowOf<typeof backupColumns>;

export interface NewBackup {
  readonly id: string;
  /** The graph in whose list it is. */
  readonly graphId: string;
  readonly ofGraphId: string;
  readonly initiatedBy: InitiatedBy;
  readonly extension: string;
  readonly retentionDays: number;
  readonly now: Date;
}

const dayMs = 86_400_000;

/** Backups that replace a graph which is deleted or overwritten are kept this long, whatever the tier (graphs B-12). */
export const finalRetentionDays = 90;

/** Adds the row of a backup, which is not taken yet. */
export async function addBackup(tx: Transaction, backup: NewBackup): Promise<void> {
  const expiresAt = new Date(backup.now.getTime() + backup.retentionDays * dayMs);
  const key = `backups/${backup.graphId}/${backup.id}.${backup.extension}.zip`;
  await tx.query(sql`
    INSERT INTO graph_backup_entry (graph_id, backup_id, of_graph_id, status, initiated_by, file_key, created_at, expires_at)
    VALUES (${backup.graphId}, ${backup.id}, ${backup.ofGraphId}, 'pending', ${backup.initiatedBy}, ${key},
      ${backup.now}, ${expiresAt})`);
}

/**
 * Throws 429 if the graph has no backup left today (graphs B-2). Requests of one graph are serialized until the commit,
 * so that the last one is given once.
 */
export async function requireBackupToday(
  tx: Transaction,
  graph: { readonly id: string; readonly tier: string },
  now: Date,
): Promise<void> {
  const most = tierNumbers(graph.tier).backup.maxPerDay;
  if (most < 0) return;
  await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`graph.backups.${graph.id}`}, 0))`);
  const today = new Date(Math.floor(now.getTime() / dayMs) * dayMs);
  const [count] = await tx.query(sql<{ taken: number }>`SELECT count(*)::integer AS taken FROM graph_backup_entry
    WHERE graph_id = ${graph.id} AND of_graph_id = ${graph.id} AND initiated_by = 'user' AND status <> 'failed'
      AND created_at >= ${today}`);
  const taken = count?.taken ?? 0;
  if (taken < most) return;
  throw new ServiceError(
    'rate_limited',
    'BACKUP_LIMIT_REACHED',
    `Daily backup limit reached for this graph (${taken}/${most} on the ${graph.tier} tier). ` +
      'Scheduled backups do not count. Take the next one tomorrow (UTC), or move to a larger tier.',
    { headers: { 'Retry-After': String(Math.ceil((today.getTime() + dayMs - now.getTime()) / 1_000)) } },
  );
}

export async function startBackup(tx: Transaction, backupId: string): Promise<Backup | undefined> {
  const [row] = await tx.query(sql<Backup>`UPDATE graph_backup_entry SET status = 'in_progress'
    WHERE backup_id = ${backupId} AND graph_id = ${tx.graphId} AND status IN ('pending', 'in_progress')
    RETURNING ${backupColumns}`);
  return row;
}

export interface TakenBackup {
  readonly originalBytes: number;
  readonly compressedBytes: number;
  readonly nodes: number;
  readonly relationships: number;
  readonly seconds: number;
}

export async function completeBackup(tx: Transaction, backupId: string, taken: TakenBackup, now: Date): Promise<void> {
  await tx.query(sql`UPDATE graph_backup_entry SET status = 'completed', completed_at = ${now},
    original_bytes = ${taken.originalBytes}, compressed_bytes = ${taken.compressedBytes}, nodes = ${taken.nodes},
    relationships = ${taken.relationships}, seconds = ${taken.seconds}
    WHERE graph_id = ${tx.graphId} AND backup_id = ${backupId}`);
}

export async function failBackup(tx: Transaction, backupId: string, reason: string, now: Date): Promise<void> {
  await tx.query(sql`UPDATE graph_backup_entry SET status = 'failed', completed_at = ${now}, error = ${reason.slice(0, 500)}
    WHERE graph_id = ${tx.graphId} AND backup_id = ${backupId} AND status IN ('pending', 'in_progress')`);
}

/** Fails the backups whose processes were killed, of all graphs. In a kernel transaction. */
export async function failLostBackups(tx: Transaction, before: Date, now: Date): Promise<void> {
  const reason = 'The process that took it was lost.';
  await tx.query(sql`UPDATE graph_backup_entry SET status = 'failed', completed_at = ${now}, error = ${reason}
    WHERE status IN ('pending', 'in_progress') AND created_at < ${before}`);
}

/** Fails the last backups of subgraphs whose deletion lost its process. In a kernel transaction. */
export async function failFinalBackups(tx: Transaction, ofGraphIds: readonly string[], now: Date): Promise<void> {
  const reason = 'The process that took it was lost.';
  // They are in the list of the parent, unlike the backup that comes before a restore.
  await tx.query(sql`UPDATE graph_backup_entry SET status = 'failed', completed_at = ${now}, error = ${reason}
    WHERE of_graph_id = ANY (${[...ofGraphIds]}::text[]) AND graph_id <> of_graph_id AND initiated_by = 'final'
      AND status IN ('pending', 'in_progress')`);
}

/**
 * Moves the backups of a subgraph that is deleted into the list of its parent, where they stay until they expire; a
 * later subgraph of the same name must not see them (graphs SG-13). Those that are not complete have failed. In a kernel
 * transaction.
 */
export async function moveBackups(
  tx: Transaction,
  { from, to, now }: { readonly from: string; readonly to: string; readonly now: Date },
): Promise<void> {
  const reason = 'The subgraph was deleted.';
  await tx.query(sql`UPDATE graph_backup_entry SET status = 'failed', completed_at = ${now}, error = ${reason}
    WHERE graph_id = ${from} AND status IN ('pending', 'in_progress')`);
  await tx.query(sql`UPDATE graph_backup_entry SET graph_id = ${to} WHERE graph_id = ${from}`);
}

/** A page of the backups of a graph that have not expired, the newest first, and the number of all of them. */
export async function listBackups(
  tx: Transaction,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly backups: readonly Backup[]; readonly total: number }> {
  const listed = sql`FROM graph_backup_entry WHERE graph_id = ${tx.graphId} AND status <> 'expired'`;
  const backups = await tx.query(sql<Backup>`
    SELECT ${backupColumns} ${listed} ORDER BY created_at DESC, backup_id DESC LIMIT ${page.limit} OFFSET ${page.offset}`);
  const [count] = await tx.query(sql<{ readonly total: number }>`SELECT count(*) AS total ${listed}`);
  return { backups, total: count?.total ?? 0 };
}

/** A backup that can be downloaded. */
export async function findDownloadable(tx: Transaction, backupId: string, now: Date): Promise<Backup | undefined> {
  const [row] = await tx.query(sql<Backup>`SELECT ${backupColumns} FROM graph_backup_entry
    WHERE graph_id = ${tx.graphId} AND backup_id = ${backupId} AND status = 'completed' AND expires_at > ${now}`);
  return row;
}

export interface BackupSummary {
  /** Those that can be restored. */
  readonly completed: number;
  /** When the newest of them was taken. */
  readonly latest: Date | null;
  /** True if the newest that has ended has failed. */
  readonly hasFailed: boolean;
}

/**
 * The backups of the database of a graph, also those of a subgraph in the list of its parent. Those from before `since`
 * are of an earlier subgraph of the same name. In a kernel transaction.
 */
export async function backupSummary(
  tx: Transaction,
  { id, parentId, since }: { readonly id: string; readonly parentId?: string | undefined; readonly since: Date },
): Promise<BackupSummary> {
  const [row] = await tx.query(sql<{ completed: number; latest: Date | null; last_failed: boolean | null }>`
    SELECT count(*) FILTER (WHERE status = 'completed')::integer AS completed,
      max(created_at) FILTER (WHERE status = 'completed') AS latest,
      max(created_at) FILTER (WHERE status = 'failed')
        > COALESCE(max(created_at) FILTER (WHERE status IN ('completed', 'expired')), '-infinity') AS last_failed
    FROM graph_backup_entry WHERE graph_id = ANY (${parentId === undefined ? [id] : [id, parentId]}::text[])
      AND of_graph_id = ${id} AND created_at >= ${since}`);
  return { completed: row?.completed ?? 0, latest: row?.latest ?? null, hasFailed: row?.last_failed === true };
}

export interface BackupStats {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly original_bytes: number;
  readonly compressed_bytes: number;
  readonly saved_original: number;
  readonly saved_compressed: number;
  readonly mean_ratio: number | null;
  readonly latest: Date | null;
  readonly expired: number;
}

export async function backupStats(tx: Transaction): Promise<BackupStats> {
  const [row] = await tx.query(sql<BackupStats>`
    SELECT count(*)::integer AS total, count(*) FILTER (WHERE completed_at IS NOT NULL AND error IS NULL)::integer AS completed,
      count(*) FILTER (WHERE status = 'failed')::integer AS failed,
      count(*) FILTER (WHERE status = 'expired')::integer AS expired,
      coalesce(sum(original_bytes), 0)::double precision AS original_bytes,
      coalesce(sum(compressed_bytes), 0)::double precision AS compressed_bytes,
      coalesce(sum(original_bytes) FILTER (WHERE status = 'completed'), 0)::double precision AS saved_original,
      coalesce(sum(compressed_bytes) FILTER (WHERE status = 'completed'), 0)::double precision AS saved_compressed,
      avg(compressed_bytes::double precision / NULLIF(original_bytes, 0)) AS mean_ratio, max(created_at) AS latest
    FROM graph_backup_entry WHERE graph_id = ${tx.graphId}`);
  if (row === undefined) throw new Error('An aggregate always has a row.');
  return row;
}

/** Counts the downloads that a user was granted this month, and locks further ones until the commit (graphs B-11). */
export async function downloadsThisMonth(tx: Transaction, userId: string, now: Date): Promise<number> {
  await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`graph.downloads.${tx.graphId}.${userId}`}, 0))`);
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const [count] = await tx.query(sql<{ granted: number }>`SELECT count(*)::integer AS granted FROM graph_download
    WHERE graph_id = ${tx.graphId} AND user_id = ${userId} AND at >= ${month}`);
  return count?.granted ?? 0;
}

export async function noteDownload(tx: Transaction, backupId: string, userId: string, now: Date): Promise<void> {
  await tx.query(sql`INSERT INTO graph_download (graph_id, backup_id, user_id, at)
    VALUES (${tx.graphId}, ${backupId}, ${userId}, ${now})`);
}

/** The backups of all graphs whose time is over, in a kernel transaction. */
export function expiredBackups(tx: Transaction, now: Date, limit: number): Promise<readonly Backup[]> {
  return tx.query(sql<Backup>`SELECT ${backupColumns} FROM graph_backup_entry
    WHERE status <> 'expired' AND expires_at <= ${now} ORDER BY expires_at LIMIT ${limit}`);
}

export async function markExpired(tx: Transaction, backup: Pick<Backup, 'graph_id' | 'backup_id'>): Promise<void> {
  await tx.query(sql`UPDATE graph_backup_entry SET status = 'expired'
    WHERE graph_id = ${backup.graph_id} AND backup_id = ${backup.backup_id}`);
}

/** The graphs and subgraphs of which a final backup was completed since then, in a kernel transaction. */
export async function finalBackupsSince(tx: Transaction, graphId: string, since: Date): Promise<readonly string[]> {
  const rows = await tx.query(sql<Pick<Backup, 'of_graph_id'>>`SELECT of_graph_id FROM graph_backup_entry
    WHERE graph_id = ${graphId} AND initiated_by = 'final' AND status = 'completed' AND created_at >= ${since}`);
  return rows.map((row) => row.of_graph_id);
}
