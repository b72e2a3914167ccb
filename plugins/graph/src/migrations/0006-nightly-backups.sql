-- Graphs and subgraphs that changed since their last nightly backup (graphs B-13).
CREATE TABLE graph_nightly_backup (
  graph_id text PRIMARY KEY,
  changed_at timestamptz NOT NULL,
  -- When the next backup is due; null until the next change.
  due_at timestamptz
);
CREATE INDEX graph_nightly_backup_due ON graph_nightly_backup (due_at) WHERE due_at IS NOT NULL;

ALTER TABLE graph_nightly_backup ENABLE ROW LEVEL SECURITY;
ALTER TABLE graph_nightly_backup FORCE ROW LEVEL SECURITY;
CREATE POLICY kernel_or_graph ON graph_nightly_backup USING (current_setting('pacioli.scope', true) = 'kernel'
  OR graph_id = current_setting('pacioli.graph_id', true));
