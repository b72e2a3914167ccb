-- The id of the graph's space in the index when its revision was noted: a copy of before a rebuild, and the space of
-- another graph, have other ids. Null if none was noted. And the time of the last rebuild.
ALTER TABLE search_graph
  ADD COLUMN index_space text,
  ADD COLUMN rebuilt_at timestamptz;
