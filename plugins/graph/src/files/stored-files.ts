import { columnsOf, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { GraphFile } from '../rows.gen.ts';

const fileColumns = columnsOf<GraphFile>()(
  'file_id',
  'position',
  'table_name',
  'file_name',
  'format',
  'file_key',
  'size_bytes',
  'row_count',
  'upload_status',
  'staging_status',
  'graph_status',
  'created_at',
  'uploaded_at',
  'staged_at',
  'ingested_at',
);

export type StoredFile = RowOf<typeof fileColumns>;

export type FileFormat = GraphFile['format'];

/** The most files that are listed at once (graphs 5: files of a copy). */
const maxListed = 10_000;

export async function addFile(
  tx: Transaction,
  file: Pick<GraphFile, 'file_id' | 'user_id' | 'table_name' | 'file_name' | 'format' | 'file_key'>,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    INSERT INTO graph_file (graph_id, file_id, user_id, table_name, file_name, format, file_key, upload_status,
      staging_status, graph_status, created_at)
    VALUES (${tx.graphId}, ${file.file_id}, ${file.user_id}, ${file.table_name}, ${file.file_name}, ${file.format},
      ${file.file_key}, 'pending', 'pending', 'pending', ${now})`);
}

export async function findFile(tx: Transaction, fileId: string): Promise<StoredFile | undefined> {
  const [row] = await tx.query(sql<StoredFile>`SELECT ${fileColumns} FROM graph_file
    WHERE graph_id = ${tx.graphId} AND file_id = ${fileId}`);
  return row;
}

/** The files of a graph, the newest first. */
export function listFiles(
  tx: Transaction,
  filter: { readonly table?: string | undefined; readonly status?: string | undefined } = {},
): Promise<readonly StoredFile[]> {
  const { table = null, status = null } = filter;
  return tx.query(sql<StoredFile>`SELECT ${fileColumns} FROM graph_file
    WHERE graph_id = ${tx.graphId} AND (${table}::text IS NULL OR table_name = ${table})
      AND (${status}::text IS NULL OR upload_status = ${status})
    ORDER BY created_at DESC, position DESC LIMIT ${maxListed}`);
}

export type TableFiles = Pick<GraphFile, 'table_name'> & { readonly files: number; readonly bytes: number };

/** The files that tables have rows of: without those that were rejected, except after they were staged. */
export function filesByTable(tx: Transaction): Promise<readonly TableFiles[]> {
  return tx.query(sql<TableFiles>`SELECT table_name, count(*)::integer AS files,
      coalesce(sum(size_bytes), 0)::double precision AS bytes FROM graph_file
    WHERE graph_id = ${tx.graphId} AND upload_status = 'uploaded'
      AND (staging_status <> 'failed' OR row_count IS NOT NULL) GROUP BY table_name`);
}

/** Notes that the content of a file was found, before it is staged; false if the file was deleted. */
export async function noteFound(tx: Transaction, fileId: string, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`UPDATE graph_file
    SET uploaded_at = CASE WHEN upload_status = 'pending' THEN ${now} ELSE uploaded_at END
    WHERE graph_id = ${tx.graphId} AND file_id = ${fileId} RETURNING 1 AS found`);
  return rows.length === 1;
}

/** False if the file was deleted. */
export async function noteStaged(
  tx: Transaction,
  fileId: string,
  staged: { readonly bytes: number; readonly rows: number; readonly now: Date },
): Promise<boolean> {
  const rows =
    await tx.query(sql`UPDATE graph_file SET upload_status = 'uploaded', uploaded_at = coalesce(uploaded_at, ${staged.now}),
    staging_status = 'staged', staged_at = ${staged.now}, graph_status = 'pending', size_bytes = ${staged.bytes},
    row_count = ${staged.rows} WHERE graph_id = ${tx.graphId} AND file_id = ${fileId} RETURNING 1 AS noted`);
  return rows.length === 1;
}

export async function lockFile(
  tx: Transaction,
  fileId: string,
): Promise<Pick<StoredFile, 'file_name' | 'row_count'> | undefined> {
  const [row] = await tx.query(sql<Pick<StoredFile, 'file_name' | 'row_count'>>`SELECT file_name, row_count
    FROM graph_file WHERE graph_id = ${tx.graphId} AND file_id = ${fileId} FOR UPDATE`);
  return row;
}

/** Notes the rows of a file that was staged before, when its process was killed before it could. */
export async function noteStagedAgain(tx: Transaction, fileId: string, rows: number): Promise<void> {
  await tx.query(sql`UPDATE graph_file SET staging_status = 'staged', graph_status = 'pending', row_count = ${rows}
    WHERE graph_id = ${tx.graphId} AND file_id = ${fileId}`);
}

/** A file that cannot be staged stays, so that staging can be repeated (graphs F-8). */
export async function noteFailed(
  tx: Transaction,
  fileId: string,
  failed: { readonly bytes: number; readonly isUnreadable: boolean; readonly now: Date },
): Promise<void> {
  await tx.query(sql`UPDATE graph_file SET upload_status = ${failed.isUnreadable ? 'failed' : 'uploaded'},
    uploaded_at = coalesce(uploaded_at, ${failed.now}), staging_status = 'failed', size_bytes = ${failed.bytes}
    WHERE graph_id = ${tx.graphId} AND file_id = ${fileId}`);
}

export async function removeFile(tx: Transaction, fileId: string): Promise<boolean> {
  const rows = await tx.query(sql`DELETE FROM graph_file WHERE graph_id = ${tx.graphId} AND file_id = ${fileId}
    RETURNING 1 AS gone`);
  return rows.length === 1;
}

/** Marks what was staged before a build began as part of the graph (graphs M-5). */
export async function noteIngested(tx: Transaction, before: Date, now: Date): Promise<void> {
  await tx.query(sql`UPDATE graph_file SET graph_status = 'ingested', ingested_at = ${now}
    WHERE graph_id = ${tx.graphId} AND staging_status = 'staged' AND staged_at <= ${before}`);
}

/** How many staged files are in the graph, and how many are not yet. */
export async function ingestion(tx: Transaction): Promise<{ readonly ingested: number; readonly waiting: number }> {
  const [row] = await tx.query(sql<{ ingested: number; waiting: number }>`
    SELECT count(*) FILTER (WHERE graph_status = 'ingested')::integer AS ingested,
      count(*) FILTER (WHERE graph_status <> 'ingested' AND staging_status = 'staged')::integer AS waiting
    FROM graph_file WHERE graph_id = ${tx.graphId}`);
  return row ?? { ingested: 0, waiting: 0 };
}

type FileId = Pick<GraphFile, 'graph_id' | 'file_id'>;

const never = (before: Date) => sql`upload_status = 'pending' AND created_at < ${before}
  AND (uploaded_at IS NULL OR uploaded_at < ${before})`;

/**
 * Files of all graphs whose upload was granted before this time and that nobody has ingested since, in the order of their
 * ids. In a kernel transaction (graphs F-4).
 */
export function neverIngested(
  tx: Transaction,
  before: Date,
  { after, limit }: { readonly after: FileId | undefined; readonly limit: number },
): Promise<readonly FileId[]> {
  const { graph_id: graphId, file_id: fileId } = after ?? { graph_id: '', file_id: '' };
  return tx.query(sql<FileId>`SELECT graph_id, file_id FROM graph_file
    WHERE ${never(before)} AND (graph_id, file_id) > (${graphId}, ${fileId})
    ORDER BY graph_id, file_id LIMIT ${limit}`);
}

/**
 * Removes such a file with its content, unless an ingestion has begun. The row is locked, so that none begins meanwhile,
 * and goes last: nothing else knows where the content is.
 */
export async function removeNeverIngested(
  tx: Transaction,
  { graph_id: graphId, file_id: fileId }: FileId,
  before: Date,
  removeContent: (key: string) => Promise<void>,
): Promise<void> {
  const [row] = await tx.query(sql<Pick<GraphFile, 'file_key'>>`SELECT file_key FROM graph_file
    WHERE graph_id = ${graphId} AND file_id = ${fileId} AND ${never(before)} FOR UPDATE`);
  if (row === undefined) return;
  await removeContent(row.file_key);
  await tx.query(sql`DELETE FROM graph_file WHERE graph_id = ${graphId} AND file_id = ${fileId}`);
}

/** Returns the files that still have a row, of any graph. In a kernel transaction. */
export function existingFiles(
  tx: Transaction,
  files: readonly Pick<GraphFile, 'graph_id' | 'file_id'>[],
): Promise<readonly Pick<GraphFile, 'file_key'>[]> {
  const graphIds = files.map(({ graph_id: id }) => id);
  const fileIds = files.map(({ file_id: id }) => id);
  return tx.query(sql<Pick<GraphFile, 'file_key'>>`SELECT file_key FROM graph_file WHERE (graph_id, file_id) IN (
      SELECT * FROM unnest(${graphIds}::text[], ${fileIds}::text[]))`);
}

/** Some files of a graph that is being removed. */
export function someFiles(tx: Transaction, limit: number): Promise<readonly Pick<GraphFile, 'file_id' | 'file_key'>[]> {
  return tx.query(sql<Pick<GraphFile, 'file_id' | 'file_key'>>`SELECT file_id, file_key FROM graph_file
    WHERE graph_id = ${tx.graphId} LIMIT ${limit}`);
}

export async function forgetFiles(tx: Transaction, files: readonly Pick<GraphFile, 'file_id'>[]): Promise<void> {
  const ids = files.map(({ file_id: id }) => id);
  await tx.query(sql`DELETE FROM graph_file WHERE graph_id = ${tx.graphId} AND file_id = ANY (${ids}::text[])`);
}
