-- When each graph may be refreshed again (graphs M-33). The row is written before the refresh starts, so that a host that
-- dies, or another host, does not start it twice.
CREATE TABLE graph_refresh (
  graph_id text PRIMARY KEY,
  not_before timestamptz NOT NULL,
  -- Refreshes that failed since the last one that succeeded; the wait grows with them.
  failures integer NOT NULL DEFAULT 0,
  -- The run that has started and whose end was not seen yet.
  operation_id text
);
-- The job reads the refreshes in progress of all graphs.
CREATE INDEX graph_refresh_in_progress ON graph_refresh (graph_id) WHERE operation_id IS NOT NULL;

ALTER TABLE graph_refresh ENABLE ROW LEVEL SECURITY;
ALTER TABLE graph_refresh FORCE ROW LEVEL SECURITY;
CREATE POLICY kernel_or_graph ON graph_refresh USING (current_setting('pacioli.scope', true) = 'kernel'
  OR graph_id = current_setting('pacioli.graph_id', true));

-- The kernel finds builds whose run has ended without them, such as after a worker was lost (graphs M-22).
CREATE INDEX graph_generation_building ON graph_generation (graph_id) WHERE builder IS NOT NULL;
CREATE POLICY building_for_kernel ON graph_generation FOR SELECT USING (current_setting('pacioli.scope', true) = 'kernel');
