-- Why the last build of a graph has failed, until one succeeds; health reports it (graphs H-4).
CREATE TABLE graph_build_failure (
  graph_id text PRIMARY KEY,
  reason text NOT NULL,
  failed_at timestamptz NOT NULL
);

ALTER TABLE graph_build_failure ENABLE ROW LEVEL SECURITY;
ALTER TABLE graph_build_failure FORCE ROW LEVEL SECURITY;
CREATE POLICY graph_build_failure_of_graph ON graph_build_failure
  USING (graph_id = current_setting('pacioli.graph_id', true));
