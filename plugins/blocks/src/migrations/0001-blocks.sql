-- Facts in sets, rules over them, and what the rules said (reporting sections 1 and 3).
-- Structures, elements and associations belong to the taxonomy and may lie in the shared library, so nothing here has
-- a foreign key on them; the store that writes a fact has them checked before.

CREATE TABLE blocks_fact_set (
  graph_id text NOT NULL,
  id text NOT NULL,
  structure_id text,
  entity_id text NOT NULL,
  period_start date,
  period_end date NOT NULL,
  factset_type text NOT NULL
    CHECK (factset_type IN ('report', 'schedule', 'metric', 'disclosure', 'custom', 'reconciliation')),
  report_id text,
  -- Null means actuals. Whoever reads says which of the two it wants (F-11).
  scenario_id text,
  provenance jsonb,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, id),
  CHECK (period_start IS NULL OR period_start <= period_end)
);
CREATE INDEX blocks_fact_set_newest
  ON blocks_fact_set (graph_id, structure_id, period_end DESC, created_at DESC) WHERE structure_id IS NOT NULL;
CREATE INDEX blocks_fact_set_of_report ON blocks_fact_set (graph_id, report_id) WHERE report_id IS NOT NULL;
-- One standing set for each subject (F-10). A report is one set for each structure it shows.
CREATE UNIQUE INDEX blocks_fact_set_snapshot
  ON blocks_fact_set (graph_id, report_id, structure_id) WHERE report_id IS NOT NULL AND structure_id IS NOT NULL;
CREATE UNIQUE INDEX blocks_fact_set_month
  ON blocks_fact_set (graph_id, structure_id, entity_id, scenario_id, period_start, period_end) NULLS NOT DISTINCT
  WHERE factset_type = 'report' AND report_id IS NULL AND structure_id IS NOT NULL;
CREATE UNIQUE INDEX blocks_fact_set_schedule
  ON blocks_fact_set (graph_id, structure_id) WHERE factset_type IN ('schedule', 'custom') AND report_id IS NULL;
CREATE UNIQUE INDEX blocks_fact_set_metric
  ON blocks_fact_set (graph_id, structure_id, entity_id, period_end, scenario_id) NULLS NOT DISTINCT
  WHERE factset_type = 'metric' AND report_id IS NULL;
CREATE UNIQUE INDEX blocks_fact_set_disclosure
  ON blocks_fact_set (graph_id, structure_id, entity_id, period_start, period_end) NULLS NOT DISTINCT
  WHERE factset_type = 'disclosure' AND report_id IS NULL;
CREATE UNIQUE INDEX blocks_fact_set_reconciliation
  ON blocks_fact_set (graph_id, structure_id, period_end)
  WHERE factset_type = 'reconciliation' AND report_id IS NULL;

CREATE TABLE blocks_fact (
  graph_id text NOT NULL,
  id text NOT NULL,
  fact_set_id text NOT NULL,
  element_id text NOT NULL,
  entity_id text NOT NULL,
  period_start date,
  period_end date NOT NULL,
  period_type text NOT NULL CHECK (period_type IN ('instant', 'duration')),
  fact_type text NOT NULL CHECK (fact_type IN ('Numeric', 'Nonnumeric')),
  -- Currency units, not minor units (B-0.7).
  value numeric(24, 6),
  unit text,
  decimals text,
  text_value text,
  content_type text,
  fact_scope text NOT NULL CHECK (fact_scope IN ('in_scope', 'historical')),
  -- The ids of the axis members, sorted and joined: a part of what makes a fact the same fact (F-1).
  dimension_key text NOT NULL DEFAULT '',
  -- Where one fact came from, in sets that hold facts of several sources (T-4).
  provenance jsonb,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, id),
  FOREIGN KEY (graph_id, fact_set_id) REFERENCES blocks_fact_set (graph_id, id) ON DELETE CASCADE,
  CHECK (period_start IS NULL OR period_start <= period_end),
  CHECK (fact_type = 'Numeric' OR (value IS NULL AND unit IS NULL))
);
-- Leads with the set, so that it also serves every read of a set.
CREATE UNIQUE INDEX blocks_fact_once
  ON blocks_fact (graph_id, fact_set_id, element_id, entity_id, period_start, period_end, unit, dimension_key)
  NULLS NOT DISTINCT;
CREATE INDEX blocks_fact_by_element ON blocks_fact (graph_id, element_id, period_end);

CREATE TABLE blocks_dimension (
  graph_id text NOT NULL,
  id text NOT NULL,
  dimension_type text NOT NULL,
  axis_element_id text,
  -- The member element's id or a typed value.
  value text NOT NULL,
  display_name text NOT NULL,
  PRIMARY KEY (graph_id, id),
  UNIQUE (graph_id, dimension_type, value)
);

CREATE TABLE blocks_fact_dimension (
  graph_id text NOT NULL,
  fact_id text NOT NULL,
  dimension_id text NOT NULL,
  PRIMARY KEY (graph_id, fact_id, dimension_id),
  FOREIGN KEY (graph_id, fact_id) REFERENCES blocks_fact (graph_id, id) ON DELETE CASCADE,
  FOREIGN KEY (graph_id, dimension_id) REFERENCES blocks_dimension (graph_id, id)
);

CREATE TABLE blocks_rule (
  graph_id text NOT NULL,
  id text NOT NULL,
  -- The structure that the rule was made for and goes with; null for rules of the whole graph.
  structure_id text,
  name text NOT NULL,
  category text NOT NULL,
  pattern text,
  check_kind text,
  expression text NOT NULL CHECK (length(expression) <= 4000),
  variables jsonb NOT NULL,
  message text,
  severity text NOT NULL CHECK (severity IN ('info', 'warning', 'error')),
  origin text NOT NULL CHECK (origin IN ('forked', 'native', 'auto')),
  target_kind text CHECK (target_kind IN ('structure', 'element', 'association', 'taxonomy')),
  target_id text,
  metadata jsonb NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, id),
  CHECK ((pattern IS NULL) <> (check_kind IS NULL)),
  CHECK ((target_kind IS NULL) = (target_id IS NULL))
);
CREATE INDEX blocks_rule_by_target ON blocks_rule (graph_id, target_id);
CREATE INDEX blocks_rule_by_structure ON blocks_rule (graph_id, structure_id) WHERE structure_id IS NOT NULL;

CREATE TABLE blocks_verification_result (
  graph_id text NOT NULL,
  id text NOT NULL,
  -- Rules that ship live in memory, so this is no foreign key.
  rule_id text NOT NULL,
  structure_id text NOT NULL,
  fact_set_id text,
  -- All results of one evaluation share it; the newest runs are kept (R-21).
  run_id text NOT NULL,
  period_start date,
  period_end date,
  status text NOT NULL CHECK (status IN ('pass', 'fail', 'error', 'skipped')),
  message text,
  detail jsonb NOT NULL,
  evaluated_at timestamptz NOT NULL,
  created_by text NOT NULL,
  PRIMARY KEY (graph_id, id),
  FOREIGN KEY (graph_id, fact_set_id) REFERENCES blocks_fact_set (graph_id, id) ON DELETE CASCADE
);
CREATE INDEX blocks_verification_result_newest
  ON blocks_verification_result (graph_id, structure_id, evaluated_at DESC, id);
CREATE INDEX blocks_verification_result_of_set
  ON blocks_verification_result (graph_id, fact_set_id) WHERE fact_set_id IS NOT NULL;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['blocks_fact_set', 'blocks_fact', 'blocks_dimension', 'blocks_fact_dimension',
    'blocks_rule', 'blocks_verification_result']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_graph ON %I USING (graph_id = current_setting(''pacioli.graph_id'', true))', name);
  END LOOP;
END $$;
