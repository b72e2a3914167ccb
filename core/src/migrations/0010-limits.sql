-- Graphs that are promised and not yet being made, such as those of a checkout that waits for its payment. Each holds a
-- place of its organization's limit until its creation is accepted or the promise is taken back (platform U-9).
CREATE TABLE kernel_graph_reservation (
  graph_id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES kernel_org (id),
  reserved_by text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX kernel_graph_reservation_by_org ON kernel_graph_reservation (org_id);

ALTER TABLE kernel_graph_reservation ENABLE ROW LEVEL SECURITY;
ALTER TABLE kernel_graph_reservation FORCE ROW LEVEL SECURITY;
CREATE POLICY kernel_scope ON kernel_graph_reservation USING (current_setting('pacioli.scope', true) = 'kernel');

-- How many runs of a user have not ended, also when the question comes from the scope of one graph, which sees only its
-- own runs: the limit is of the user (platform L-22).
CREATE FUNCTION kernel_open_runs_of_user(who text) RETURNS bigint LANGUAGE sql STABLE
  SET pacioli.scope = 'kernel'
  AS 'SELECT count(*) FROM kernel_operation WHERE finished_at IS NULL AND user_id = who';
