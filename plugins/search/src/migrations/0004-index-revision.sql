-- The revision of the entries after the last write that was noted (ai-surface D-17); null until one is.
ALTER TABLE search_graph ADD COLUMN index_revision bigint;
