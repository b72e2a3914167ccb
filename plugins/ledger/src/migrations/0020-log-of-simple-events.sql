-- Most events have one transaction with one entry of their own lines, whose ids follow that of the event. The row of
-- such a simple event in the log has no journal, and it has the columns of each event as the list `fields`, without their
-- names (ledger L-214b; decision 0048). Rows that are there stay as they are, and so do their hashes. Nothing is rewritten.
-- In this file `event` is the payload of an event with the names of its columns.

-- An id with another prefix, some steps after a given one in the order in which a process makes them: a transaction
-- follows its event by 1, the entry its transaction by 1, and the lines their transaction by 2 onwards.
-- Returns NULL if the id does not end in four digits of a ULID, or if they overflow; the row then holds the id itself.
CREATE FUNCTION ledger_log_id_after(id text, prefix text, steps bigint) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  alphabet CONSTANT text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  number bigint := 0;
  digit integer;
BEGIN
  FOR place IN length(id) - 3 .. length(id) LOOP
    digit := strpos(alphabet, substr(id, place, 1)) - 1;
    IF digit < 0 OR place < 1 THEN RETURN NULL; END IF;
    number := number * 32 + digit;
  END LOOP;
  number := number + steps;
  IF number >= 1048576 THEN RETURN NULL; END IF;
  RETURN prefix || substr(id, strpos(id, '_'), length(id) - strpos(id, '_') - 3)
    || substr(alphabet, (number / 32768)::integer + 1, 1) || substr(alphabet, (number / 1024 % 32)::integer + 1, 1)
    || substr(alphabet, (number / 32 % 32)::integer + 1, 1) || substr(alphabet, (number % 32)::integer + 1, 1);
END $$;

-- The transaction of an event whose row has no journal because it is a simple event.
CREATE FUNCTION ledger_log_booked_transaction(of_event text, payload jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(payload ->> 'transaction_id', ledger_log_id_after(of_event, 'txn', 1))
$$;

-- The line of an event in a place, which its metadata may hold as an account followed by an amount: a debit above zero, a
-- credit below (ledger L-76a).
CREATE FUNCTION ledger_log_event_line(event jsonb, place bigint) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  short jsonb := event #> '{metadata,dispatch_lines}';
  account jsonb := short -> (2 * place - 2)::integer;
  amount numeric := (short ->> (2 * place - 1)::integer)::numeric;
BEGIN
  IF account IS NULL OR jsonb_exists(event -> 'metadata', 'line_items') THEN
    RETURN event #> ARRAY['metadata', 'line_items', (place - 1)::text];
  END IF;
  RETURN jsonb_build_object('element_id', account, 'debit_amount', greatest(amount, 0), 'credit_amount', greatest(-amount, 0));
END $$;

CREATE OR REPLACE FUNCTION ledger_log_assumed_line(event jsonb, place bigint) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE given jsonb := ledger_log_event_line(event, place);
BEGIN
  RETURN jsonb_build_object('line_order', place, 'element_id', given -> 'element_id',
    'debit_amount', coalesce(given -> 'debit_amount', '0'), 'credit_amount', coalesce(given -> 'credit_amount', '0'),
    'description', given -> 'description', 'metadata', given -> 'metadata');
END $$;

-- How many lines the metadata of an event has; NULL when it holds no list of them.
CREATE FUNCTION ledger_log_line_count(event jsonb) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN jsonb_typeof(event #> '{metadata,line_items}') = 'array' THEN jsonb_array_length(event #> '{metadata,line_items}')
    WHEN jsonb_typeof(event #> '{metadata,dispatch_lines}') = 'array' THEN jsonb_array_length(event #> '{metadata,dispatch_lines}') / 2 END
$$;

-- The journal of an event with one transaction and one entry of its lines, whose ids follow one another.
CREATE FUNCTION ledger_log_simple_journal(of_transaction text, event jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  line_count integer := ledger_log_line_count(event);
  lines jsonb;
  debits bigint;
  transaction jsonb := jsonb_build_object('id', of_transaction);
BEGIN
  SELECT jsonb_agg(jsonb_build_object('id', ledger_log_id_after(of_transaction, 'li', n + 1)) ORDER BY n),
    sum((ledger_log_event_line(event, n) ->> 'debit_amount')::numeric) INTO lines, debits FROM generate_series(1, line_count) AS n;
  IF (event ->> 'amount')::bigint IS DISTINCT FROM debits THEN
    transaction := transaction || jsonb_build_object('amount', debits);
  END IF;
  IF event ->> 'description' IS NULL AND event #>> '{metadata,memo}' IS NOT NULL THEN
    transaction := transaction || jsonb_build_object('description', event #> '{metadata,memo}');
  END IF;
  RETURN jsonb_build_object('transactions', jsonb_build_array(transaction), 'entries', jsonb_build_array(
    jsonb_build_object('id', ledger_log_id_after(of_transaction, 'je', 1), 'line_items', lines)));
END $$;

-- The payload of a row with the names of its columns and its journal; any other payload as it is. The list holds null for
-- a column without a value, which the long form omits, so jsonb_strip_nulls removes nothing that was written. It is applied
-- to these texts only, not to the metadata.
CREATE FUNCTION ledger_log_unpacked(of_event text, payload jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  fields jsonb := payload -> 'fields';
  event jsonb;
BEGIN
  IF fields IS NULL THEN RETURN payload; END IF;
  event := payload - '{fields,transaction_id}'::text[] || jsonb_strip_nulls(jsonb_build_object('event_type', fields -> 0,
    'event_category', fields -> 1, 'status', fields -> 2, 'source', fields -> 3, 'currency', fields -> 4,
    'external_id', fields -> 5, 'occurred_at', fields -> 6, 'created_at', fields -> 7, 'created_by', fields -> 8));
  RETURN event || jsonb_build_object('journal',
    ledger_log_simple_journal(ledger_log_booked_transaction(of_event, payload), event));
END $$;

-- The short form of a payload whose journal is that of a simple event; any other payload as it is. The journal is compared
-- before it is left out, and the columns in the list are texts.
CREATE FUNCTION ledger_log_packed(of_event text, payload jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  journal jsonb := payload -> 'journal';
  of_transaction text := journal #>> '{transactions,0,id}';
BEGIN
  -- A journal line that holds only its id equals the line of the event, so its amounts are valid whole numbers and the sum
  -- below cannot fail.
  IF of_transaction IS NULL OR jsonb_path_exists(journal, '$.entries[*].line_items[*].line_order')
    OR jsonb_array_length(journal #> '{entries,0,line_items}') IS DISTINCT FROM ledger_log_line_count(payload) THEN
    RETURN payload;
  END IF;
  IF ledger_log_simple_journal(of_transaction, payload) IS DISTINCT FROM journal THEN
    RETURN payload;
  END IF;
  RETURN payload - '{journal,event_type,event_category,status,source,currency,external_id,occurred_at,created_at,created_by}'::text[]
    || jsonb_build_object('fields', jsonb_build_array(payload -> 'event_type', payload -> 'event_category',
      payload -> 'status', payload -> 'source', payload -> 'currency', payload -> 'external_id', payload -> 'occurred_at',
      payload -> 'created_at', payload -> 'created_by'))
    || CASE WHEN of_transaction = ledger_log_id_after(of_event, 'txn', 1) THEN '{}'
      ELSE jsonb_build_object('transaction_id', of_transaction) END;
END $$;

CREATE OR REPLACE FUNCTION ledger_log_journal_rows(of_event text, recorded jsonb)
RETURNS TABLE (kind text, subject_id text, payload jsonb) LANGUAGE sql STABLE AS $$
  WITH whole AS MATERIALIZED (
    SELECT ledger_log_unpacked(of_event, recorded) AS item
  ), event AS (
    SELECT ledger_log_assumed_event() || (w.item - 'journal') AS item, w.item -> 'journal' AS journal FROM whole AS w
    WHERE jsonb_exists(w.item, 'journal')
  ), transactions AS (
    SELECT ledger_log_assumed_transaction(of_event, v.item) || t.item AS item, t.place FROM event AS v
    CROSS JOIN LATERAL jsonb_array_elements(v.journal -> 'transactions') WITH ORDINALITY AS t (item, place)
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
  FROM event AS v CROSS JOIN LATERAL jsonb_array_elements(v.journal -> 'entries') AS e (item)
$$;

-- Runs for each written transaction and entry, so it compares ids instead of unpacking the row.
CREATE OR REPLACE FUNCTION ledger_log_holds(graph text, of_event text, part jsonb) RETURNS boolean
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
DECLARE
  recorded jsonb;
  of_transaction text;
BEGIN
  SELECT l.payload INTO recorded FROM ledger_log AS l
    WHERE l.graph_id = graph AND l.subject_id = of_event AND l.kind = 'event_recorded' ORDER BY l.id DESC LIMIT 1;
  IF recorded IS NULL OR NOT jsonb_exists(recorded, 'fields') THEN
    RETURN coalesce(recorded -> 'journal' @> part, false);
  END IF;
  of_transaction := ledger_log_booked_transaction(of_event, recorded);
  RETURN coalesce(part #>> '{transactions,0,id}' = of_transaction
    OR (part #>> '{entries,0,id}' = ledger_log_id_after(of_transaction, 'je', 1)
      AND part #>> '{entries,0,line_items,0,id}' = ledger_log_id_after(of_transaction, 'li', 2)), false);
END $$;

CREATE OR REPLACE FUNCTION ledger_log_events() RETURNS trigger LANGUAGE plpgsql SET timezone = 'UTC' AS $$
BEGIN
  INSERT INTO ledger_log (graph_id, kind, subject_id, payload)
  SELECT r.graph_id, 'event_recorded', r.id, ledger_log_packed(r.id, ledger_log_present(r.item) - CASE
      WHEN jsonb_build_object('event_class', r.item -> 'event_class', 'dimension_ids', r.item -> 'dimension_ids',
        'is_reconciling_item', r.item -> 'is_reconciling_item') = ledger_log_assumed_event()
      THEN '{event_class,dimension_ids,is_reconciling_item}'::text[] ELSE '{}' END
    || ledger_log_journal(r.graph_id, r.id, r.item))
  FROM (SELECT a.graph_id, a.id, to_jsonb(a) - '{graph_id,id}'::text[] AS item FROM added AS a OFFSET 0) AS r;
  RETURN NULL;
END $$;
