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

-- Indexes of subgraphs are never used again, so the graph remembers how many it ever had (graphs SG-3).
ALTER TABLE kernel_graph ADD COLUMN last_subgraph_index integer NOT NULL DEFAULT 0;

-- Numbers the databases of subgraphs, so that a new subgraph never opens what another one of its name left behind.
CREATE SEQUENCE kernel_subgraph_generation AS integer;

-- What a subgraph has beyond the row that every graph has.
CREATE TABLE kernel_subgraph (
  graph_id text PRIMARY KEY REFERENCES kernel_graph (graph_id) ON DELETE CASCADE,
  parent_id text NOT NULL REFERENCES kernel_graph (graph_id),
  name text NOT NULL,
  subgraph_index integer NOT NULL,
  subgraph_type text NOT NULL CHECK (subgraph_type IN ('static', 'knowledge', 'empty')),
  generation integer NOT NULL DEFAULT nextval('kernel_subgraph_generation'),
  metadata jsonb,
  UNIQUE (parent_id, subgraph_index)
);

ALTER TABLE kernel_subgraph ENABLE ROW LEVEL SECURITY;
ALTER TABLE kernel_subgraph FORCE ROW LEVEL SECURITY;
CREATE POLICY kernel_or_graph ON kernel_subgraph USING (current_setting('pacioli.scope', true) = 'kernel'
  OR graph_id = current_setting('pacioli.graph_id', true));
