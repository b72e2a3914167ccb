-- A subgraph takes no statements from the start of its deletion, so that its last backup has all its content.
ALTER TABLE kernel_graph DROP CONSTRAINT kernel_graph_status_check;
ALTER TABLE kernel_graph ADD CONSTRAINT kernel_graph_status_check
  CHECK (status IN ('creating', 'active', 'suspended', 'deleting', 'deprovisioned', 'deleted'));
