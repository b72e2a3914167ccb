-- Rules of the tenant for what events do to the journal, and what a restated event leaves behind.

CREATE TABLE ledger_event_handler (
  graph_id text NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  event_type text NOT NULL,
  event_category text,
  match_source text,
  match_agent_type text,
  match_resource_type text,
  match_metadata_expression jsonb,
  transaction_template jsonb NOT NULL,
  priority integer NOT NULL,
  is_active boolean NOT NULL,
  origin text NOT NULL CHECK (origin IN ('hub', 'tenant')),
  description text,
  suggested_by text,
  confidence numeric,
  approved_by text,
  approved_at timestamptz,
  metadata jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  created_by text NOT NULL,
  PRIMARY KEY (graph_id, id)
);
-- Ledger L-110: names are unique, and they are what a tie is told by.
CREATE UNIQUE INDEX ledger_event_handler_name ON ledger_event_handler (graph_id, name);
CREATE INDEX ledger_event_handler_by_type ON ledger_event_handler (graph_id, event_type) WHERE is_active;

-- Ledger L-112: a replay takes the version that was in force; the rows are append-only.
CREATE TABLE ledger_event_handler_version (
  graph_id text NOT NULL,
  handler_id text NOT NULL,
  version integer NOT NULL,
  content jsonb NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, handler_id, version),
  FOREIGN KEY (graph_id, handler_id) REFERENCES ledger_event_handler (graph_id, id)
);

CREATE FUNCTION ledger_keep_handler_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_event_handler_version (graph_id, handler_id, version, content, at)
  VALUES (NEW.graph_id, NEW.id, NEW.version, to_jsonb(NEW) - 'graph_id', NEW.updated_at);
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_event_handler_kept AFTER INSERT OR UPDATE ON ledger_event_handler
  FOR EACH ROW EXECUTE FUNCTION ledger_keep_handler_version();

CREATE FUNCTION ledger_refuse_handler_version_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'version % of handler % cannot change', OLD.version, OLD.handler_id
    USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_event_handler_version_append_only';
END $$;
CREATE TRIGGER ledger_event_handler_version_kept BEFORE UPDATE OR DELETE ON ledger_event_handler_version
  FOR EACH ROW EXECUTE FUNCTION ledger_refuse_handler_version_change();

-- Which handler, and which version of it, made a transaction (ledger L-112).
ALTER TABLE ledger_transaction ADD COLUMN metadata jsonb;

ALTER TABLE ledger_entity_taxonomy ADD COLUMN adoption_context text;

-- The queue of items whose provider says something else than the books.
CREATE INDEX ledger_event_reconciling ON ledger_event (graph_id, occurred_at DESC, id DESC) WHERE is_reconciling_item;

-- Ledger L-140: a restatement replaces landed rows. It may once their copy is in the history, which nothing changes.
ALTER TABLE ledger_entry_history DROP CONSTRAINT ledger_entry_history_reason_check;
ALTER TABLE ledger_entry_history ADD CONSTRAINT ledger_entry_history_reason_check
  CHECK (reason IN ('retracted', 'updated', 'deleted', 'restated'));

CREATE OR REPLACE FUNCTION ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND EXISTS (SELECT FROM ledger_entry_history AS h
      WHERE h.graph_id = OLD.graph_id AND h.entry_id = OLD.entry_id AND h.reason = 'restated') THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'line items of entry % have landed and cannot change', OLD.entry_id USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_line_item_immutable';
END $$;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['ledger_event_handler', 'ledger_event_handler_version']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_graph ON %I USING (graph_id = current_setting(''pacioli.graph_id'', true))', name);
  END LOOP;
END $$;
