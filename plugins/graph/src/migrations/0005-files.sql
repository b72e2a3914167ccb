-- Files of a generic graph: the source of its rows (graphs 12). The content is in the file store.
CREATE TABLE graph_file (
  graph_id text NOT NULL,
  file_id text NOT NULL,
  -- The order of uploads: of two rows with one key, that of the later file is kept (graphs T-7).
  position bigint GENERATED ALWAYS AS IDENTITY,
  user_id text NOT NULL,
  table_name text NOT NULL,
  file_name text NOT NULL,
  format text NOT NULL CHECK (format IN ('parquet', 'csv', 'json')),
  file_key text NOT NULL,
  size_bytes bigint NOT NULL DEFAULT 0,
  row_count bigint,
  upload_status text NOT NULL CHECK (upload_status IN ('pending', 'uploaded', 'failed')),
  staging_status text NOT NULL CHECK (staging_status IN ('pending', 'staged', 'failed')),
  graph_status text NOT NULL CHECK (graph_status IN ('pending', 'ingested', 'failed')),
  created_at timestamptz NOT NULL,
  uploaded_at timestamptz,
  staged_at timestamptz,
  ingested_at timestamptz,
  PRIMARY KEY (graph_id, file_id)
);
CREATE INDEX graph_file_by_table ON graph_file (graph_id, table_name);
-- The daily sweep finds files that were never uploaded, of all graphs.
CREATE INDEX graph_file_never_uploaded ON graph_file (created_at) WHERE upload_status = 'pending';

ALTER TABLE graph_file ENABLE ROW LEVEL SECURITY;
ALTER TABLE graph_file FORCE ROW LEVEL SECURITY;
CREATE POLICY kernel_or_graph ON graph_file USING (current_setting('pacioli.scope', true) = 'kernel'
  OR graph_id = current_setting('pacioli.graph_id', true));
