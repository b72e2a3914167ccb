CREATE TABLE watchlist_security (
  graph_id text NOT NULL,
  ticker text NOT NULL,
  note text,
  added_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, ticker)
);
ALTER TABLE watchlist_security ENABLE ROW LEVEL SECURITY;
ALTER TABLE watchlist_security FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON watchlist_security USING (graph_id = current_setting('pacioli.graph_id', true));
