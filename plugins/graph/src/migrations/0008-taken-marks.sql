-- A build takes over the stale mark of its graph, so that writes during the build can set a new one. Until the build
-- succeeds, the graph is as stale as it was, and since the same time (graphs M-32).
ALTER TABLE graph_generation ADD COLUMN taken_since timestamptz;
