CREATE TABLE reminders_reminder (
  graph_id text NOT NULL,
  id text NOT NULL,
  body text NOT NULL,
  due_date date,
  PRIMARY KEY (graph_id, id)
);
ALTER TABLE reminders_reminder ENABLE ROW LEVEL SECURITY;
ALTER TABLE reminders_reminder FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON reminders_reminder USING (graph_id = current_setting('pacioli.graph_id', true));
