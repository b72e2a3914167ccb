-- The log of the books: a row for each thing that was written, chained by hashes (ledger L-214; decision 0008).

CREATE TABLE ledger_log (
  graph_id text NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('event_recorded', 'event_changed', 'event_deleted', 'entry_written',
    'entry_changed', 'entry_landed', 'entry_reversed', 'entry_deleted', 'handler_version', 'calendar',
    'month_receipt')),
  -- What it is about: the id of an event, an entry, a handler or an event of the calendar, or a month.
  subject_id text NOT NULL,
  payload jsonb NOT NULL,
  -- By the clock of the store, which no caller sets.
  recorded_at timestamptz NOT NULL DEFAULT now(),
  -- The place in the chain. Null until the row is sealed.
  seq bigint,
  prev_hash bytea,
  hash bytea,
  -- The ids of one subject grow in the order in which it was written: a later writer has waited for the earlier one.
  PRIMARY KEY (graph_id, subject_id, id),
  CHECK ((seq IS NULL) = (hash IS NULL) AND (seq IS NULL) = (prev_hash IS NULL))
);
CREATE UNIQUE INDEX ledger_log_chain ON ledger_log (graph_id, seq) WHERE seq IS NOT NULL;
CREATE INDEX ledger_log_unsealed ON ledger_log (graph_id, id) WHERE seq IS NULL;

-- Books that were kept before there was a log: it begins with what they hold now. Forced row security would hide it.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['ledger_event', 'ledger_entry', 'ledger_line_item', 'ledger_calendar_event',
    'ledger_event_handler_version']
  LOOP EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', name);
  END LOOP;
  SET LOCAL timezone = 'UTC';
  INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
  SELECT graph_id, 'event_recorded', id, to_jsonb(v) - 'graph_id' FROM ledger_event AS v
  ORDER BY graph_id, created_at, id;
  INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
  SELECT e.graph_id, 'entry_written', e.id, jsonb_build_object('entry', to_jsonb(e) - 'graph_id', 'line_items', (
    SELECT jsonb_agg(to_jsonb(l) - '{graph_id,entry_id,posting_date,currency,is_landed}'::text[] ORDER BY l.line_order)
    FROM ledger_line_item AS l WHERE l.graph_id = e.graph_id AND l.entry_id = e.id))
  FROM ledger_entry AS e ORDER BY e.graph_id, e.created_at, e.id;
  INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
  SELECT graph_id, 'handler_version', handler_id, to_jsonb(h) - 'graph_id' FROM ledger_event_handler_version AS h
  ORDER BY graph_id, at, handler_id, version;
  INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
  SELECT graph_id, 'calendar', id, to_jsonb(c) - 'graph_id' FROM ledger_calendar_event AS c ORDER BY graph_id, at, id;
  FOREACH name IN ARRAY ARRAY['ledger_event', 'ledger_entry', 'ledger_line_item', 'ledger_calendar_event',
    'ledger_event_handler_version']
  LOOP EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
  END LOOP;
END $$;

ALTER TABLE ledger_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger_log FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON ledger_log USING (graph_id = current_setting('pacioli.graph_id', true));
-- The sealer asks in the kernel's scope which graphs have rows to seal, and works in the scope of each.
CREATE POLICY unsealed_for_kernel ON ledger_log FOR SELECT
  USING (seq IS NULL AND current_setting('pacioli.scope', true) = 'kernel');

-- Append-only: an unsealed row may be sealed, and nothing else ever happens to a row.
CREATE FUNCTION ledger_refuse_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the log of the books cannot change'
    USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_log_append_only';
END $$;
CREATE TRIGGER ledger_log_unsealed_at_first BEFORE INSERT ON ledger_log FOR EACH ROW
  WHEN (NEW.seq IS NOT NULL OR NEW.recorded_at <> now()) EXECUTE FUNCTION ledger_refuse_log_change();
CREATE TRIGGER ledger_log_sealed_once BEFORE UPDATE ON ledger_log FOR EACH ROW
  WHEN (OLD.seq IS NOT NULL OR NEW.seq IS NULL
    OR ROW(OLD.graph_id, OLD.id, OLD.kind, OLD.subject_id, OLD.payload, OLD.recorded_at)
    IS DISTINCT FROM ROW(NEW.graph_id, NEW.id, NEW.kind, NEW.subject_id, NEW.payload, NEW.recorded_at))
  EXECUTE FUNCTION ledger_refuse_log_change();
CREATE TRIGGER ledger_log_kept BEFORE DELETE ON ledger_log FOR EACH ROW EXECUTE FUNCTION ledger_refuse_log_change();

-- hash = SHA-256(prev_hash || canonical JSON). The canonical form is the text of a jsonb value: keys in its order, no
-- doubles.
CREATE FUNCTION ledger_log_hash(
  prev_hash bytea, seq bigint, kind text, subject_id text, recorded_at timestamptz, payload jsonb)
RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(prev_hash || convert_to(jsonb_build_object('seq', seq, 'kind', kind, 'subject_id', subject_id,
    'recorded_at_us', (extract(epoch FROM recorded_at) * 1000000)::bigint, 'payload', payload)::text, 'UTF8'))
$$;

-- Before the first row: no chain of one graph continues that of another.
CREATE FUNCTION ledger_log_root(graph text) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(convert_to('pacioli.ledger-log.' || graph, 'UTF8'))
$$;

-- Gives the oldest unsealed rows of a graph their place in the chain, and says how many they were. One caller at a
-- time.
CREATE FUNCTION ledger_seal_log(graph text, rows_max integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  item record;
  last_seq bigint;
  last_hash bytea;
  next_hash bytea;
  sealed integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('pacioli.ledger-log.' || graph, 0));
  SELECT l.seq, l.hash INTO last_seq, last_hash FROM ledger_log AS l
    WHERE l.graph_id = graph AND l.seq IS NOT NULL ORDER BY l.seq DESC LIMIT 1;
  IF last_seq IS NULL THEN
    last_seq := 0;
    last_hash := ledger_log_root(graph);
  END IF;
  FOR item IN SELECT l.id, l.kind, l.subject_id, l.recorded_at, l.payload FROM ledger_log AS l
    WHERE l.graph_id = graph AND l.seq IS NULL ORDER BY l.id LIMIT rows_max
  LOOP
    last_seq := last_seq + 1;
    next_hash := ledger_log_hash(last_hash, last_seq, item.kind, item.subject_id, item.recorded_at, item.payload);
    UPDATE ledger_log AS l SET seq = last_seq, prev_hash = last_hash, hash = next_hash
      WHERE l.graph_id = graph AND l.subject_id = item.subject_id AND l.id = item.id;
    last_hash := next_hash;
    sealed := sealed + 1;
  END LOOP;
  RETURN sealed;
END $$;

-- A hash over any number of rows in constant memory: the first value is the start, and each next one is folded in.
CREATE FUNCTION ledger_fold_step(state bytea, item bytea) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT
  AS $$ SELECT sha256(state || item) $$;
CREATE AGGREGATE ledger_fold(bytea) (SFUNC = ledger_fold_step, STYPE = bytea);

-- A row as the log writes it, whatever the time zone of the session.
CREATE FUNCTION ledger_utc_json(item anyelement) RETURNS jsonb LANGUAGE sql STABLE SET timezone = 'UTC'
  AS $$ SELECT to_jsonb(item) $$;

-- Rows that are only ever added, each with all it says. The arguments are the kind and the column of the subject.
CREATE FUNCTION ledger_log_added() RETURNS trigger LANGUAGE plpgsql SET timezone = 'UTC' AS $$
BEGIN
  INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
  SELECT r.graph_id, TG_ARGV[0], r.item ->> TG_ARGV[1], r.item
  FROM (SELECT a.graph_id, to_jsonb(a) - 'graph_id' AS item FROM added AS a OFFSET 0) AS r;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_event_logged AFTER INSERT ON ledger_event REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_log_added('event_recorded', 'id');
CREATE TRIGGER ledger_event_handler_version_logged AFTER INSERT ON ledger_event_handler_version
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_log_added('handler_version', 'handler_id');
CREATE TRIGGER ledger_calendar_event_logged AFTER INSERT ON ledger_calendar_event REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_log_added('calendar', 'id');
CREATE TRIGGER ledger_event_deletion_logged AFTER DELETE ON ledger_event REFERENCING OLD TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_log_added('event_deleted', 'id');

-- Of an event the columns that changed. Planned anew each time: a close changes thousands of rows, and a move one.
CREATE FUNCTION ledger_log_event_changes() RETURNS trigger LANGUAGE plpgsql SET timezone = 'UTC' AS $$
BEGIN
  IF EXISTS (SELECT FROM changed) THEN
    EXECUTE 'INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
      SELECT c.graph_id, ''event_changed'', c.id, d.payload FROM (
        SELECT n.graph_id, n.id, to_jsonb(n) AS after, to_jsonb(o) AS before
        FROM changed AS n JOIN former AS o ON o.graph_id = n.graph_id AND o.id = n.id OFFSET 0) AS c
      CROSS JOIN LATERAL (SELECT jsonb_object_agg(f.key, f.value) AS payload FROM jsonb_each(c.after) AS f
        WHERE f.value IS DISTINCT FROM c.before -> f.key) AS d
      WHERE d.payload IS NOT NULL';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_event_change_logged AFTER UPDATE ON ledger_event
  REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ledger_log_event_changes();

-- The lines of an entry are written together, and with them the entry is whole. The row of each entry is looked up by
-- its key, however many they are, so that one plan serves all sizes.
CREATE OR REPLACE FUNCTION ledger_require_balance() RETURNS trigger LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE offender text;
BEGIN
  SELECT entry_id INTO offender FROM changed_lines GROUP BY graph_id, entry_id
    HAVING sum(debit_amount) <> sum(credit_amount) LIMIT 1;
  IF offender IS NOT NULL THEN
    RAISE EXCEPTION 'journal entry % does not balance', offender
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_line_item_balance';
  END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
    SELECT l.graph_id, 'entry_written', l.entry_id, jsonb_build_object('entry', (
      SELECT to_jsonb(e) - 'graph_id' FROM ledger_entry AS e
      WHERE e.graph_id = l.graph_id AND e.id = l.entry_id), 'line_items', l.line_items)
    FROM (SELECT c.graph_id, c.entry_id, jsonb_agg(
        to_jsonb(c) - '{graph_id,entry_id,posting_date,currency,is_landed}'::text[] ORDER BY c.line_order) AS line_items
      FROM changed_lines AS c GROUP BY c.graph_id, c.entry_id) AS l ORDER BY l.entry_id;
  END IF;
  RETURN NULL;
END $$;

-- What happens to an entry afterwards is logged with the whole entry, so that its last row says how it is.
DROP TRIGGER ledger_entry_followed ON ledger_entry;
CREATE OR REPLACE FUNCTION ledger_follow_entries() RETURNS trigger LANGUAGE plpgsql SET timezone = 'UTC' AS $$
BEGIN
  IF EXISTS (SELECT FROM changed_entries) THEN
    EXECUTE 'UPDATE ledger_line_item AS l SET posting_date = e.posting_date, is_landed = e.status <> ''draft''
      FROM changed_entries AS e
      WHERE l.graph_id = e.graph_id AND l.entry_id = e.id
        AND (l.posting_date <> e.posting_date OR l.is_landed <> (e.status <> ''draft''))';
    EXECUTE 'INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
      SELECT e.graph_id, CASE WHEN e.status = o.status THEN ''entry_changed''
        WHEN e.status = ''reversed'' THEN ''entry_reversed'' ELSE ''entry_landed'' END, e.id,
        jsonb_build_object(''entry'', to_jsonb(e) - ''graph_id'')
      FROM changed_entries AS e JOIN former_entries AS o ON o.graph_id = e.graph_id AND o.id = e.id ORDER BY e.id';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_entry_followed AFTER UPDATE ON ledger_entry
  REFERENCING OLD TABLE AS former_entries NEW TABLE AS changed_entries
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_follow_entries();

-- Why an entry went, and who wanted it, is in the history of the entries, where it was put before (ledger L-53, L-216).
CREATE FUNCTION ledger_log_removed_entries() RETURNS trigger LANGUAGE plpgsql SET timezone = 'UTC' AS $$
BEGIN
  INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
  SELECT r.graph_id, 'entry_deleted', r.id,
    jsonb_build_object('entry', to_jsonb(r) - 'graph_id', 'reason', h.reason, 'by', h.by)
  FROM removed AS r LEFT JOIN LATERAL (
    SELECT k.reason, k.by FROM ledger_entry_history AS k
    WHERE k.graph_id = r.graph_id AND k.entry_id = r.id AND k.version = r.version LIMIT 1) AS h ON true;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_entry_removal_logged AFTER DELETE ON ledger_entry
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION ledger_log_removed_entries();

-- Ledger L-161, L-198: what a close says of its month, with the hash over the month's entries.
CREATE FUNCTION ledger_log_receipt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
  VALUES (NEW.graph_id, 'month_receipt', NEW.name, NEW.close_receipt);
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_fiscal_period_receipt_logged AFTER UPDATE OF close_receipt ON ledger_fiscal_period FOR EACH ROW
  WHEN (NEW.close_receipt IS NOT NULL AND NEW.close_receipt IS DISTINCT FROM OLD.close_receipt)
  EXECUTE FUNCTION ledger_log_receipt();
