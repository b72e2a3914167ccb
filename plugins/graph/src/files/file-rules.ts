import { ServiceError } from '@pacioli/core';
import type { FileFormat } from './stored-files.ts';

/** The longest file (graphs L-3). */
export const maxFileBytes = 100 * 1024 * 1024;

const formats: Readonly<Record<string, FileFormat>> = {
  'application/x-parquet': 'parquet',
  'text/csv': 'csv',
  'application/json': 'json',
};

const contentTypes = new Map(Object.entries(formats).map(([type, format]) => [format, type]));

export const contentTypeOf = (format: FileFormat): string => contentTypes.get(format) ?? 'application/octet-stream';

export interface UploadRequest {
  readonly file_name: string;
  readonly content_type?: string;
  readonly table_name?: string | null;
  readonly file_size_bytes?: number | null;
}

/** Checks an upload in the order of graphs F-1 and returns its table and format. Throws 400 or 413. */
export function checkedUpload(
  request: UploadRequest,
  tables: readonly string[],
): { readonly table: string; readonly format: FileFormat; readonly contentType: string } {
  const table = request.table_name ?? '';
  if (table === '') throw refused('TABLE_UNKNOWN', 'Give table_name, the table that the rows belong to.');
  const contentType = request.content_type ?? 'application/x-parquet';
  const format = formats[contentType];
  if (format === undefined) {
    const known = Object.keys(formats).join(', ');
    throw refused(
      'FILE_FORMAT_UNKNOWN',
      `Unsupported file format '${contentType.slice(0, 100)}'. Supported: ${known}.`,
    );
  }
  const name = request.file_name;
  if (!name.toLowerCase().endsWith(`.${format}`))
    throw refused('FILE_NAME_INVALID', `A file of type ${contentType} has a name that ends with .${format}.`);
  if (name.length > 255) throw refused('FILE_NAME_INVALID', 'A file name has at most 255 characters.');
  if (name.includes('..') || /[/\\]/.test(name) || hasControlCharacter(name))
    throw refused('FILE_NAME_INVALID', 'A file name has no slashes, "..", or control characters.');
  if ((request.file_size_bytes ?? 0) > maxFileBytes)
    throw new ServiceError('too_large', 'FILE_TOO_LARGE', `A file has at most ${maxFileBytes} bytes. Split it.`);
  if (!tables.includes(table)) {
    const shown = tables.slice(0, 50).join(', ');
    throw refused('TABLE_UNKNOWN', `The schema of the graph has no table '${table.slice(0, 100)}'. It has: ${shown}.`);
  }
  return { table, format, contentType };
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => (character.codePointAt(0) ?? 0) < 32 || character === '\u007f');
}

function refused(code: keyof typeof fileRefusals, message: string): ServiceError {
  return new ServiceError('refused', code, message);
}

/** The refusals of operations on files, for the documents. */
export const fileRefusals = {
  TABLE_UNKNOWN: { kind: 'refused', meaning: 'The schema of the graph has no such table.' },
  FILE_FORMAT_UNKNOWN: { kind: 'refused', meaning: 'Files are parquet, CSV or JSON.' },
  FILE_NAME_INVALID: {
    kind: 'refused',
    meaning: 'The file name is too long, has the wrong end, or characters of a path.',
  },
} as const;

/** The refusals of `requireFiles`, for the documents. */
export const graphRefusals = {
  FILES_NOT_SUPPORTED: { kind: 'refused', meaning: 'The rows of this graph do not come from files.' },
  SUBGRAPH_WITHOUT_FILES: { kind: 'forbidden', meaning: 'A subgraph is written with Cypher and takes no files.' },
} as const;

/** Refuses files on a graph whose rows come from elsewhere (graphs F-1, SG-10). */
export function requireFiles(graph: { readonly type: string; readonly parentId?: string }): void {
  if (graph.parentId !== undefined) {
    const message = 'A subgraph takes no files: write it with Cypher, or upload to its parent and materialize.';
    throw new ServiceError('forbidden', 'SUBGRAPH_WITHOUT_FILES', message);
  }
  if (graph.type === 'generic') return;
  const message =
    'Entity graphs do not support file uploads: their rows come from the operations of their extensions. ' +
    'Create a graph with custom_schema for files.';
  throw new ServiceError('refused', 'FILES_NOT_SUPPORTED', message);
}
