-- When the stale mark of a graph was last repeated, to within a few seconds: a graph is refreshed when it has not been
-- written for a while (graphs M-33).
ALTER TABLE kernel_graph ADD COLUMN stale_marked_at timestamptz;
UPDATE kernel_graph SET stale_marked_at = stale_since;

-- The stale graphs that a refresh may build, the one that has been quiet for longest first.
CREATE INDEX kernel_graph_stale ON kernel_graph (stale_marked_at, graph_id)
  WHERE stale_since IS NOT NULL AND stale_marked_at IS NOT NULL AND graph_type = 'entity' AND parent_id IS NULL AND status = 'active'
    AND write_block IS NULL;
