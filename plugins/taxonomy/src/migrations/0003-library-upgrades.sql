-- Which edition of the library a graph looks at, and what it hides from its own lists (taxonomy LB-9, LB-10). A graph
-- without a row has the default pin and hides nothing.
CREATE TABLE taxonomy_view (
  graph_id text NOT NULL PRIMARY KEY,
  -- Such as rs-gaap@v1; null means the default of the release.
  framework text,
  -- Versions of single packages, by package.
  overrides jsonb NOT NULL DEFAULT '{}',
  excluded_ids text[] NOT NULL DEFAULT '{}',
  updated_by text NOT NULL,
  updated_at timestamptz NOT NULL
);
ALTER TABLE taxonomy_view ENABLE ROW LEVEL SECURITY;
ALTER TABLE taxonomy_view FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON taxonomy_view USING (graph_id = current_setting('pacioli.graph_id', true));

-- Before a release takes a concept away, it asks which graphs have mapped to it (taxonomy LB-11). Only the kernel's scope
-- sees these rows, and only mapping arcs.
CREATE POLICY mapped_for_kernel ON taxonomy_association FOR SELECT
  USING (association_type = 'mapping' AND current_setting('pacioli.scope', true) = 'kernel');
