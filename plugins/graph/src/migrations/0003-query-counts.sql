-- How many statements each graph ran in each tenth of an hour of the last day (graphs H-1). Processes add what they
-- counted every few seconds.
CREATE TABLE graph_query_count (
  graph_id text NOT NULL,
  slot timestamptz NOT NULL,
  statements integer NOT NULL,
  failures integer NOT NULL,
  total_ms bigint NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, slot)
);

-- Removes what is older than a day, for all graphs at once.
CREATE INDEX graph_query_count_slot ON graph_query_count (slot);

ALTER TABLE graph_query_count ENABLE ROW LEVEL SECURITY;
ALTER TABLE graph_query_count FORCE ROW LEVEL SECURITY;
CREATE POLICY graph_query_count_of_kernel ON graph_query_count
  USING (current_setting('pacioli.scope', true) = 'kernel');
