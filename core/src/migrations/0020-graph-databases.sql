-- Databases on graph servers that hold a generation of a graph. A free database has no row (graphs E-30).
CREATE TABLE kernel_graph_database (
  -- Server and name of the database, without credentials.
  address text PRIMARY KEY,
  graph_id text NOT NULL,
  generation integer NOT NULL,
  state text NOT NULL CHECK (state IN ('loading', 'copying', 'ready', 'clearing')),
  -- The declared tables with their columns in order, because an engine without a schema does not show empty ones.
  tables jsonb NOT NULL,
  claimed_at timestamptz NOT NULL DEFAULT now(),
  -- The process that writes to the database or clears it, and until when. After that it counts as lost.
  holder text,
  held_until timestamptz,
  UNIQUE (graph_id, generation)
);

ALTER TABLE kernel_graph_database ENABLE ROW LEVEL SECURITY;
ALTER TABLE kernel_graph_database FORCE ROW LEVEL SECURITY;
CREATE POLICY kernel_scope ON kernel_graph_database USING (current_setting('pacioli.scope', true) = 'kernel');
