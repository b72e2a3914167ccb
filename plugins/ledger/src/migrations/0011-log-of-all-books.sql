-- The log covers every table of the books: what is settled, what groups entries, and what decides how both are read
-- (ledger L-214; decision 0008).

ALTER TABLE ledger_log DROP CONSTRAINT ledger_log_kind_check;
ALTER TABLE ledger_log ADD CONSTRAINT ledger_log_kind_check CHECK (kind IN ('event_recorded', 'event_changed',
    'event_deleted', 'entry_written', 'entry_changed', 'entry_landed', 'entry_reversed', 'entry_deleted',
    'handler_version', 'calendar', 'month_receipt')
  OR kind ~ '^(entity|entity_link|calendar_settings|month|transaction|settlement|agent|schedule|schedule_month|entry_history|receipt_history)_(added|changed|removed)$');

-- What the log says of a row: everything but its graph, its key, which is the subject, and what is null. Of columns
-- that are long, or that name people, it says a digest, which is enough to see a change. The digest is not salted: a short
-- value, such as a phone number, is found by trying all of them (SECURITY.md).
CREATE FUNCTION ledger_log_said(item jsonb, key_columns text[], digested text[]) RETURNS jsonb
LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT jsonb_strip_nulls(item - 'graph_id' - key_columns - digested) || coalesce((
    SELECT jsonb_object_agg(d.name, encode(sha256(convert_to((item -> d.name)::text, 'UTF8')), 'hex'))
    FROM unnest(digested) AS d (name) WHERE item -> d.name <> 'null'), '{}')
$$;

CREATE FUNCTION ledger_log_subject(item jsonb, key_columns text[]) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT string_agg(item ->> k.name, '/' ORDER BY k.place) FROM unnest(key_columns) WITH ORDINALITY AS k (name, place)
$$;

-- For each row, so that a statement that touches none costs nothing: posting an event offers months and the currency of
-- the books each time. The arguments are the kind, the columns of the key and those of which a digest is enough.
CREATE FUNCTION ledger_log_row() RETURNS trigger LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
  former jsonb := to_jsonb(OLD);
  present jsonb := to_jsonb(NEW);
  former_subject text := ledger_log_subject(former, TG_ARGV[1]::text[]);
  present_subject text := ledger_log_subject(present, TG_ARGV[1]::text[]);
  former_said jsonb := ledger_log_said(former, TG_ARGV[1]::text[], TG_ARGV[2]::text[]);
  present_said jsonb := ledger_log_said(present, TG_ARGV[1]::text[], TG_ARGV[2]::text[]);
BEGIN
  IF former_subject = present_subject THEN
    INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
    SELECT NEW.graph_id, TG_ARGV[0] || '_changed', present_subject, d.payload FROM (
      SELECT jsonb_object_agg(k.name, present_said -> k.name) AS payload
      FROM jsonb_object_keys(former_said || present_said) AS k (name)
      WHERE former_said -> k.name IS DISTINCT FROM present_said -> k.name) AS d WHERE d.payload IS NOT NULL;
    RETURN NULL;
  END IF;
  IF former_subject IS NOT NULL THEN
    INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
    VALUES (OLD.graph_id, TG_ARGV[0] || '_removed', former_subject, '{}');
  END IF;
  IF present_subject IS NOT NULL THEN
    INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
    VALUES (NEW.graph_id, TG_ARGV[0] || '_added', present_subject, present_said);
  END IF;
  RETURN NULL;
END $$;

-- Transactions are changed by the thousand in a close, so their changes are logged by statement, as those of events are:
-- the columns that changed. Planned anew each time: a close changes thousands of rows, and a move one.
DROP TRIGGER ledger_event_change_logged ON ledger_event;
DROP FUNCTION ledger_log_event_changes();
CREATE FUNCTION ledger_log_changes() RETURNS trigger LANGUAGE plpgsql SET timezone = 'UTC' AS $$
BEGIN
  IF EXISTS (SELECT FROM changed) THEN
    EXECUTE 'INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
      SELECT c.graph_id, $1, c.id, d.payload FROM (
        SELECT n.graph_id, n.id, to_jsonb(n) AS after, to_jsonb(o) AS before
        FROM changed AS n JOIN former AS o ON o.graph_id = n.graph_id AND o.id = n.id OFFSET 0) AS c
      CROSS JOIN LATERAL (SELECT jsonb_object_agg(f.key, f.value) AS payload FROM jsonb_each(c.after) AS f
        WHERE f.value IS DISTINCT FROM c.before -> f.key) AS d
      WHERE d.payload IS NOT NULL' USING TG_ARGV[0];
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_event_change_logged AFTER UPDATE ON ledger_event REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_log_changes('event_changed');
CREATE TRIGGER ledger_transaction_change_logged AFTER UPDATE ON ledger_transaction
  REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_log_changes('transaction_changed');

CREATE FUNCTION ledger_log_transactions() RETURNS trigger LANGUAGE plpgsql SET timezone = 'UTC' AS $$
BEGIN
  INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
  SELECT t.graph_id, TG_ARGV[0], t.id, CASE TG_OP WHEN 'DELETE' THEN '{}'
    ELSE jsonb_strip_nulls(to_jsonb(t) - '{graph_id,id}'::text[]) END FROM written AS t;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_transaction_logged AFTER INSERT ON ledger_transaction REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_log_transactions('transaction_added');
CREATE TRIGGER ledger_transaction_removal_logged AFTER DELETE ON ledger_transaction REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_log_transactions('transaction_removed');

-- Puts a table into the log: what it holds now, which forced row security would hide, and everything from now on.
CREATE FUNCTION ledger_log_table(name text, kind text, key_columns text[], digested text[]) RETURNS void
LANGUAGE plpgsql SET timezone = 'UTC' AS $$
BEGIN
  EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', name);
  EXECUTE format('INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
    SELECT r.graph_id, %L, ledger_log_subject(r.item, %L), ledger_log_said(r.item, %L, %L)
    FROM (SELECT t.graph_id, to_jsonb(t) AS item FROM %I AS t OFFSET 0) AS r ORDER BY 1, 3',
    kind || '_added', key_columns, key_columns, digested, name);
  EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
  IF name <> 'ledger_transaction' THEN
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW
      EXECUTE FUNCTION ledger_log_row(%L, %L, %L)', name || '_in_log', name, kind, key_columns, digested);
  END IF;
END $$;

-- Forced row security would refuse what is written for all graphs at once.
ALTER TABLE ledger_log NO FORCE ROW LEVEL SECURITY;
SELECT ledger_log_table('ledger_entity', 'entity', '{id}', '{}');
SELECT ledger_log_table('ledger_entity_taxonomy', 'entity_link', '{entity_id,taxonomy_id,basis}', '{}');
SELECT ledger_log_table('ledger_fiscal_calendar', 'calendar_settings', '{id}', '{}');
SELECT ledger_log_table('ledger_fiscal_period', 'month', '{name}', '{close_receipt}');
SELECT ledger_log_table('ledger_agent', 'agent', '{id}', '{name,legal_name,tax_id,registration_number,duns,lei,email,phone,address,metadata}');
SELECT ledger_log_table('ledger_transaction', 'transaction', '{id}', '{}');
SELECT ledger_log_table('ledger_event_settlement', 'settlement', '{discharging_event_id,originating_event_id}', '{}');
SELECT ledger_log_table('ledger_schedule', 'schedule', '{structure_id}', '{definition}');
SELECT ledger_log_table('ledger_schedule_month', 'schedule_month', '{structure_id,period}', '{}');
SELECT ledger_log_table('ledger_entry_history', 'entry_history', '{entry_id,version}', '{content}');
SELECT ledger_log_table('ledger_close_receipt_history', 'receipt_history', '{period,id}', '{receipt}');
DROP FUNCTION ledger_log_table(text, text, text[], text[]);
ALTER TABLE ledger_log FORCE ROW LEVEL SECURITY;

-- The kernel chains the log with the audits. The canonical JSON of a row stays as it was, so that seals hold.
CREATE FUNCTION ledger_log_chain_link(item ledger_log) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('kind', item.kind, 'subject_id', item.subject_id,
    'recorded_at_us', (extract(epoch FROM item.recorded_at) * 1000000)::bigint, 'payload', item.payload)
$$;
DROP FUNCTION ledger_seal_log(text, integer);
DROP FUNCTION ledger_log_hash(bytea, bigint, text, text, timestamptz, jsonb);
DROP FUNCTION ledger_log_root(text);

-- With the path that migrations have now, in which temporary tables come last.
ALTER FUNCTION ledger_gather_statistics() SET search_path FROM CURRENT;
