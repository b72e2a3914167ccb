import { columnsOf, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { SearchDocument } from '../rows.gen.ts';

/** The longest folder and title, with the slash between them (ai-surface D-10). */
export const maxPathCharacters = 701;
/** The characters of one part: as JSON, also escaped, they stay below the limit of a tool's result (ai-surface 5.4). */
export const partCharacters = 30_000;
/** Ids of documents of one path that a refusal names. */
const maxNamed = 10;

const partColumns = columnsOf<SearchDocument>()('document_id', 'source_type', 'updated_at');

/** Folder and title of a row. */
const ownPath = sql<string>`CASE WHEN trim(both '/' FROM coalesce(folder, '')) = '' THEN title
  ELSE trim(both '/' FROM folder) || '/' || title END`;

/** A part of the text of a document, and the length of all of it, in characters. */
export type DocumentPart = RowOf<typeof partColumns> & {
  readonly path: string;
  readonly content: string;
  readonly characters: number;
};

/**
 * The ids of the documents of a path: the one with it as external id, or else those whose folder and title make it, the
 * newest first, at most ten. Slashes at the begin of a path and around a folder do not count (ai-surface D-34).
 */
export async function documentsOfPath(tx: Transaction, given: string): Promise<readonly string[]> {
  const path = given.replace(/^(?:\.?\/)+/, '');
  const rows = await tx.query(sql<Pick<SearchDocument, 'document_id'> & { readonly is_external: boolean }>`
    SELECT document_id, external_id IS NOT NULL AND external_id IN (${given}, ${path}) AS is_external
    FROM search_document WHERE graph_id = ${tx.graphId} AND (external_id IN (${given}, ${path}) OR ${ownPath} = ${path})
    ORDER BY is_external DESC, (external_id = ${given}) DESC NULLS LAST, updated_at DESC, document_id LIMIT ${maxNamed}`);
  const [first] = rows;
  return first?.is_external === true ? [first.document_id] : rows.map(({ document_id }) => document_id);
}

/** Reads a part of the text, beginning with the character at `offset`. */
export async function documentPart(tx: Transaction, id: string, offset: number): Promise<DocumentPart | undefined> {
  const [row] =
    await tx.query(sql<DocumentPart>`SELECT ${partColumns}, ${ownPath} AS path, char_length(content) AS characters,
      substring(content FROM ${offset + 1}::int FOR ${partCharacters}::int) AS content
    FROM search_document WHERE graph_id = ${tx.graphId} AND document_id = ${id}`);
  return row;
}
