-- Reports and the statements that they consist of (reporting section 8). The facts belong to the plugin `blocks`.

CREATE TABLE reporting_report (
  graph_id text NOT NULL,
  id text NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
  taxonomy_id text NOT NULL,
  mapping_id text NOT NULL,
  entity_id text NOT NULL,
  -- The name of the entity when the report was generated.
  entity_name text NOT NULL,
  period_type text NOT NULL CHECK (period_type IN ('monthly', 'quarterly', 'annual')),
  period_start date NOT NULL,
  period_end date NOT NULL,
  comparative boolean NOT NULL,
  -- An ordered list of { start, end, label }.
  columns jsonb NOT NULL,
  -- True if the caller listed the columns, false if they follow from one window.
  has_listed_columns boolean NOT NULL,
  -- The months of the columns that were open at the last generation: { months, more } (P-13).
  open_months jsonb NOT NULL,
  generation integer NOT NULL CHECK (generation >= 1),
  generation_status text NOT NULL CHECK (generation_status IN ('generating', 'published', 'failed')),
  filing_status text NOT NULL CHECK (filing_status IN ('draft', 'under_review', 'filed', 'archived')),
  filed_at timestamptz,
  filed_by text,
  supersedes_id text,
  superseded_by_id text,
  rule_summary jsonb,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  last_generated timestamptz NOT NULL,
  PRIMARY KEY (graph_id, id),
  FOREIGN KEY (graph_id, supersedes_id) REFERENCES reporting_report (graph_id, id),
  FOREIGN KEY (graph_id, superseded_by_id) REFERENCES reporting_report (graph_id, id),
  CHECK (period_start <= period_end),
  CHECK ((filing_status IN ('filed', 'archived')) = (filed_at IS NOT NULL)),
  CHECK (filing_status IN ('draft', 'under_review') OR generation_status = 'published')
);
CREATE INDEX reporting_report_newest ON reporting_report (graph_id, created_at DESC, id DESC);
-- For the foreign keys, which the deletion of a report checks.
CREATE INDEX reporting_report_by_predecessor ON reporting_report (graph_id, supersedes_id)
  WHERE supersedes_id IS NOT NULL;
CREATE INDEX reporting_report_by_successor ON reporting_report (graph_id, superseded_by_id)
  WHERE superseded_by_id IS NOT NULL;

-- One statement of a report. Its values are the facts of its set; what stands here is what facts cannot tell.
CREATE TABLE reporting_statement (
  graph_id text NOT NULL,
  report_id text NOT NULL,
  block_type text NOT NULL,
  structure_id text NOT NULL,
  structure_name text NOT NULL,
  fact_set_id text NOT NULL,
  -- The rows in print order, without values: { element_id, qname, name, trait, depth, is_subtotal }.
  rows jsonb NOT NULL,
  -- The checks on the statement when it was generated.
  validation jsonb NOT NULL,
  unmapped_count integer NOT NULL,
  PRIMARY KEY (graph_id, report_id, block_type),
  FOREIGN KEY (graph_id, report_id) REFERENCES reporting_report (graph_id, id) ON DELETE CASCADE
);

-- What is filed never changes (P-16). Only its end does: it is archived, or superseded by one restatement, once.
CREATE FUNCTION reporting_refuse_filed_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF to_jsonb(NEW) - 'filing_status' - 'superseded_by_id' = to_jsonb(OLD) - 'filing_status' - 'superseded_by_id'
      AND NEW.filing_status IN (OLD.filing_status, 'archived')
      AND (OLD.superseded_by_id IS NULL OR NEW.superseded_by_id IS NOT DISTINCT FROM OLD.superseded_by_id) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'report % is filed and cannot change', OLD.id
    USING ERRCODE = 'check_violation', CONSTRAINT = 'reporting_report_filed';
END $$;
CREATE TRIGGER reporting_report_filed BEFORE UPDATE OR DELETE ON reporting_report
  FOR EACH ROW WHEN (OLD.filing_status IN ('filed', 'archived')) EXECUTE FUNCTION reporting_refuse_filed_change();

CREATE FUNCTION reporting_refuse_filed_statement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE offender text;
BEGIN
  SELECT r.id INTO offender FROM reporting_report r
  WHERE r.filing_status IN ('filed', 'archived') AND (r.graph_id, r.id) IN (SELECT graph_id, report_id FROM changed_statements)
  LIMIT 1;
  IF offender IS NOT NULL THEN
    RAISE EXCEPTION 'the statements of report % are filed and cannot change', offender
      USING ERRCODE = 'check_violation', CONSTRAINT = 'reporting_report_filed';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER reporting_statement_inserted AFTER INSERT ON reporting_statement
  REFERENCING NEW TABLE AS changed_statements FOR EACH STATEMENT EXECUTE FUNCTION reporting_refuse_filed_statement();
CREATE TRIGGER reporting_statement_updated AFTER UPDATE ON reporting_statement
  REFERENCING OLD TABLE AS changed_statements FOR EACH STATEMENT EXECUTE FUNCTION reporting_refuse_filed_statement();
CREATE TRIGGER reporting_statement_moved AFTER UPDATE ON reporting_statement
  REFERENCING NEW TABLE AS changed_statements FOR EACH STATEMENT EXECUTE FUNCTION reporting_refuse_filed_statement();
CREATE TRIGGER reporting_statement_deleted AFTER DELETE ON reporting_statement
  REFERENCING OLD TABLE AS changed_statements FOR EACH STATEMENT EXECUTE FUNCTION reporting_refuse_filed_statement();

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['reporting_report', 'reporting_statement']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_graph ON %I USING (graph_id = current_setting(''pacioli.graph_id'', true))', name);
  END LOOP;
END $$;
