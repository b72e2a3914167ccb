-- The revision of the entries after the last write that was noted (ai-surface D-17); null until one is. After a rebuild,
-- revisions begin anew, so each rebuild has a number.
ALTER TABLE search_graph
  ADD COLUMN index_revision bigint,
  ADD COLUMN rebuilds integer NOT NULL DEFAULT 0;
