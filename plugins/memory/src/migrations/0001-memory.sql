-- Short texts of a graph with their vectors.

CREATE TABLE memory_record (
  graph_id text NOT NULL,
  id text NOT NULL,
  text text NOT NULL,
  -- The digest of the folded text, by which a repeated text is found (ME-12).
  text_key text NOT NULL,
  source text NOT NULL,
  memory_type text NOT NULL,
  tags text[],
  source_ref text,
  provenance jsonb,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- 32-bit floats, little-endian; null until an embedder has answered.
  vector bytea,
  -- The embedder that made the vector; vectors of different ones are not compared.
  vector_model text,
  PRIMARY KEY (graph_id, id),
  CHECK ((vector IS NULL) = (vector_model IS NULL))
);
CREATE UNIQUE INDEX memory_record_text ON memory_record (graph_id, memory_type, text_key);
CREATE INDEX memory_record_newest ON memory_record (graph_id, created_at DESC, id DESC);
CREATE INDEX memory_record_model ON memory_record (graph_id, vector_model);
-- A vector looks random, so that compression costs time and saves nothing.
ALTER TABLE memory_record ALTER COLUMN vector SET STORAGE EXTERNAL;

ALTER TABLE memory_record ENABLE ROW LEVEL SECURITY;
ALTER TABLE memory_record FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON memory_record USING (graph_id = current_setting('pacioli.graph_id', true));

-- One row for each graph with memories, so that the job finds graphs with work without access to any text.
CREATE TABLE memory_vector_state (
  graph_id text NOT NULL PRIMARY KEY,
  -- The embedder of all vectors of the graph; null while some are missing or of another one.
  vector_model text
);

ALTER TABLE memory_vector_state ENABLE ROW LEVEL SECURITY;
ALTER TABLE memory_vector_state FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON memory_vector_state USING (graph_id = current_setting('pacioli.graph_id', true));
CREATE POLICY due_for_kernel ON memory_vector_state FOR SELECT USING (current_setting('pacioli.scope', true) = 'kernel');
