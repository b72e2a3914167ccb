-- Graphs whose data is being removed, or has been (graphs G-54).
CREATE TABLE kernel_graph_removal (
  graph_id text PRIMARY KEY,
  requested_by text NOT NULL,
  requested_at timestamptz NOT NULL,
  -- What happens next: plugins keep what outlives the graph, plugins remove their data, the kernel removes the rows.
  phase text NOT NULL DEFAULT 'preserve' CHECK (phase IN ('preserve', 'remove', 'rows')),
  -- Failures of this phase so far, the next attempt and the last reason.
  failures integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL,
  error text,
  finished_at timestamptz
);
CREATE INDEX kernel_graph_removal_due ON kernel_graph_removal (next_at) WHERE finished_at IS NULL;

ALTER TABLE kernel_graph_removal ENABLE ROW LEVEL SECURITY;
ALTER TABLE kernel_graph_removal FORCE ROW LEVEL SECURITY;
CREATE POLICY kernel_scope ON kernel_graph_removal USING (current_setting('pacioli.scope', true) = 'kernel');
