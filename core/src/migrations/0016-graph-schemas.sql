-- The declared schema of a graph whose types are not those of its extensions: a generic graph or a subgraph.
CREATE TABLE kernel_graph_schema (
  graph_id text PRIMARY KEY,
  -- As given by the caller, without what a schema does not have.
  definition jsonb NOT NULL,
  created_at timestamptz NOT NULL
);

ALTER TABLE kernel_graph_schema ENABLE ROW LEVEL SECURITY;
ALTER TABLE kernel_graph_schema FORCE ROW LEVEL SECURITY;
CREATE POLICY kernel_or_graph ON kernel_graph_schema USING (current_setting('pacioli.scope', true) = 'kernel'
  OR graph_id = current_setting('pacioli.graph_id', true));
