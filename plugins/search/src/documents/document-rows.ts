import { columnsOf, isStorable, type RowOf, sql, type Transaction, textList } from '@pacioli/core';
import type { SearchDocument } from '../rows.gen.ts';

const columns = columnsOf<SearchDocument>()(
  'graph_id',
  'document_id',
  'user_id',
  'title',
  'content',
  'tags',
  'folder',
  'external_id',
  'source_type',
  'source_provider',
  'sections_indexed',
  'index_state',
  'created_at',
  'updated_at',
);

export type DocumentRow = RowOf<typeof columns>;

const listedColumns = columnsOf<SearchDocument>()(
  'document_id',
  'title',
  'sections_indexed',
  'source_type',
  'folder',
  'tags',
  'created_at',
  'updated_at',
);

export type ListedDocument = RowOf<typeof listedColumns>;

/** The fields of a document that a write sets. */
export interface DocumentFields extends Pick<DocumentRow, 'title' | 'content' | 'tags' | 'folder'> {
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** More than any tier allows; a graph with more shows its newest (ai-surface D-32). */
const maxListedDocuments = 10_000;

export async function findDocument(tx: Transaction, documentId: string): Promise<DocumentRow | undefined> {
  if (!isStorable(documentId)) return undefined; // A path can have U+0000, which a query cannot.
  const [row] = await tx.query(sql<DocumentRow>`SELECT ${columns} FROM search_document
    WHERE graph_id = ${tx.graphId} AND document_id = ${documentId}`);
  return row;
}

/** The id of the document with an external id. */
export async function findByExternalId(tx: Transaction, externalId: string): Promise<string | undefined> {
  const [row] = await tx.query(sql<Pick<SearchDocument, 'document_id'>>`SELECT document_id FROM search_document
    WHERE graph_id = ${tx.graphId} AND external_id = ${externalId}`);
  return row?.document_id;
}

/** Documents by newest change (ai-surface D-32). */
export async function listDocuments(
  tx: Transaction,
  filter: { readonly sourceType?: string | undefined; readonly folder?: string | undefined },
  most = maxListedDocuments,
): Promise<readonly ListedDocument[]> {
  const sourceType = filter.sourceType ?? null;
  const folder = filter.folder ?? null;
  return tx.query(sql<ListedDocument>`SELECT ${listedColumns} FROM search_document
    WHERE graph_id = ${tx.graphId} AND (${sourceType}::text IS NULL OR source_type = ${sourceType})
      AND (${folder}::text IS NULL OR folder = ${folder})
    ORDER BY updated_at DESC, document_id DESC LIMIT ${most}`);
}

/** The documents that count against the tier (ai-surface D-12). */
export async function countUploaded(tx: Transaction): Promise<number> {
  const [row] = await tx.query(sql<{ count: number }>`SELECT count(*) AS count FROM search_document
    WHERE graph_id = ${tx.graphId} AND source_type = 'uploaded_doc'`);
  return row?.count ?? 0;
}

/** The texts of documents by id; at most 50. */
export async function findContents(
  tx: Transaction,
  documentIds: readonly string[],
): Promise<readonly Pick<SearchDocument, 'document_id' | 'content'>[]> {
  return tx.query(sql<Pick<SearchDocument, 'document_id' | 'content'>>`SELECT document_id, content
    FROM search_document WHERE graph_id = ${tx.graphId} AND document_id = ANY(${textList(documentIds)})`);
}

/** Serializes the documents that are created in a graph, so that the last place is given once (ai-surface D-12). */
export async function lockDocuments(tx: Transaction): Promise<void> {
  await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`search.documents.${tx.graphId}`}, 0))`);
}

/** Serializes what is written to the index of one document, also before it has a row. */
export async function lockDocument(tx: Transaction, documentId: string): Promise<void> {
  await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`search.document.${documentId}`}, 0))`);
}

export async function insertDocument(
  tx: Transaction,
  document: DocumentFields & Pick<DocumentRow, 'document_id' | 'user_id' | 'external_id'>,
  now: Date,
): Promise<void> {
  await tx.query(sql`INSERT INTO search_document (graph_id, document_id, user_id, title, content, tags, folder,
      external_id, source_type, metadata, index_state, created_at, updated_at)
    VALUES (${tx.graphId}, ${document.document_id}, ${document.user_id}, ${document.title}, ${document.content},
      ${document.tags}, ${document.folder}, ${document.external_id}, 'uploaded_doc', ${asJson(document.metadata)},
      'pending', ${now}, ${now})`);
}

export async function updateDocument(
  tx: Transaction,
  documentId: string,
  fields: DocumentFields,
  now: Date,
): Promise<void> {
  await tx.query(sql`UPDATE search_document SET title = ${fields.title}, content = ${fields.content},
      tags = ${fields.tags}, folder = ${fields.folder}, metadata = ${asJson(fields.metadata)},
      index_state = 'pending', updated_at = ${now}
    WHERE graph_id = ${tx.graphId} AND document_id = ${documentId}`);
}

export async function deleteDocument(tx: Transaction, documentId: string): Promise<void> {
  await tx.query(sql`DELETE FROM search_document WHERE graph_id = ${tx.graphId} AND document_id = ${documentId}`);
}

/** Stores what the index has of a document since the last write (ai-surface D-15). */
export async function setIndexState(
  tx: Transaction,
  documentId: string,
  state: { readonly sections: number; readonly error?: string },
): Promise<void> {
  await tx.query(sql`UPDATE search_document SET sections_indexed = ${state.sections},
      index_state = ${state.error === undefined ? 'indexed' : 'failed'}, index_error = ${state.error ?? null}
    WHERE graph_id = ${tx.graphId} AND document_id = ${documentId}`);
}

/** A number that no other write of the index has, also one that was rolled back (ai-surface D-16). */
export async function nextGeneration(tx: Transaction): Promise<number> {
  const [row] = await tx.query(sql<{ generation: number }>`SELECT nextval('search_generation') AS generation`);
  if (row === undefined) throw new Error('A sequence always has a next number.');
  return row.generation;
}

function asJson(value: Readonly<Record<string, unknown>>) {
  return Object.keys(value).length === 0 ? sql`NULL::jsonb` : sql`${JSON.stringify(value)}::text::jsonb`;
}
