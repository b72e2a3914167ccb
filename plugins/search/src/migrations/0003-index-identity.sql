-- The index that has the entries of a graph (ai-surface D-17); null until it is known.
ALTER TABLE search_graph ADD COLUMN index_id text;
