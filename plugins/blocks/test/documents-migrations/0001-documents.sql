CREATE TABLE documents_document (
  graph_id text NOT NULL,
  id text NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (graph_id, id)
);
ALTER TABLE documents_document ENABLE ROW LEVEL SECURITY;
ALTER TABLE documents_document FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON documents_document USING (graph_id = current_setting('pacioli.graph_id', true));
