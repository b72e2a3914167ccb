-- Lists of the books: every filter of a list has an index that begins with the graph and ends in the order of the list,
-- so that a page costs the same after ten years. An index on the days of a filter takes about 20 bytes a row, because
-- equal keys share their place; rows of one day or instant are sorted by id when they are read. Values that most rows
-- have are read in the order of the whole list, so that an ordinary posting pays for none of the partial indexes. Lists
-- read them backward: in ascending order a new row goes to the end, where pages fill up.
--
-- Every index here is limited to rows whose day, instant, name or reference is not null, which are all rows that it
-- could find, so that only statements that constrain this column can use it. In a graph that is younger than the
-- statistics, the planner expects one row from any index that begins with the graph: it would as soon look up a key by
-- one of these and read all rows of the graph (decision 0024).
DROP INDEX ledger_entry_by_date;
CREATE INDEX ledger_entry_by_date ON ledger_entry (graph_id, posting_date, created_at, id)
  WHERE posting_date IS NOT NULL;
DROP INDEX ledger_entry_by_transaction;
CREATE INDEX ledger_entry_by_transaction ON ledger_entry (graph_id, transaction_id) WHERE transaction_id IS NOT NULL;
-- Drafts, which a close posts, and reversed entries; posting an entry directly writes nothing here.
CREATE INDEX ledger_entry_by_status ON ledger_entry (graph_id, status, posting_date, created_at, id)
  WHERE status <> 'posted' AND posting_date IS NOT NULL;
CREATE INDEX ledger_entry_by_type ON ledger_entry (graph_id, type, posting_date)
  WHERE type <> 'standard' AND posting_date IS NOT NULL;
CREATE INDEX ledger_entry_by_provenance ON ledger_entry (graph_id, provenance, posting_date)
  WHERE provenance <> 'manual_entry' AND posting_date IS NOT NULL;

DROP INDEX ledger_transaction_by_date;
CREATE INDEX ledger_transaction_by_date ON ledger_transaction (graph_id, date, id) WHERE date IS NOT NULL;
CREATE INDEX ledger_transaction_by_type ON ledger_transaction (graph_id, type, date) WHERE date IS NOT NULL;

DROP INDEX ledger_event_by_time;
CREATE INDEX ledger_event_by_time ON ledger_event (graph_id, occurred_at, id) WHERE occurred_at IS NOT NULL;
-- Events of these types are found by the index of all types.
DROP INDEX ledger_event_originating;
CREATE INDEX ledger_event_by_type ON ledger_event (graph_id, event_type, occurred_at) WHERE occurred_at IS NOT NULL;
CREATE INDEX ledger_event_by_source ON ledger_event (graph_id, source, occurred_at) WHERE occurred_at IS NOT NULL;
CREATE INDEX ledger_event_by_status ON ledger_event (graph_id, status, occurred_at)
  WHERE status <> 'fulfilled' AND occurred_at IS NOT NULL;
DROP INDEX ledger_event_by_agent;
CREATE INDEX ledger_event_by_agent ON ledger_event (graph_id, agent_id, occurred_at) WHERE agent_id IS NOT NULL;
DROP INDEX ledger_event_settlement_of;
CREATE INDEX ledger_event_settlement_of ON ledger_event_settlement (graph_id, originating_event_id)
  WHERE originating_event_id IS NOT NULL;
DROP INDEX ledger_open_item_by_agent;
CREATE INDEX ledger_open_item_by_agent ON ledger_open_item (graph_id, side, agent_id) WHERE side IS NOT NULL;

-- Counterparties are written rarely.
DROP INDEX ledger_agent_by_name;
CREATE INDEX ledger_agent_by_name ON ledger_agent (graph_id, lower(name), id) WHERE name IS NOT NULL;
CREATE INDEX ledger_agent_by_type ON ledger_agent (graph_id, agent_type, lower(name), id) WHERE name IS NOT NULL;
CREATE INDEX ledger_agent_by_source ON ledger_agent (graph_id, source, lower(name), id) WHERE name IS NOT NULL;
CREATE INDEX ledger_agent_retired ON ledger_agent (graph_id, lower(name), id) WHERE NOT is_active AND name IS NOT NULL;

-- The lines of changed entries are found by their keys, and matched to the entries by a hash table: a plan for one row
-- of the graph would compare each line with each entry.
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
      SELECT e.graph_id, CASE WHEN e.status = o.status THEN ''entry_changed''
        WHEN e.status = ''reversed'' THEN ''entry_reversed'' ELSE ''entry_landed'' END, e.id,
        jsonb_build_object(''entry'', to_jsonb(e) - ''graph_id'')
      FROM changed_entries AS e JOIN former_entries AS o ON o.graph_id = e.graph_id AND o.id = e.id ORDER BY e.id';
  END IF;
  RETURN NULL;
END $$;

-- As before, with the rows of each event looked up by key.
CREATE OR REPLACE FUNCTION ledger_follow_reversals(graph text, roots text[], receivable text[], payable text[])
RETURNS TABLE (event_id text, settles text) LANGUAGE sql AS $$
  WITH RECURSIVE own AS (
    SELECT v.id AS root, e.id AS entry_id, sum(l.debit_amount) AS debit,
      coalesce(sum(l.debit_amount - l.credit_amount) FILTER (WHERE l.element_id = ANY (CASE
        WHEN v.event_type IN ('invoice_issued', 'sales_receipt_recorded', 'payment_received') THEN receivable
        WHEN v.event_type IN ('bill_received', 'bill_paid') THEN payable ELSE receivable || payable END)), 0) AS net,
      -- The reversals until then are part of the difference that a catch-up has booked (L-137, L-141).
      (SELECT max(h ->> 'catch_up_event_id') FROM jsonb_array_elements(
        CASE jsonb_typeof(v.metadata -> 'reconciliation_history')
        WHEN 'array' THEN v.metadata -> 'reconciliation_history' ELSE '[]' END) AS h) AS caught_up_by
    FROM (SELECT DISTINCT k.id FROM unnest(roots) AS k (id)) AS r CROSS JOIN LATERAL (
      SELECT * FROM ledger_event AS k WHERE k.graph_id = graph AND k.id = r.id OFFSET 0) AS v
    CROSS JOIN LATERAL (
      SELECT k.id, k.reversal_of FROM ledger_entry AS k WHERE k.graph_id = graph AND k.event_id = v.id OFFSET 0) AS e
    CROSS JOIN LATERAL (
      SELECT * FROM ledger_line_item AS k WHERE k.graph_id = graph AND k.entry_id = e.id OFFSET 0) AS l
    WHERE e.reversal_of IS NULL GROUP BY v.id, v.event_type, v.metadata, e.id
  ), weighed AS (
    SELECT o.root, o.entry_id, o.caught_up_by,
      CASE WHEN sum(o.net) OVER of_root <> 0 THEN o.net ELSE o.debit END AS weight FROM own AS o
    WINDOW of_root AS (PARTITION BY o.root)
  ), share AS (
    SELECT w.root, w.entry_id, w.caught_up_by, w.weight, sum(w.weight) OVER (PARTITION BY w.root) AS whole,
      sum(w.weight) OVER (PARTITION BY w.root ORDER BY w.entry_id) AS through FROM weighed AS w
  ), chain AS (
    SELECT s.root, s.entry_id AS first_id, e.id, e.event_id AS reversal, 1 AS step,
      s.caught_up_by IS NULL OR e.event_id > s.caught_up_by AS counts
    FROM share AS s CROSS JOIN LATERAL (SELECT k.id, k.event_id, k.status FROM ledger_entry AS k
      WHERE k.graph_id = graph AND k.reversal_of = s.entry_id OFFSET 0) AS e
    WHERE e.status <> 'draft' AND e.event_id <> s.root
    UNION ALL
    SELECT c.root, c.first_id, e.id, e.event_id, c.step + 1, c.counts
    FROM chain AS c CROSS JOIN LATERAL (SELECT k.id, k.event_id, k.status FROM ledger_entry AS k
      WHERE k.graph_id = graph AND k.reversal_of = c.id OFFSET 0) AS e WHERE e.status <> 'draft'
  ), effect AS (
    SELECT s.discharging_event_id AS root, s.originating_event_id AS settled, -s.amount AS amount
    FROM ledger_event_settlement AS s WHERE s.graph_id = graph AND s.discharging_event_id = ANY (roots)
    UNION ALL
    -- What a credit note has settled is off it already.
    SELECT v.id, v.id, abs(v.amount) - coalesce((SELECT sum(s.amount) FROM ledger_event_settlement AS s
      WHERE s.graph_id = v.graph_id AND s.discharging_event_id = v.id), 0)
    FROM ledger_event AS v WHERE v.graph_id = graph AND v.id = ANY (roots) AND v.amount IS NOT NULL
      AND v.event_type IN ('invoice_issued', 'sales_receipt_recorded', 'bill_received')
  ), wanted AS (
    SELECT c.reversal, f.settled, sum((CASE c.step % 2 WHEN 1 THEN 1 ELSE -1 END)
      * (div(f.amount * s.through, s.whole) - div(f.amount * (s.through - s.weight), s.whole))) AS amount
    FROM chain AS c JOIN share AS s ON s.root = c.root AND s.entry_id = c.first_id JOIN effect AS f ON f.root = c.root
    WHERE c.counts GROUP BY c.reversal, f.settled
  ), removed AS (
    DELETE FROM ledger_event_settlement AS s WHERE s.graph_id = graph
      AND s.discharging_event_id = ANY (ARRAY(SELECT c.reversal FROM chain AS c))
      AND NOT EXISTS (SELECT FROM wanted AS w
        WHERE w.reversal = s.discharging_event_id AND w.settled = s.originating_event_id AND w.amount <> 0)
  ), written AS (
    INSERT INTO ledger_event_settlement AS s (graph_id, discharging_event_id, originating_event_id, amount)
    SELECT graph, w.reversal, w.settled, w.amount FROM wanted AS w WHERE w.amount <> 0
    ON CONFLICT (graph_id, discharging_event_id, originating_event_id) DO UPDATE SET amount = excluded.amount
      WHERE s.amount <> excluded.amount
  )
  -- Ledger L-90, L-195: an event that settles others names one of them.
  UPDATE ledger_event AS v SET discharges_event_id = n.settled FROM (
    SELECT c.reversal, min(w.settled) AS settled FROM chain AS c
    LEFT JOIN wanted AS w ON w.reversal = c.reversal AND w.amount <> 0 GROUP BY c.reversal) AS n
  WHERE v.graph_id = graph AND v.id = n.reversal AND v.id = ANY (ARRAY(SELECT c.reversal FROM chain AS c))
    AND v.discharges_event_id IS DISTINCT FROM n.settled
  RETURNING v.id, v.discharges_event_id
$$;

-- Statistics of tables of which most rows are new, for a sweep that writes thousands of entries: the references of the
-- lines are otherwise checked with plans for tables of a few rows. A table that has not doubled keeps its statistics,
-- so that books with a history never wait for them; the store gathers those in proportion to what changes.
CREATE OR REPLACE FUNCTION ledger_gather_statistics() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT AS $$
DECLARE doubled text;
BEGIN
  SELECT string_agg(c.oid::regclass::text, ', ') INTO doubled FROM pg_class AS c
  WHERE c.oid = ANY (ARRAY['ledger_event', 'ledger_transaction', 'ledger_entry', 'ledger_line_item',
      'ledger_schedule_month']::regclass[])
    AND (pg_relation_size(c.oid) > 2 * (c.relpages + 1) * current_setting('block_size')::bigint
      OR pg_stat_get_mod_since_analyze(c.oid) > greatest(c.reltuples, 100));
  IF doubled IS NOT NULL THEN
    EXECUTE 'ANALYZE (SKIP_LOCKED) ' || doubled;
  END IF;
END $$;
