CREATE TABLE notes_note (
  graph_id text NOT NULL,
  id text NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (graph_id, id)
);
ALTER TABLE notes_note ENABLE ROW LEVEL SECURITY;
ALTER TABLE notes_note FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON notes_note USING (graph_id = current_setting('pacioli.graph_id', true));
