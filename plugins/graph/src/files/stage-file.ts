import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type Clock, fileFailure, type Graph, type GraphSchemas, notFound, ServiceError } from '@pacioli/core';
import {
  type DanglingEnds,
  type FileStore,
  isFileStoreError,
  isStagingError,
  type StagedTable,
  type StagedTableState,
  type StageReport,
  type StagingError,
} from '@pacioli/core/ports';
import { maxFileBytes } from './file-rules.ts';
import { type SettlingParts, withSettled } from './settled-staging.ts';
import { stagedTables } from './staged-tables.ts';
import { findFile, noteFailed, noteFound, noteStaged, type StoredFile } from './stored-files.ts';

export interface StagingParts extends SettlingParts {
  readonly files: FileStore;
  readonly schemas: GraphSchemas;
  readonly clock: Clock;
}

/** Finds an uploaded file and its size. Throws 404 or 400 (graphs F-5). */
export async function uploadedFile(
  services: StagingParts,
  graphId: string,
  fileId: string,
): Promise<{ readonly file: StoredFile; readonly bytes: number }> {
  const file = await services.store.transaction({ graphId }, (tx) => findFile(tx, fileId), { readOnly: true });
  if (file === undefined) throw noSuchFile();
  const info = await services.files.info(file.file_key).catch((error: unknown) => {
    throw fileFailure(error);
  });
  if (info === undefined) throw notFound('The file has not been uploaded. Send it with PUT to its upload_url first.');
  if (info.bytes === 0) throw new ServiceError('refused', 'FILE_EMPTY', 'The file is empty.');
  if (info.bytes > maxFileBytes) throw tooLarge();
  // The sweep of uploads that nobody ingests leaves it from here on.
  if (!(await services.store.transaction({ graphId }, (tx) => noteFound(tx, fileId, services.clock.now()))))
    throw noSuchFile();
  return { file, bytes: info.bytes };
}

/**
 * Stages an uploaded file and marks the graph as stale. A file that cannot be staged leaves the staged rows as they were
 * and says why (graphs F-5, F-8, F-10).
 */
export async function stageFile(
  services: StagingParts,
  graph: Pick<Graph, 'id' | 'extensions'>,
  { file, bytes }: { readonly file: StoredFile; readonly bytes: number },
  signal: AbortSignal,
): Promise<StageReport> {
  const graphId = graph.id;
  const schema = await services.store.transaction({ graphId }, (tx) => services.schemas.of(tx, graph), {
    readOnly: true,
  });
  const tables = stagedTables(schema);
  const table = tables.find(({ name }) => name === file.table_name);
  if (table === undefined)
    throw new Error(`The schema has no table ${file.table_name}, which a file was accepted for.`);
  // False if it was deleted meanwhile, when its rows were not there yet.
  let isRecorded = false;
  const record = ({ rows }: StageReport): Promise<boolean> =>
    services.store.transaction({ graphId }, async (tx) => {
      isRecorded = await noteStaged(tx, file.file_id, { bytes, rows, now: services.clock.now() });
      if (isRecorded) await services.graphs.markStale(tx, graphId, `file_staged: ${file.file_name}`);
      return isRecorded;
    });
  try {
    const report = await services.staging.withUpload(async (path) => {
      const content = limited(await services.files.read(file.file_key, signal));
      await pipeline(content, createWriteStream(path, { mode: 0o600 }), { signal });
      const staged = { id: file.file_id, format: file.format, path, position: file.position };
      return withSettled(services, graphId, tables, () =>
        services.staging.stage(graphId, table, staged, signal, record),
      );
    });
    if (isRecorded) return report;
    throw noSuchFile();
  } catch (error) {
    if (!isStagingError(error)) throw isFileStoreError(error) ? fileFailure(error) : error;
    if (['unreadable-file', 'rejected-rows'].includes(error.code)) {
      const failed = { bytes, isUnreadable: error.code === 'unreadable-file', now: services.clock.now() };
      await services.store.transaction({ graphId }, (tx) => noteFailed(tx, file.file_id, failed));
    }
    throw stageFailure(error);
  }
}

const noSuchFile = (): ServiceError => notFound('The graph has no such file.');

/** A client with the URL of an object store can have replaced the file since it was measured. */
async function* limited(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.byteLength;
    if (bytes > maxFileBytes) throw tooLarge();
    yield chunk;
  }
}

const tooLarge = (): ServiceError =>
  new ServiceError('refused', 'UPLOAD_TOO_LARGE', `A file has at most ${maxFileBytes} bytes. Split it.`);

/** Describes what is wrong with references of a file to nodes that are not staged, as sentences (graphs T-8). */
export function danglingWarnings(dangling: readonly DanglingEnds[]): readonly string[] {
  return dangling.map(
    ({ node, count, examples }) =>
      `${count} row${count === 1 ? ' has' : 's have'} an unknown ${node} (${examples.slice(0, 5).join(', ')})`,
  );
}

export const stagingErrors = {
  FILE_EMPTY: { kind: 'refused', meaning: 'The uploaded file has no content.' },
  UPLOAD_TOO_LARGE: { kind: 'refused', meaning: 'The uploaded file is longer than 100 MB.' },
  FILE_UNREADABLE: { kind: 'refused', meaning: 'The file is not of its format.' },
  ROWS_REJECTED: { kind: 'invalid_input', meaning: 'Values do not have the declared type, or are missing.' },
  FILE_NOT_STAGED: { kind: 'invalid_input', meaning: 'The rows cannot be put into the table; the message says why.' },
  STAGING_TOO_LARGE: { kind: 'too_large', meaning: 'Staging the file needs more memory than is allowed.' },
  STAGING_TIMEOUT: { kind: 'timeout', meaning: 'Staging the file took longer than its limit.' },
  STAGING_UNAVAILABLE: { kind: 'unavailable', meaning: 'The staging store cannot work on this now.' },
} as const;

/** Maps a staging failure to an error for callers: 4xx where the content is the cause, 503 otherwise. */
export function stageFailure(error: StagingError): unknown {
  const { code, message, faults } = error;
  const detail = `Staging failed: ${message}`;
  switch (code) {
    case 'unreadable-file':
      return new ServiceError('refused', 'FILE_UNREADABLE', message, { cause: error });
    case 'rejected-rows':
      return new ServiceError('invalid_input', 'ROWS_REJECTED', detail, {
        cause: error,
        details: { faults, duckdb_status: 'failed' },
      });
    case 'statement':
    case 'refused':
    case 'parameter':
      return new ServiceError('invalid_input', 'FILE_NOT_STAGED', detail, { cause: error });
    case 'memory':
      return new ServiceError('too_large', 'STAGING_TOO_LARGE', `${detail} Split the file.`, { cause: error });
    case 'timeout':
      return new ServiceError('timeout', 'STAGING_TIMEOUT', `${detail} Split the file.`, { cause: error });
    default:
      return stagingFailure(error);
  }
}

/**
 * Maps a failure of the staging store to an error for callers. Only transient failures ask the caller to retry; an error
 * in a statement of this service is an internal one.
 */
export function stagingFailure(error: StagingError): unknown {
  if (!['unavailable', 'unrecorded', 'cancelled', 'timeout', 'memory'].includes(error.code)) return error;
  return new ServiceError('unavailable', 'STAGING_UNAVAILABLE', `Staging failed: ${error.message}`, {
    cause: error,
    headers: { 'Retry-After': '30' },
  });
}

/** The staged rows of tables, with a failure of the staging store for callers. */
export async function stagedStates(
  services: SettlingParts,
  graphId: string,
  tables: readonly StagedTable[],
): Promise<readonly StagedTableState[]> {
  try {
    return await withSettled(services, graphId, tables, () => services.staging.check(graphId, tables));
  } catch (error) {
    throw isStagingError(error) ? stagingFailure(error) : error;
  }
}
