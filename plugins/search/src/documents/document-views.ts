import type { DocumentRow, ListedDocument } from './document-rows.ts';

/** A document with its content on the wire (ai-surface D-31). */
export function documentView(row: DocumentRow) {
  return {
    id: row.document_id,
    graph_id: row.graph_id,
    user_id: row.user_id,
    title: row.title,
    content: row.content,
    source_type: row.source_type,
    sections_indexed: row.sections_indexed,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    tags: row.tags,
    folder: row.folder,
    external_id: row.external_id,
    source_provider: row.source_provider,
  };
}

/** A document in a list (ai-surface D-32). */
export function listedView(row: ListedDocument) {
  return {
    id: row.document_id,
    document_title: row.title,
    section_count: row.sections_indexed,
    source_type: row.source_type,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    folder: row.folder,
    tags: row.tags,
  };
}

/** The fields that mark text from outside of the graph, such as a connector or a filing, for models (ai-surface PX-3). */
export function trustOf(sourceType: string): { readonly untrusted?: true } {
  return sourceType === 'uploaded_doc' ? {} : { untrusted: true };
}
