// Written by `npm run gen` from the migrations: the rows of each table as the store returns them. Do not edit.

export interface SearchDocument {
  readonly graph_id: string;
  readonly document_id: string;
  readonly user_id: string;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[] | null;
  readonly folder: string | null;
  readonly external_id: string | null;
  readonly source_type: 'uploaded_doc' | 'connection_doc';
  readonly source_provider: string | null;
  readonly metadata: unknown;
  readonly sections_indexed: number;
  readonly index_state: 'pending' | 'indexed' | 'failed';
  readonly index_error: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface SearchGraph {
  readonly graph_id: string;
  readonly embedding_model: string | null;
  readonly unembedded: number;
  readonly index_id: string | null;
  readonly index_revision: number | null;
  readonly rebuilds: number;
  readonly index_space: string | null;
  readonly rebuilt_at: Date | null;
}

export interface SearchListedText {
  readonly graph_id: string;
  readonly id_prefix: string;
}

export interface SearchPending {
  readonly graph_id: string;
  readonly document_id: string;
  readonly is_removal: boolean;
  readonly tries: number;
  readonly next_try_at: Date;
}

export interface SearchPendingText {
  readonly graph_id: string;
  readonly text_id: string;
  readonly version: number;
  readonly precedes_search: boolean;
  readonly tries: number;
  readonly next_try_at: Date;
}

/** For `tx.tables<SearchTables>()`. */
export interface SearchTables {
  readonly search_document: SearchDocument;
  readonly search_graph: SearchGraph;
  readonly search_listed_text: SearchListedText;
  readonly search_pending: SearchPending;
  readonly search_pending_text: SearchPendingText;
}
