-- Distribution of reports to other graphs (reporting section 9, investor section 7).

-- The copy of a report of another graph. It has no mapping, and it is replaced as a whole, so that it never changes.
ALTER TABLE reporting_report ALTER COLUMN mapping_id DROP NOT NULL;
ALTER TABLE reporting_report ADD COLUMN source_graph_id text;
ALTER TABLE reporting_report ADD COLUMN source_report_id text;
ALTER TABLE reporting_report ADD COLUMN shared_at timestamptz;
ALTER TABLE reporting_report ADD CONSTRAINT reporting_report_copy CHECK (
  (source_graph_id IS NULL) = (source_report_id IS NULL) AND (source_graph_id IS NULL) = (shared_at IS NULL)
  AND (source_graph_id IS NULL) = (mapping_id IS NOT NULL) AND (source_graph_id IS NULL OR filed_by IS NULL));
CREATE UNIQUE INDEX reporting_report_copy_once ON reporting_report (graph_id, source_graph_id, source_report_id)
  WHERE source_graph_id IS NOT NULL;

DROP TRIGGER reporting_report_filed ON reporting_report;
CREATE TRIGGER reporting_report_filed BEFORE UPDATE OR DELETE ON reporting_report
  FOR EACH ROW WHEN (OLD.filing_status IN ('filed', 'archived') AND OLD.source_graph_id IS NULL)
  EXECUTE FUNCTION reporting_refuse_filed_change();

CREATE FUNCTION reporting_refuse_copy_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'report % is a copy and cannot change', OLD.id
    USING ERRCODE = 'check_violation', CONSTRAINT = 'reporting_report_copy';
END $$;
CREATE TRIGGER reporting_report_copy_unchanged BEFORE UPDATE ON reporting_report
  FOR EACH ROW WHEN (OLD.source_graph_id IS NOT NULL) EXECUTE FUNCTION reporting_refuse_copy_change();

CREATE OR REPLACE FUNCTION reporting_refuse_filed_statement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE offender text;
BEGIN
  SELECT r.id INTO offender FROM reporting_report r
  WHERE r.filing_status IN ('filed', 'archived') AND r.source_graph_id IS NULL
    AND (r.graph_id, r.id) IN (SELECT graph_id, report_id FROM changed_statements) LIMIT 1;
  IF offender IS NOT NULL THEN
    RAISE EXCEPTION 'the statements of report % are filed and cannot change', offender
      USING ERRCODE = 'check_violation', CONSTRAINT = 'reporting_report_filed';
  END IF;
  RETURN NULL;
END $$;

CREATE TABLE reporting_publish_list (
  graph_id text NOT NULL,
  id text NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
  description text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, id)
);
CREATE UNIQUE INDEX reporting_publish_list_name ON reporting_publish_list (graph_id, name);

CREATE TABLE reporting_publish_list_member (
  graph_id text NOT NULL,
  id text NOT NULL,
  list_id text NOT NULL,
  target_graph_id text NOT NULL,
  -- Null unless the sender may know them (investor L-3).
  target_graph_name text,
  target_org_name text,
  added_by text NOT NULL,
  added_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, id),
  FOREIGN KEY (graph_id, list_id) REFERENCES reporting_publish_list (graph_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX reporting_publish_list_member_once
  ON reporting_publish_list_member (graph_id, list_id, target_graph_id);

-- A report that was delivered to another graph; one row is active until it is revoked (investor H-7).
CREATE TABLE reporting_share (
  graph_id text NOT NULL,
  id text NOT NULL,
  report_id text NOT NULL,
  target_graph_id text NOT NULL,
  shared_by text NOT NULL,
  shared_at timestamptz NOT NULL,
  fact_count integer NOT NULL,
  -- Of the recipient at the last delivery.
  target_graph_name text NOT NULL,
  target_org_name text,
  revoked_by text,
  revoked_at timestamptz,
  PRIMARY KEY (graph_id, id)
);
CREATE UNIQUE INDEX reporting_share_active ON reporting_share (graph_id, report_id, target_graph_id)
  WHERE revoked_at IS NULL;
CREATE INDEX reporting_share_by_target ON reporting_share (graph_id, target_graph_id);

-- A copy that is to be delivered. The row exists before the copy and until the share is recorded, so that an interrupted
-- delivery is repeated once its lease has ended (reporting D-12).
CREATE TABLE reporting_delivery (
  graph_id text NOT NULL,
  report_id text NOT NULL,
  target_graph_id text NOT NULL,
  -- The file with the content to deliver.
  snapshot_key text NOT NULL,
  requested_by text NOT NULL,
  requested_at timestamptz NOT NULL,
  leased_until timestamptz NOT NULL,
  attempts integer NOT NULL,
  PRIMARY KEY (graph_id, report_id, target_graph_id)
);
CREATE INDEX reporting_delivery_due ON reporting_delivery (leased_until);

-- Calls of the last hour that are limited: deliveries by recipient (investor X-3), and additions to lists by user
-- (investor L-3).
CREATE TABLE reporting_recent_call (
  graph_id text NOT NULL,
  id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('delivery', 'addition')),
  subject text NOT NULL,
  called_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, id)
);
CREATE INDEX reporting_recent_call_by_subject ON reporting_recent_call (graph_id, kind, subject, called_at);

-- The graphs from which this one accepts no reports.
CREATE TABLE reporting_source_block (
  graph_id text NOT NULL,
  id text NOT NULL,
  source_graph_id text NOT NULL,
  -- Null unless the recipient may know it.
  source_graph_name text,
  blocked_by text NOT NULL,
  blocked_at timestamptz NOT NULL,
  -- Of the recipient alone; the sender never reads it (investor B-5).
  reason text,
  PRIMARY KEY (graph_id, id)
);
CREATE UNIQUE INDEX reporting_source_block_once ON reporting_source_block (graph_id, source_graph_id);

-- Whose reports the graph accepts (investor X-7); without a row, anyone's that it has not blocked.
CREATE TABLE reporting_share_setting (
  graph_id text NOT NULL PRIMARY KEY,
  accept_shares text NOT NULL CHECK (accept_shares IN ('anyone', 'declared', 'nobody')),
  allowed_source_graph_ids text[] NOT NULL,
  updated_by text NOT NULL,
  updated_at timestamptz NOT NULL
);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['reporting_publish_list', 'reporting_publish_list_member', 'reporting_share',
    'reporting_delivery', 'reporting_recent_call', 'reporting_source_block', 'reporting_share_setting']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_graph ON %I USING (graph_id = current_setting(''pacioli.graph_id'', true))', name);
  END LOOP;
END $$;
-- The job that repeats interrupted deliveries finds their graphs.
CREATE POLICY due_for_kernel ON reporting_delivery FOR SELECT USING (current_setting('pacioli.scope', true) = 'kernel');
