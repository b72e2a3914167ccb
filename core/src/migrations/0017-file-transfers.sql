-- Files that a client may put or get without a credential until the grant expires (graphs F-3, B-10).
CREATE TABLE kernel_file_transfer (
  -- The digest of the token in the URL.
  token_hash bytea PRIMARY KEY,
  graph_id text NOT NULL,
  direction text NOT NULL CHECK (direction IN ('upload', 'download')),
  file_key text NOT NULL,
  content_type text NOT NULL,
  -- Of an upload: the largest file. Of a download: the name that the client stores it under.
  max_bytes bigint,
  file_name text,
  expires_at timestamptz NOT NULL,
  -- A completed upload cannot be repeated.
  completed_at timestamptz
);
CREATE INDEX kernel_file_transfer_by_expiry ON kernel_file_transfer (expires_at);

ALTER TABLE kernel_file_transfer ENABLE ROW LEVEL SECURITY;
ALTER TABLE kernel_file_transfer FORCE ROW LEVEL SECURITY;
CREATE POLICY kernel_or_graph ON kernel_file_transfer USING (current_setting('pacioli.scope', true) = 'kernel'
  OR graph_id = current_setting('pacioli.graph_id', true));
