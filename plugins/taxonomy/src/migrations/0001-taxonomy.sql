-- Taxonomies, their elements, networks and arcs (taxonomy section 1). Rows of the shipped library have the graph
-- 'library'; every graph may read them and only seeding, which runs in that graph's scope, writes them.
-- Ends of arcs may lie in the library while the arc is a tenant's, so there are no foreign keys on them: keys across
-- graph_id would break both row security and sharding. The store checks the ends before it writes.

CREATE TABLE taxonomy_taxonomy (
  graph_id text NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  description text,
  taxonomy_type text NOT NULL,
  standard text,
  version text,
  namespace_uri text,
  parent_taxonomy_id text,
  source_taxonomy_id text,
  target_taxonomy_id text,
  is_locked boolean NOT NULL DEFAULT false,
  is_active boolean NOT NULL DEFAULT true,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, id)
);
CREATE INDEX taxonomy_taxonomy_by_type ON taxonomy_taxonomy (graph_id, taxonomy_type, name);

CREATE TABLE taxonomy_element (
  graph_id text NOT NULL,
  id text NOT NULL,
  taxonomy_id text,
  qname text,
  code text,
  -- The code with its digit runs padded, so that 9 sorts before 10 (ledger L-36).
  code_order text COLLATE "C",
  name text NOT NULL,
  description text,
  trait text,
  liquidity text,
  activity_type text,
  sub_classification text,
  balance_type text CHECK (balance_type IN ('debit', 'credit')),
  period_type text NOT NULL CHECK (period_type IN ('instant', 'duration')),
  element_type text NOT NULL CHECK (element_type IN ('concept', 'abstract', 'axis', 'member', 'hypercube')),
  item_type text,
  is_abstract boolean NOT NULL,
  is_monetary boolean NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  is_placeholder boolean NOT NULL DEFAULT false,
  source text NOT NULL,
  parent_id text,
  depth integer NOT NULL DEFAULT 0,
  currency text,
  external_id text,
  external_source text,
  connection_id text,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, id)
);
CREATE UNIQUE INDEX taxonomy_element_qname ON taxonomy_element (graph_id, qname) WHERE qname IS NOT NULL;
CREATE UNIQUE INDEX taxonomy_element_code ON taxonomy_element (graph_id, taxonomy_id, code) WHERE code IS NOT NULL AND is_active;
CREATE UNIQUE INDEX taxonomy_element_external ON taxonomy_element (graph_id, external_source, connection_id, external_id)
  WHERE external_id IS NOT NULL;
CREATE INDEX taxonomy_element_in_order ON taxonomy_element (graph_id, taxonomy_id, code_order, name);

CREATE TABLE taxonomy_structure (
  graph_id text NOT NULL,
  id text NOT NULL,
  taxonomy_id text NOT NULL,
  name text NOT NULL,
  description text,
  block_type text NOT NULL,
  concept_arrangement text,
  role_uri text,
  is_active boolean NOT NULL DEFAULT true,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, id)
);
CREATE INDEX taxonomy_structure_by_taxonomy ON taxonomy_structure (graph_id, taxonomy_id, name);
CREATE INDEX taxonomy_structure_by_type ON taxonomy_structure (graph_id, block_type, name);

CREATE TABLE taxonomy_association (
  graph_id text NOT NULL,
  id text NOT NULL,
  structure_id text NOT NULL,
  from_element_id text NOT NULL,
  to_element_id text NOT NULL,
  association_type text NOT NULL,
  arcrole text,
  order_value double precision NOT NULL DEFAULT 0,
  weight double precision,
  confidence double precision CHECK (confidence BETWEEN 0 AND 1),
  suggested_by text,
  approved_by text,
  approved_at timestamptz,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, id),
  FOREIGN KEY (graph_id, structure_id) REFERENCES taxonomy_structure (graph_id, id)
);
-- Taxonomy T-14.
CREATE UNIQUE INDEX taxonomy_association_arc
  ON taxonomy_association (graph_id, structure_id, from_element_id, to_element_id, association_type);
-- Taxonomy M-2: an account has one reporting concept in a mapping, also when two requests race.
CREATE UNIQUE INDEX taxonomy_association_one_target
  ON taxonomy_association (graph_id, structure_id, from_element_id) WHERE association_type = 'mapping';
CREATE INDEX taxonomy_association_by_from ON taxonomy_association (graph_id, from_element_id);
CREATE INDEX taxonomy_association_by_to ON taxonomy_association (graph_id, to_element_id);

-- What the library was last seeded from (taxonomy LB-7).
CREATE TABLE taxonomy_library_version (
  graph_id text NOT NULL,
  package text NOT NULL,
  content_hash text NOT NULL,
  seeded_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, package)
);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['taxonomy_taxonomy', 'taxonomy_element', 'taxonomy_structure', 'taxonomy_association',
    'taxonomy_library_version']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_graph ON %I USING (graph_id = current_setting(''pacioli.graph_id'', true))', name);
    EXECUTE format('CREATE POLICY library_for_all ON %I FOR SELECT USING (graph_id = ''library'')', name);
  END LOOP;
END $$;
