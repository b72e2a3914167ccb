-- The log says each thing once (ledger L-214; decision 0026). The row of a new event holds the transactions and entries
-- that are written with it, a row leaves out what a reader can tell without it, and a change holds the columns that
-- changed. Rows that are there stay as they are, and so do their hashes.

-- The columns that have a value; nulls within the metadata stay.
CREATE FUNCTION ledger_log_present(item jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_strip_nulls(item - 'metadata') || CASE WHEN item -> 'metadata' <> 'null'
    THEN jsonb_build_object('metadata', item -> 'metadata') ELSE '{}' END
$$;

-- The columns that differ from those that a reader assumes, and the id.
CREATE FUNCTION ledger_log_difference(item jsonb, assumed jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  -- Most entries of a journal; the query below takes ten times as long.
  IF item - 'id' = assumed THEN
    RETURN jsonb_build_object('id', item -> 'id');
  END IF;
  RETURN (SELECT jsonb_object_agg(f.key, f.value) FROM jsonb_each(item) AS f
    WHERE f.value IS DISTINCT FROM assumed -> f.key);
END $$;

-- An event without these columns has these values.
CREATE FUNCTION ledger_log_assumed_event() RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT '{"event_class": "economic", "dimension_ids": [], "is_reconciling_item": false}'::jsonb
$$;

-- A transaction that was written with its event repeats much of it.
CREATE FUNCTION ledger_log_assumed_transaction(of_event text, event jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN jsonb_build_object('event_id', of_event, 'number', NULL, 'type', event -> 'event_type',
    'category', event -> 'event_category', 'amount', event -> 'amount', 'currency', event -> 'currency',
    'date', event -> 'metadata' -> 'posting_date', 'due_date', NULL, 'merchant_name', NULL, 'reference_number', NULL,
    'description', event -> 'description', 'source', event -> 'source', 'source_id', event -> 'external_id',
    'status', 'posted', 'metadata', NULL, 'posted_at', event -> 'created_at', 'created_at', event -> 'created_at',
    'updated_at', event -> 'created_at');
END $$;

-- So does an entry, which also repeats the first transaction of the event.
CREATE FUNCTION ledger_log_assumed_entry(of_event text, event jsonb, first_transaction jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN jsonb_build_object('transaction_id', first_transaction -> 'id', 'event_id', of_event, 'number', NULL,
    'type', 'standard', 'status', 'posted', 'posting_date', first_transaction -> 'date',
    'currency', event -> 'currency', 'memo', event -> 'metadata' -> 'memo', 'provenance', 'manual_entry',
    'source_structure_id', NULL, 'reversal_of', NULL, 'version', 1, 'metadata', NULL,
    'posted_at', event -> 'created_at', 'created_at', event -> 'created_at', 'updated_at', event -> 'created_at');
END $$;

-- A line repeats the line of the event in the same place.
CREATE FUNCTION ledger_log_assumed_line(event jsonb, place bigint) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE given jsonb := event #> ARRAY['metadata', 'line_items', (place - 1)::text];
BEGIN
  RETURN jsonb_build_object('line_order', place, 'element_id', given -> 'element_id',
    'debit_amount', coalesce(given -> 'debit_amount', '0'), 'credit_amount', coalesce(given -> 'credit_amount', '0'),
    'description', given -> 'description', 'metadata', given -> 'metadata');
END $$;

-- A line without what its entry says.
CREATE FUNCTION ledger_log_line(item jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT item - '{graph_id,entry_id,posting_date,currency,is_landed}'::text[]
$$;

-- What the row of a new event holds of the transactions and entries that were written with it. All that refer to the
-- event are new, because it is; an entry whose lines are still to come gets a row of its own.
CREATE FUNCTION ledger_log_journal(graph text, of_event text, event jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
DECLARE
  transactions jsonb;
  first_transaction jsonb;
  entries jsonb;
BEGIN
  SELECT jsonb_agg(ledger_log_difference(t.item, ledger_log_assumed_transaction(of_event, event)) ORDER BY t.id),
    (array_agg(t.item ORDER BY t.id))[1] INTO transactions, first_transaction
  FROM (
    SELECT k.id, to_jsonb(k) - 'graph_id' AS item FROM ledger_transaction AS k
    WHERE k.graph_id = graph AND k.event_id = of_event AND k.id = ANY (ARRAY(
      SELECT e.transaction_id FROM ledger_entry AS e WHERE e.graph_id = graph AND e.event_id = of_event)) OFFSET 0) AS t;
  SELECT jsonb_agg(
    ledger_log_difference(to_jsonb(e) - 'graph_id', ledger_log_assumed_entry(of_event, event, first_transaction))
      || jsonb_build_object('line_items', l.items) ORDER BY e.id) INTO entries
  FROM (
    -- OFFSET keeps the planner from reading the whole graph in the order of the aggregate (decision 0024).
    SELECT k.* FROM ledger_entry AS k WHERE k.graph_id = graph AND k.event_id = of_event OFFSET 0) AS e
  CROSS JOIN LATERAL (
    SELECT jsonb_agg(CASE WHEN i.item - 'id' = ledger_log_assumed_line(event, i.place)
      THEN jsonb_build_object('id', i.item -> 'id') ELSE ledger_log_present(i.item) END ORDER BY i.place) AS items
    FROM (
      SELECT ledger_log_line(to_jsonb(k)) AS item, row_number() OVER (ORDER BY k.line_order) AS place
      FROM ledger_line_item AS k WHERE k.graph_id = graph AND k.entry_id = e.id) AS i) AS l
  WHERE l.items IS NOT NULL;
  IF entries IS NULL THEN
    RETURN '{}';
  END IF;
  RETURN jsonb_build_object('journal', CASE WHEN transactions IS NULL THEN '{}'
    ELSE jsonb_build_object('transactions', transactions) END || jsonb_build_object('entries', entries));
END $$;

-- The rows that the row of an event stands for, with all columns; none for other kinds and for earlier rows.
CREATE FUNCTION ledger_log_journal_rows(of_event text, recorded jsonb)
RETURNS TABLE (kind text, subject_id text, payload jsonb) LANGUAGE sql STABLE AS $$
  WITH event AS (
    SELECT ledger_log_assumed_event() || (recorded - 'journal') AS item WHERE jsonb_exists(recorded, 'journal')
  ), transactions AS (
    SELECT ledger_log_assumed_transaction(of_event, v.item) || t.item AS item, t.place FROM event AS v
    CROSS JOIN LATERAL jsonb_array_elements(recorded #> '{journal,transactions}') WITH ORDINALITY AS t (item, place)
  )
  SELECT 'transaction_added', t.item ->> 'id', t.item FROM transactions AS t
  UNION ALL
  SELECT 'entry_written', e.item ->> 'id', jsonb_build_object(
    'entry', ledger_log_assumed_entry(of_event, v.item, (SELECT t.item FROM transactions AS t WHERE t.place = 1))
      || (e.item - 'line_items'),
    'line_items', (
      SELECT jsonb_agg(CASE WHEN l.item - 'id' = '{}' THEN ledger_log_assumed_line(v.item, l.place) || l.item
        ELSE l.item END ORDER BY l.place)
      FROM jsonb_array_elements(e.item -> 'line_items') WITH ORDINALITY AS l (item, place)))
  FROM event AS v CROSS JOIN LATERAL jsonb_array_elements(recorded #> '{journal,entries}') AS e (item)
$$;

-- True when the row of a new event holds this part of its journal.
CREATE FUNCTION ledger_log_holds(graph text, of_event text, part jsonb) RETURNS boolean
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
BEGIN
  RETURN coalesce((SELECT l.payload -> 'journal' @> part FROM ledger_log AS l
    WHERE l.graph_id = graph AND l.subject_id = of_event AND l.kind = 'event_recorded' ORDER BY l.id DESC LIMIT 1), false);
END $$;

-- Runs at the end of the statement that adds an event, when its journal is written, and before the triggers of that.
CREATE FUNCTION ledger_log_events() RETURNS trigger LANGUAGE plpgsql SET timezone = 'UTC' AS $$
BEGIN
  INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
  SELECT r.graph_id, 'event_recorded', r.id, ledger_log_present(r.item) - CASE
      WHEN jsonb_build_object('event_class', r.item -> 'event_class', 'dimension_ids', r.item -> 'dimension_ids',
        'is_reconciling_item', r.item -> 'is_reconciling_item') = ledger_log_assumed_event()
      THEN '{event_class,dimension_ids,is_reconciling_item}'::text[] ELSE '{}' END
    || ledger_log_journal(r.graph_id, r.id, r.item)
  FROM (SELECT a.graph_id, a.id, to_jsonb(a) - '{graph_id,id}'::text[] AS item FROM added AS a OFFSET 0) AS r;
  RETURN NULL;
END $$;
DROP TRIGGER ledger_event_logged ON ledger_event;
CREATE TRIGGER ledger_event_logged AFTER INSERT ON ledger_event REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_log_events();

CREATE OR REPLACE FUNCTION ledger_log_transactions() RETURNS trigger LANGUAGE plpgsql SET timezone = 'UTC' AS $$
BEGIN
  INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
  SELECT t.graph_id, TG_ARGV[0], t.id, CASE TG_OP WHEN 'DELETE' THEN '{}'
    ELSE ledger_log_present(to_jsonb(t) - '{graph_id,id}'::text[]) END
  FROM written AS t WHERE TG_OP = 'DELETE' OR NOT ledger_log_holds(t.graph_id, t.event_id,
    jsonb_build_object('transactions', jsonb_build_array(jsonb_build_object('id', t.id))));
  RETURN NULL;
END $$;

-- Lines that replace those of a draft have new ids, so that they are not taken for the first ones. The rows before say
-- what its entry is.
CREATE OR REPLACE FUNCTION ledger_require_balance() RETURNS trigger
LANGUAGE plpgsql SET timezone = 'UTC' SET enable_seqscan = off AS $$
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
    SELECT l.graph_id, 'entry_written', l.entry_id, CASE WHEN coalesce((
        SELECT w.kind <> 'entry_deleted' FROM ledger_log AS w
        WHERE w.graph_id = l.graph_id AND w.subject_id = l.entry_id ORDER BY w.id DESC LIMIT 1), false) THEN '{}'
      ELSE jsonb_build_object('entry', ledger_log_present(to_jsonb(e) - '{graph_id,id}'::text[])) END
      || jsonb_build_object('line_items', (
        SELECT jsonb_agg(ledger_log_present(ledger_log_line(i.item)) ORDER BY i.place)
        FROM jsonb_array_elements(l.items) WITH ORDINALITY AS i (item, place)))
    FROM (
      SELECT c.graph_id, c.entry_id, jsonb_agg(to_jsonb(c) ORDER BY c.line_order) AS items
      FROM changed_lines AS c GROUP BY c.graph_id, c.entry_id) AS l
    CROSS JOIN LATERAL (
      SELECT * FROM ledger_entry AS k WHERE k.graph_id = l.graph_id AND k.id = l.entry_id OFFSET 0) AS e
    WHERE NOT ledger_log_holds(e.graph_id, e.event_id, jsonb_build_object('entries', jsonb_build_array(
      jsonb_build_object('id', e.id, 'line_items', jsonb_build_array(jsonb_build_object('id', l.items -> 0 -> 'id'))))))
    ORDER BY l.entry_id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION ledger_follow_entries() RETURNS trigger LANGUAGE plpgsql
SET timezone = 'UTC' SET enable_nestloop = off AS $$
BEGIN
  IF EXISTS (SELECT FROM changed_entries) THEN
    EXECUTE 'UPDATE ledger_line_item AS l SET posting_date = e.posting_date, is_landed = e.status <> ''draft''
      FROM changed_entries AS e
      WHERE l.graph_id = e.graph_id AND l.entry_id = e.id
        AND l.entry_id = ANY (ARRAY(SELECT c.id FROM changed_entries AS c))
        AND (l.posting_date <> e.posting_date OR l.is_landed <> (e.status <> ''draft''))';
    EXECUTE 'INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
      SELECT c.graph_id, c.kind, c.id, jsonb_build_object(''entry'', d.entry) FROM (
        SELECT e.graph_id, e.id, to_jsonb(e) AS after, to_jsonb(o) AS before,
          CASE WHEN e.status = o.status THEN ''entry_changed'' WHEN e.status = ''reversed'' THEN ''entry_reversed''
            ELSE ''entry_landed'' END AS kind
        FROM changed_entries AS e JOIN former_entries AS o ON o.graph_id = e.graph_id AND o.id = e.id OFFSET 0) AS c
      CROSS JOIN LATERAL (SELECT jsonb_object_agg(f.key, f.value) AS entry FROM jsonb_each(c.after) AS f
        WHERE f.value IS DISTINCT FROM c.before -> f.key) AS d
      WHERE d.entry IS NOT NULL ORDER BY c.id';
  END IF;
  RETURN NULL;
END $$;

-- The rows before say what the entry was.
CREATE OR REPLACE FUNCTION ledger_log_removed_entries() RETURNS trigger LANGUAGE plpgsql SET timezone = 'UTC' AS $$
BEGIN
  INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
  SELECT r.graph_id, 'entry_deleted', r.id, jsonb_strip_nulls(
    jsonb_build_object('entry', jsonb_build_object('status', r.status), 'reason', h.reason, 'by', h.by))
  FROM removed AS r LEFT JOIN LATERAL (
    SELECT k.reason, k.by FROM ledger_entry_history AS k
    WHERE k.graph_id = r.graph_id AND k.entry_id = r.id AND k.version = r.version LIMIT 1) AS h ON true;
  RETURN NULL;
END $$;

-- No statement looks for the replaced versions of the entries of an event.
DROP INDEX ledger_entry_history_of_event;
