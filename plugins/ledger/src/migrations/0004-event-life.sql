-- What a change of an event or a draft replaces is kept: append-only, numbered by the version of the entry (ledger L-73, L-216).

CREATE TABLE ledger_entry_history (
  graph_id text NOT NULL,
  entry_id text NOT NULL,
  version integer NOT NULL,
  event_id text,
  reason text NOT NULL CHECK (reason IN ('retracted', 'updated', 'deleted')),
  -- The row of the entry and the rows of its lines as they were.
  content jsonb NOT NULL,
  at timestamptz NOT NULL,
  by text NOT NULL,
  PRIMARY KEY (graph_id, entry_id, version)
);
CREATE INDEX ledger_entry_history_of_event ON ledger_entry_history (graph_id, event_id) WHERE event_id IS NOT NULL;

CREATE FUNCTION ledger_refuse_history_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the history of entry % cannot change', OLD.entry_id USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_entry_history_append_only';
END $$;
CREATE TRIGGER ledger_entry_history_kept BEFORE UPDATE OR DELETE ON ledger_entry_history
  FOR EACH ROW EXECUTE FUNCTION ledger_refuse_history_change();

ALTER TABLE ledger_entry_history ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger_entry_history FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON ledger_entry_history USING (graph_id = current_setting('pacioli.graph_id', true));

-- Ledger L-60: what a caller keeps with a line goes along to its reversal.
ALTER TABLE ledger_line_item ADD COLUMN metadata jsonb;
