-- When each graph or subgraph ran its last statement (graphs SG-12). The counts of statements are kept for a day only.
CREATE TABLE graph_last_access (
  graph_id text PRIMARY KEY,
  last_at timestamptz NOT NULL
);

ALTER TABLE graph_last_access ENABLE ROW LEVEL SECURITY;
ALTER TABLE graph_last_access FORCE ROW LEVEL SECURITY;
CREATE POLICY graph_last_access_of_kernel ON graph_last_access
  USING (current_setting('pacioli.scope', true) = 'kernel');
