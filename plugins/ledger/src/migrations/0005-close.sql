-- Closing a month: its receipt, the receipts that a reopening set aside, and an audit of the calendar that stays.

-- Ledger L-193: which month an audit row is about.
ALTER TABLE ledger_calendar_event ADD COLUMN period text CHECK (period ~ '^\d{4}-(0[1-9]|1[0-2])$');
ALTER TABLE ledger_calendar_event ADD CONSTRAINT ledger_calendar_event_type
  CHECK (type IN ('initialized', 'target_changed', 'target_advanced_auto', 'period_closed', 'period_reopened'));

-- Ledger L-169: what a close did stays readable after the month was opened again.
CREATE TABLE ledger_close_receipt_history (
  graph_id text NOT NULL,
  period text NOT NULL CHECK (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  id text NOT NULL,
  receipt jsonb NOT NULL,
  reopened_at timestamptz NOT NULL,
  reopened_by text NOT NULL,
  PRIMARY KEY (graph_id, period, id)
);
ALTER TABLE ledger_close_receipt_history ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger_close_receipt_history FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON ledger_close_receipt_history USING (graph_id = current_setting('pacioli.graph_id', true));

CREATE FUNCTION ledger_refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit of the calendar cannot change' USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_calendar_audit_append_only';
END $$;
CREATE TRIGGER ledger_calendar_event_kept BEFORE UPDATE OR DELETE ON ledger_calendar_event
  FOR EACH ROW EXECUTE FUNCTION ledger_refuse_audit_change();
CREATE TRIGGER ledger_close_receipt_kept BEFORE UPDATE OR DELETE ON ledger_close_receipt_history
  FOR EACH ROW EXECUTE FUNCTION ledger_refuse_audit_change();

-- Ledger L-174: what a schedule wrote for a month.
CREATE INDEX ledger_entry_by_structure ON ledger_entry (graph_id, source_structure_id, posting_date)
  WHERE source_structure_id IS NOT NULL;

-- A close posts thousands of entries with one statement, so their lines follow with one statement too, and not with one each.
-- It is planned anew each time: a plan made for thousands of entries would read every line of the books for one.
DROP TRIGGER ledger_entry_followed ON ledger_entry;
DROP FUNCTION ledger_follow_entry();
CREATE FUNCTION ledger_follow_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM changed_entries) THEN
    EXECUTE 'UPDATE ledger_line_item AS l SET posting_date = e.posting_date, is_landed = e.status <> ''draft'' FROM changed_entries AS e
      WHERE l.graph_id = e.graph_id AND l.entry_id = e.id
        AND (l.posting_date <> e.posting_date OR l.is_landed <> (e.status <> ''draft''))';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_entry_followed AFTER UPDATE ON ledger_entry
  REFERENCING NEW TABLE AS changed_entries FOR EACH STATEMENT EXECUTE FUNCTION ledger_follow_entries();
