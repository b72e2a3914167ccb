-- Which built state of a graph is read, and who builds the next one. Reading the pointer is one indexed row; swapping
-- it is one row update (graphs E-10).
CREATE TABLE graph_generation (
  graph_id text PRIMARY KEY,
  active integer NOT NULL,
  -- Numbers are never used twice, so that a left-over file of a failed build is never taken for a new one.
  last_number integer NOT NULL,
  materialized_at timestamptz,
  materialized_count integer NOT NULL DEFAULT 0,
  total_rows bigint NOT NULL DEFAULT 0,
  -- The lease of the run that builds (graphs M-2).
  builder text,
  builder_until timestamptz,
  -- The stale mark that a running build took away; put back when the build fails.
  taken_reason text
);

ALTER TABLE graph_generation ENABLE ROW LEVEL SECURITY;
ALTER TABLE graph_generation FORCE ROW LEVEL SECURITY;
CREATE POLICY graph_generation_of_graph ON graph_generation
  USING (graph_id = current_setting('pacioli.graph_id', true))
  WITH CHECK (graph_id = current_setting('pacioli.graph_id', true));
