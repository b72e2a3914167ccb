-- Rules of taxonomies (taxonomy 1.1, T-29): either an arithmetic pattern or a structural check, never both. Variables
-- name their elements by qname and id; targets have no foreign keys for the reason given in the first migration.

CREATE TABLE taxonomy_rule (
  graph_id text NOT NULL,
  id text NOT NULL,
  taxonomy_id text NOT NULL,
  -- The structure whose atoms the rule reads; null for rules of the whole taxonomy and of single elements.
  structure_id text,
  name text NOT NULL,
  description text,
  rule_category text NOT NULL,
  rule_pattern text,
  rule_check_kind text,
  expression text NOT NULL DEFAULT '',
  variables jsonb NOT NULL DEFAULT '[]',
  severity text NOT NULL DEFAULT 'error' CHECK (severity IN ('info', 'warning', 'error')),
  origin text NOT NULL CHECK (origin IN ('auto', 'native', 'forked')),
  target_kind text CHECK (target_kind IN ('structure', 'element', 'association', 'taxonomy')),
  target_id text,
  message text,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, id),
  CHECK ((rule_pattern IS NULL) <> (rule_check_kind IS NULL)),
  CHECK ((target_kind IS NULL) = (target_id IS NULL))
);
CREATE INDEX taxonomy_rule_by_taxonomy ON taxonomy_rule (graph_id, taxonomy_id, name);
CREATE INDEX taxonomy_rule_by_structure ON taxonomy_rule (graph_id, structure_id) WHERE structure_id IS NOT NULL;
CREATE INDEX taxonomy_rule_by_target ON taxonomy_rule (graph_id, target_id) WHERE target_id IS NOT NULL;

ALTER TABLE taxonomy_rule ENABLE ROW LEVEL SECURITY;
ALTER TABLE taxonomy_rule FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON taxonomy_rule USING (graph_id = current_setting('pacioli.graph_id', true));
CREATE POLICY library_for_all ON taxonomy_rule FOR SELECT USING (graph_id = 'library');

-- Why a taxonomy went, and what it left behind (taxonomy T-38, T-39): the block itself is gone by then.
CREATE TABLE taxonomy_deletion (
  graph_id text NOT NULL,
  taxonomy_id text NOT NULL,
  name text NOT NULL,
  taxonomy_type text NOT NULL,
  reason text NOT NULL,
  facts_deleted integer NOT NULL,
  -- The entity has no primary chart from then on, until another one is linked.
  was_primary_chart boolean NOT NULL,
  deleted_by text NOT NULL,
  deleted_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, taxonomy_id)
);
ALTER TABLE taxonomy_deletion ENABLE ROW LEVEL SECURITY;
ALTER TABLE taxonomy_deletion FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON taxonomy_deletion USING (graph_id = current_setting('pacioli.graph_id', true));

-- Taxonomy T-28, T-37: which taxonomies hang below another one.
CREATE INDEX taxonomy_taxonomy_by_source ON taxonomy_taxonomy (graph_id, source_taxonomy_id)
  WHERE source_taxonomy_id IS NOT NULL;
CREATE INDEX taxonomy_taxonomy_by_parent ON taxonomy_taxonomy (graph_id, parent_taxonomy_id)
  WHERE parent_taxonomy_id IS NOT NULL;

-- Taxonomy LB-5: a shipped row that is no longer used says so and names what took its place; it is never deleted.
ALTER TABLE taxonomy_element ADD COLUMN is_deprecated boolean NOT NULL DEFAULT false;
ALTER TABLE taxonomy_element ADD COLUMN replaced_by text;

-- Taxonomy T-42: rows of the seeder are changed by the seeder only, whatever a command believes.
CREATE FUNCTION taxonomy_refuse_library_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.created_by = 'library-seeder' AND current_setting('pacioli.graph_id', true) IS DISTINCT FROM 'library' THEN
    RAISE EXCEPTION 'library rows cannot be changed' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['taxonomy_taxonomy', 'taxonomy_element', 'taxonomy_structure', 'taxonomy_association',
    'taxonomy_rule']
  LOOP
    EXECUTE format('CREATE TRIGGER library_rows BEFORE UPDATE OR DELETE ON %I FOR EACH ROW
      EXECUTE FUNCTION taxonomy_refuse_library_change()', name);
  END LOOP;
END $$;

-- Statistics after the library was written: an embedded store gathers none by itself, and joins of arcs with their ends
-- are then planned as if each had one row. It runs as the owner of the tables, which is the only one who may.
CREATE FUNCTION taxonomy_gather_statistics() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  ANALYZE taxonomy_taxonomy, taxonomy_element, taxonomy_structure, taxonomy_association, taxonomy_rule;
END $$;
