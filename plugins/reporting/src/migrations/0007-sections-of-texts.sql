-- The section of each text of a copy whose structure stays with the sender (D-7): the name of that structure, by which a
-- search of the recipient finds the text (ai-surface 2.1).
CREATE TABLE reporting_text_section (
  graph_id text NOT NULL,
  report_id text NOT NULL,
  element_id text NOT NULL,
  section text NOT NULL,
  PRIMARY KEY (graph_id, report_id, element_id),
  FOREIGN KEY (graph_id, report_id) REFERENCES reporting_report (graph_id, id) ON DELETE CASCADE
);
ALTER TABLE reporting_text_section ENABLE ROW LEVEL SECURITY;
ALTER TABLE reporting_text_section FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON reporting_text_section USING (graph_id = current_setting('pacioli.graph_id', true));
