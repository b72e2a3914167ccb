import {
  type Graph,
  type GraphChange,
  type Ids,
  noteChanges,
  notFound,
  ServiceError,
  type Store,
  type Transaction,
  tierNumbers,
} from '@pacioli/core';
import {
  countUploaded,
  type DocumentFields,
  type DocumentRequest,
  type DocumentRow,
  documentIdOfHit,
  findByExternalId,
  findDocument,
  insertDocument,
  lockDocument,
  lockDocuments,
  searchBaseId,
  splitFrontMatter,
  updateDocument,
} from '../documents/index.ts';
import type { DocumentIndexer, IndexResult, PreparedEntries } from '../indexing/index.ts';

/** What a request needs before its transaction. */
export interface PreparedWrite {
  readonly documentId: string;
  readonly entries: PreparedEntries;
}

export interface WriteOrder {
  readonly graph: Graph;
  readonly userId: string;
  readonly request: DocumentRequest;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** Creates, changes and deletes documents with their entries in the index (ai-surface D-10 to D-16). */
export class DocumentWriter {
  readonly #store: Store;
  readonly #ids: Ids;
  readonly #indexer: DocumentIndexer;

  constructor(use: { readonly store: Store; readonly ids: Ids; readonly indexer: DocumentIndexer }) {
    this.#store = use.store;
    this.#ids = use.ids;
    this.#indexer = use.indexer;
  }

  /** Finds the document that a request is about, makes its entries and vectors, and announces the write. Repeatable. */
  async prepare({ graph, request, signal }: WriteOrder): Promise<PreparedWrite> {
    const graphId = graph.id;
    const before = await this.#store.transaction({ graphId }, (tx) => targetOf(tx, request), { readOnly: true });
    const documentId = before?.document_id ?? this.#ids.make('doc');
    const fields = fieldsOf(request, before);
    const document = { ...fields, graph_id: graphId, document_id: documentId, source_type: 'uploaded_doc' } as const;
    const entries = await this.#indexer.prepare(document, signal);
    await this.#indexer.announce(graphId, documentId);
    return { documentId, entries };
  }

  /** Stores the document and its entries. */
  async write(tx: Transaction, order: WriteOrder, prepared: PreparedWrite): Promise<IndexResult> {
    const { request, now, signal } = order;
    const { documentId } = prepared;
    // Before the lock of the document, as all writes take them.
    if (request.document_id == null) await lockDocuments(tx);
    await lockDocument(tx, documentId);
    const before = await targetOf(tx, request);
    if (before !== undefined && before.document_id !== documentId) throw createdMeanwhile();
    const fields = fieldsOf(request, before);
    if (before === undefined) {
      await requirePlace(tx, order.graph);
      const externalId = request.external_id ?? null;
      const identity = { document_id: documentId, user_id: order.userId, external_id: externalId };
      await insertDocument(tx, { ...fields, ...identity }, now);
    } else await updateDocument(tx, documentId, fields, now);
    await noteChanges(tx, changesOf(documentId, fields, before));
    const row = await findDocument(tx, documentId);
    if (row === undefined) throw new Error('A document was not stored.');
    return this.#indexer.write(tx, row, prepared.entries, signal);
  }

  /** Announces a deletion; throws 404 for an unknown document. */
  async prepareDeletion(graphId: string, documentId: string): Promise<void> {
    const known = await this.#store.transaction({ graphId }, (tx) => findDocument(tx, documentId), { readOnly: true });
    if (known === undefined) throw noDocument();
    await this.#indexer.announce(graphId, documentId);
  }

  async delete(tx: Transaction, documentId: string, signal: AbortSignal): Promise<void> {
    await lockDocument(tx, documentId);
    if ((await findDocument(tx, documentId)) === undefined) throw noDocument();
    await noteChanges(tx, [{ kind: 'documents' }, { kind: 'document', subject: documentId }]);
    await this.#indexer.remove(tx, documentId, signal);
  }
}

/** What a write changes for those who watch the graph (ai-surface M-20f). */
function changesOf(documentId: string, after: DocumentFields, before: DocumentRow | undefined): readonly GraphChange[] {
  const isMoved = after.title !== before?.title || after.folder !== before.folder;
  return [
    ...(before === undefined ? [] : [{ kind: 'document', subject: documentId } as const]),
    ...(isMoved ? [{ kind: 'documents' } as const] : []),
  ];
}

/** A write on the wire (ai-surface D-14). */
export function writeResult(graphId: string, documentId: string, { sectionIds, contentLength }: IndexResult) {
  return {
    id: documentId,
    document_id: searchBaseId(graphId, documentId),
    sections_indexed: sectionIds.length,
    total_content_length: contentLength,
    section_ids: [...sectionIds],
  };
}

export function noDocument(): ServiceError {
  return notFound('Document not found');
}

/** The document that a request changes; undefined if it creates one. Throws 404 for an unknown id (ai-surface D-11, D-13). */
async function targetOf(tx: Transaction, request: DocumentRequest): Promise<DocumentRow | undefined> {
  if (request.document_id != null) {
    const row = await findDocument(tx, documentIdOfHit(tx.graphId, request.document_id));
    if (row === undefined) throw noDocument();
    return row;
  }
  if (request.external_id == null) return undefined;
  const documentId = await findByExternalId(tx, request.external_id);
  return documentId === undefined ? undefined : findDocument(tx, documentId);
}

/**
 * The fields after a request. Front matter gives those that the request leaves out (ai-surface D-21); a request with an external id
 * replaces all of them (ai-surface D-11).
 */
function fieldsOf(request: DocumentRequest, before: DocumentRow | undefined): DocumentFields {
  const isUpdate = request.document_id != null;
  const content = request.content ?? before?.content ?? '';
  const { frontMatter } = splitFrontMatter(content);
  const given: Partial<typeof frontMatter> = request.content == null ? {} : frontMatter;
  const kept = isUpdate ? before : undefined;
  return {
    title: request.title ?? given.title ?? kept?.title ?? '',
    content,
    tags: listOrNull(request.tags === undefined ? (given.tags ?? kept?.tags ?? null) : request.tags),
    folder: request.folder === undefined ? (given.folder ?? kept?.folder ?? null) : request.folder,
    metadata: frontMatter.metadata,
  };
}

const listOrNull = (tags: readonly string[] | null): string[] | null => (tags === null ? null : [...tags]);

/** Throws 422 when the graph has as many documents as its tier allows (ai-surface D-12). */
async function requirePlace(tx: Transaction, graph: Graph): Promise<void> {
  const { maxDocuments } = tierNumbers(graph.tier);
  if (maxDocuments === null) return;
  const count = await countUploaded(tx);
  if (count < maxDocuments) return;
  const message = `Document limit reached (${count}/${maxDocuments}). Upgrade your plan for more capacity.`;
  throw new ServiceError('invalid_input', 'DOCUMENT_LIMIT_REACHED', message);
}

function createdMeanwhile(): ServiceError {
  const message = 'Another request has created or deleted the document with this external_id. Send the request again.';
  return new ServiceError('conflict', 'DOCUMENT_CHANGED', message);
}
