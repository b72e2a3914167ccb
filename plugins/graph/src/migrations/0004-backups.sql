-- Backups of a graph and of its subgraphs; the files are in the file store (graphs 15).
CREATE TABLE graph_backup_entry (
  graph_id text NOT NULL,
  backup_id text NOT NULL,
  -- The graph whose database it has: this one, or a subgraph that was deleted.
  of_graph_id text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'in_progress', 'completed', 'failed', 'expired')),
  initiated_by text NOT NULL CHECK (initiated_by IN ('user', 'scheduled', 'final')),
  file_key text NOT NULL,
  original_bytes bigint NOT NULL DEFAULT 0,
  compressed_bytes bigint NOT NULL DEFAULT 0,
  nodes bigint NOT NULL DEFAULT 0,
  relationships bigint NOT NULL DEFAULT 0,
  seconds double precision NOT NULL DEFAULT 0,
  error text,
  created_at timestamptz NOT NULL,
  completed_at timestamptz,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, backup_id)
);
CREATE INDEX graph_backup_entry_by_time ON graph_backup_entry (graph_id, created_at DESC);

ALTER TABLE graph_backup_entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE graph_backup_entry FORCE ROW LEVEL SECURITY;
CREATE POLICY kernel_or_graph ON graph_backup_entry USING (current_setting('pacioli.scope', true) = 'kernel'
  OR graph_id = current_setting('pacioli.graph_id', true));
-- The daily job finds those that have expired, of all graphs.
CREATE INDEX graph_backup_entry_by_expiry ON graph_backup_entry (expires_at) WHERE status <> 'expired';

-- Downloads that were granted, which count against a monthly allowance (graphs B-11).
CREATE TABLE graph_download (
  graph_id text NOT NULL,
  backup_id text NOT NULL,
  user_id text NOT NULL,
  at timestamptz NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (graph_id, number)
);
CREATE INDEX graph_download_by_user ON graph_download (graph_id, user_id, at);

ALTER TABLE graph_download ENABLE ROW LEVEL SECURITY;
ALTER TABLE graph_download FORCE ROW LEVEL SECURITY;
CREATE POLICY graph_scope ON graph_download USING (graph_id = current_setting('pacioli.graph_id', true));
