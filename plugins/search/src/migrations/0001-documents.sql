-- Numbers of index writes, which are never used twice, also after a rollback (ai-surface D-16).
CREATE SEQUENCE search_generation AS bigint;

-- Documents are the truth; their entries in the search index can be written anew from them (ai-surface 1.1).
CREATE TABLE search_document (
  graph_id text NOT NULL,
  document_id text NOT NULL,
  user_id text NOT NULL,
  title text NOT NULL,
  content text NOT NULL,
  tags text[],
  folder text,
  external_id text,
  source_type text NOT NULL CHECK (source_type IN ('uploaded_doc', 'connection_doc')),
  source_provider text,
  -- The other keys of the front matter (ai-surface D-21).
  metadata jsonb,
  sections_indexed integer NOT NULL DEFAULT 0,
  index_state text NOT NULL CHECK (index_state IN ('pending', 'indexed', 'failed')),
  index_error text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, document_id)
);
CREATE UNIQUE INDEX search_document_external ON search_document (graph_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX search_document_newest ON search_document (graph_id, updated_at DESC, document_id DESC);

-- What the index may have other than the store, written before the index is: a crash leaves the row, and a job resolves
-- it. A row without a document id is about the whole graph, whose id was given to another one since.
CREATE TABLE search_pending (
  graph_id text NOT NULL,
  document_id text NOT NULL,
  -- A removal precedes the next search of the graph, so that it finds nothing that was deleted.
  is_removal boolean NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, document_id)
);
CREATE INDEX search_pending_next ON search_pending (next_try_at);

-- The graphs with entries, and the embedder that has made all of their vectors; null if some are missing.
CREATE TABLE search_graph (
  graph_id text NOT NULL PRIMARY KEY,
  embedding_model text,
  -- Changes with each write of entries without vectors.
  unembedded bigint NOT NULL DEFAULT 0
);

ALTER TABLE search_document ENABLE ROW LEVEL SECURITY;
ALTER TABLE search_document FORCE ROW LEVEL SECURITY;
CREATE POLICY kernel_or_graph ON search_document USING (current_setting('pacioli.scope', true) = 'kernel'
  OR graph_id = current_setting('pacioli.graph_id', true));
ALTER TABLE search_pending ENABLE ROW LEVEL SECURITY;
ALTER TABLE search_pending FORCE ROW LEVEL SECURITY;
CREATE POLICY kernel_or_graph ON search_pending USING (current_setting('pacioli.scope', true) = 'kernel'
  OR graph_id = current_setting('pacioli.graph_id', true));
ALTER TABLE search_graph ENABLE ROW LEVEL SECURITY;
ALTER TABLE search_graph FORCE ROW LEVEL SECURITY;
CREATE POLICY kernel_or_graph ON search_graph USING (current_setting('pacioli.scope', true) = 'kernel'
  OR graph_id = current_setting('pacioli.graph_id', true));
