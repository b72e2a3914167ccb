-- Open amounts are stored (ledger L-100c): one row for each invoice, bill or sales receipt that is open, and none for
-- the others, so that the table grows with what is open and not with the age of the books.
CREATE TABLE ledger_open_item (
  graph_id text NOT NULL,
  event_id text NOT NULL,
  side text NOT NULL CHECK (side IN ('receivable', 'payable')),
  agent_id text,
  currency text NOT NULL,
  -- Minor units; negative when overpaid, and of a credit note.
  amount bigint NOT NULL CHECK (amount <> 0),
  PRIMARY KEY (graph_id, event_id),
  FOREIGN KEY (graph_id, event_id) REFERENCES ledger_event (graph_id, id)
);
-- Without the amount, so that a partial payment changes no index.
CREATE INDEX ledger_open_item_by_agent ON ledger_open_item (graph_id, side, agent_id);

-- The receivable accounts that sales receipts debit (ledger L-101). Triggers cannot ask the chart; an account keeps its
-- sub-classification for life.
CREATE TABLE ledger_receivable_account (
  graph_id text NOT NULL,
  element_id text NOT NULL,
  PRIMARY KEY (graph_id, element_id)
);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['ledger_open_item', 'ledger_receivable_account']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_graph ON %I
      USING (graph_id = current_setting(''pacioli.graph_id'', true))', name);
  END LOOP;
END $$;

-- The open amounts of those of these events that count (ledger L-100, L-100b, L-101), settled ones included. The
-- triggers and the verifier both read it. Rows are looked up by their keys, however many they are (OFFSET 0 keeps the
-- planner from joining whole tables), and the callers plan anew each time: a plan that a session made while the books
-- were small reads the settlements by the wrong index when they have grown.
CREATE FUNCTION ledger_open_amounts(graph text, ids text[])
RETURNS TABLE (event_id text, side text, agent_id text, currency text, amount bigint) LANGUAGE sql STABLE AS $$
  SELECT o.id, CASE o.event_type WHEN 'bill_received' THEN 'payable' ELSE 'receivable' END, o.agent_id, o.currency,
    -- Ledger L-70: of a credit note, which is below zero, settlements leave less in the other direction.
    (o.amount - CASE WHEN o.amount < 0 THEN -1 ELSE 1 END * coalesce((
      SELECT sum(s.amount) FROM ledger_event_settlement AS s CROSS JOIN LATERAL (
        SELECT v.id, v.currency, v.status FROM ledger_event AS v
        WHERE v.graph_id = graph AND v.id = s.discharging_event_id OFFSET 0) AS d
      WHERE s.graph_id = graph AND s.originating_event_id = o.id AND d.currency = o.currency
        AND d.status IN ('committed', 'fulfilled') AND coalesce((SELECT bool_or(x.status <> 'draft')
          FROM ledger_entry AS x WHERE x.graph_id = graph AND x.event_id = d.id), true)), 0)
    + CASE WHEN o.amount < 0 THEN coalesce((SELECT sum(u.amount) FROM ledger_event_settlement AS u
        WHERE u.graph_id = graph AND u.discharging_event_id = o.id), 0) ELSE 0 END)::bigint
  FROM unnest(ids) AS i (id) CROSS JOIN LATERAL (
    SELECT v.* FROM ledger_event AS v WHERE v.graph_id = graph AND v.id = i.id OFFSET 0) AS o
  WHERE o.event_type IN ('invoice_issued', 'sales_receipt_recorded', 'bill_received')
    AND o.status IN ('committed', 'fulfilled') AND o.amount IS NOT NULL
    AND coalesce((SELECT bool_or(x.status <> 'draft')
      FROM ledger_entry AS x WHERE x.graph_id = graph AND x.event_id = o.id), true)
    -- Ledger L-101: a sale that was paid at once leaves nothing open.
    AND (o.event_type <> 'sales_receipt_recorded' OR coalesce((
      SELECT true FROM ledger_entry AS e CROSS JOIN LATERAL (
        SELECT l.element_id FROM ledger_line_item AS l
        WHERE l.graph_id = graph AND l.entry_id = e.id AND l.debit_amount > 0 OFFSET 0) AS b
      WHERE e.graph_id = graph AND e.event_id = o.id AND e.status <> 'draft' AND coalesce((
        SELECT true FROM ledger_receivable_account AS r
        WHERE r.graph_id = graph AND r.element_id = b.element_id), false) LIMIT 1), false))
$$;

-- Stores the open amounts of these events.
CREATE FUNCTION ledger_store_open_amounts(graph text, ids text[]) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  WITH wanted AS MATERIALIZED (
    SELECT a.* FROM ledger_open_amounts(graph, ids) AS a WHERE a.amount <> 0
  ), gone AS (
    DELETE FROM ledger_open_item AS i WHERE i.graph_id = graph AND i.event_id = ANY (ids)
      AND NOT EXISTS (SELECT FROM wanted AS w WHERE w.event_id = i.event_id)
  )
  INSERT INTO ledger_open_item AS i (graph_id, event_id, side, agent_id, currency, amount)
  SELECT graph, w.event_id, w.side, w.agent_id, w.currency, w.amount FROM wanted AS w
  ON CONFLICT (graph_id, event_id) DO UPDATE
    SET side = excluded.side, agent_id = excluded.agent_id, currency = excluded.currency, amount = excluded.amount
    WHERE ROW(i.side, i.agent_id, i.currency, i.amount)
      IS DISTINCT FROM ROW(excluded.side, excluded.agent_id, excluded.currency, excluded.amount);
END $$;

-- Brings the open amounts up to date after these events or their settlements or entries changed: those of the events
-- themselves and of what they settle.
CREATE FUNCTION ledger_follow_open_amounts(graph text, changed_ids text[]) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_custom_plan AS $$
DECLARE ids text[];
BEGIN
  SELECT array_agg(v.id ORDER BY v.id) INTO ids FROM (
    SELECT c.id FROM unnest(changed_ids) AS c (id)
    UNION
    SELECT s.originating_event_id FROM unnest(changed_ids) AS c (id) CROSS JOIN LATERAL (
      SELECT t.originating_event_id FROM ledger_event_settlement AS t
      WHERE t.graph_id = graph AND t.discharging_event_id = c.id OFFSET 0) AS s
  ) AS f CROSS JOIN LATERAL (
    SELECT e.id, e.event_type FROM ledger_event AS e WHERE e.graph_id = graph AND e.id = f.id OFFSET 0) AS v
  WHERE v.event_type IN ('invoice_issued', 'sales_receipt_recorded', 'bill_received');
  IF ids IS NULL THEN
    RETURN;
  END IF;
  -- Two settlements of one invoice would each miss the other. The later one waits here, and the next statement sees
  -- what the earlier one has committed.
  PERFORM v.id FROM ledger_event AS v WHERE v.graph_id = graph AND v.id = ANY (ids) ORDER BY v.id FOR NO KEY UPDATE;
  PERFORM ledger_store_open_amounts(graph, ids);
END $$;

-- Remembers the receivable accounts that these sales receipts debit, and stores their open amounts.
CREATE FUNCTION ledger_open_receipts(graph text, receivables text[], receipts text[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_receivable_account (graph_id, element_id) SELECT graph, r.id FROM unnest(receivables) AS r (id)
  ON CONFLICT DO NOTHING;
  PERFORM ledger_follow_open_amounts(graph, receipts);
END $$;

-- A new event settles nothing yet, and nobody else knows it. An event of another type costs nothing here.
CREATE FUNCTION ledger_open_new_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ledger_store_open_amounts(NEW.graph_id, ARRAY[NEW.id]);
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_event_opened AFTER INSERT ON ledger_event FOR EACH ROW
  WHEN (NEW.event_type IN ('invoice_issued', 'sales_receipt_recorded', 'bill_received')
    AND NEW.status IN ('committed', 'fulfilled') AND NEW.amount IS NOT NULL)
  EXECUTE FUNCTION ledger_open_new_event();

-- By set difference and not by a join, so that the plan of a session serves one row and thousands.
CREATE FUNCTION ledger_follow_changed_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE item record;
BEGIN
  FOR item IN SELECT d.graph_id, array_agg(DISTINCT d.id) AS ids FROM (
    SELECT n.graph_id, n.id, n.event_type, n.status, n.amount, n.currency, n.agent_id FROM changed AS n
    EXCEPT SELECT o.graph_id, o.id, o.event_type, o.status, o.amount, o.currency, o.agent_id FROM former AS o
  ) AS d GROUP BY d.graph_id
  LOOP
    PERFORM ledger_follow_open_amounts(item.graph_id, item.ids);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_event_change_followed AFTER UPDATE ON ledger_event
  REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_follow_changed_events();

CREATE FUNCTION ledger_follow_settlements() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE item record;
BEGIN
  -- A credit note is used up by what it settles.
  FOR item IN SELECT s.graph_id, array_agg(DISTINCT e.id) AS ids FROM changed AS s
    CROSS JOIN LATERAL (VALUES (s.originating_event_id), (s.discharging_event_id)) AS e (id) GROUP BY s.graph_id
  LOOP
    PERFORM ledger_follow_open_amounts(item.graph_id, item.ids);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_event_settlement_added AFTER INSERT ON ledger_event_settlement REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_follow_settlements();
CREATE TRIGGER ledger_event_settlement_changed AFTER UPDATE ON ledger_event_settlement REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_follow_settlements();
CREATE TRIGGER ledger_event_settlement_removed AFTER DELETE ON ledger_event_settlement REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_follow_settlements();

-- Ledger L-100b: an event whose entries are all drafts does not count. A posted entry that is added changes nothing:
-- its event is new, had no entries or has posted ones; for the accounts of a receipt see `ledger_open_receipts`.
-- Schedules add drafts by the thousand, of events that neither open nor settle anything: two look-ups by key tell.
CREATE FUNCTION ledger_follow_added_draft() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (SELECT FROM ledger_event AS v WHERE v.graph_id = NEW.graph_id AND v.id = NEW.event_id
      AND v.event_type IN ('invoice_issued', 'sales_receipt_recorded', 'bill_received'))
    OR EXISTS (SELECT FROM ledger_event_settlement AS s
      WHERE s.graph_id = NEW.graph_id AND s.discharging_event_id = NEW.event_id) THEN
    PERFORM ledger_follow_open_amounts(NEW.graph_id, ARRAY[NEW.event_id]);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_entry_draft_followed AFTER INSERT ON ledger_entry FOR EACH ROW
  WHEN (NEW.status = 'draft' AND NEW.event_id IS NOT NULL) EXECUTE FUNCTION ledger_follow_added_draft();

CREATE FUNCTION ledger_follow_posted_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE item record;
BEGIN
  FOR item IN SELECT d.graph_id, array_agg(DISTINCT d.event_id) AS ids FROM (
    SELECT n.graph_id, n.id, n.event_id, n.status = 'draft' FROM changed AS n
    EXCEPT SELECT o.graph_id, o.id, o.event_id, o.status = 'draft' FROM former AS o
  ) AS d WHERE d.event_id IS NOT NULL GROUP BY d.graph_id
  LOOP
    PERFORM ledger_follow_open_amounts(item.graph_id, item.ids);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_entry_posting_followed AFTER UPDATE ON ledger_entry
  REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_follow_posted_entries();

CREATE FUNCTION ledger_follow_removed_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE item record;
BEGIN
  FOR item IN SELECT o.graph_id, array_agg(DISTINCT o.event_id) AS ids FROM former AS o
    WHERE o.event_id IS NOT NULL GROUP BY o.graph_id
  LOOP
    PERFORM ledger_follow_open_amounts(item.graph_id, item.ids);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_entry_removal_followed AFTER DELETE ON ledger_entry REFERENCING OLD TABLE AS former
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_follow_removed_entries();

-- Books that are there. The receivable accounts of their sales receipts are read from the chart at the next start.
ALTER TABLE ledger_resettlement ADD COLUMN step text NOT NULL DEFAULT 'settlements'
  CHECK (step IN ('settlements', 'receipts'));
DO $$
DECLARE name text;
BEGIN
  -- Forced row security would hide them.
  FOREACH name IN ARRAY ARRAY['ledger_event', 'ledger_entry', 'ledger_line_item', 'ledger_event_settlement',
    'ledger_open_item', 'ledger_receivable_account', 'ledger_resettlement']
  LOOP EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', name);
  END LOOP;
  INSERT INTO ledger_open_item (graph_id, event_id, side, agent_id, currency, amount)
  SELECT g.graph_id, a.event_id, a.side, a.agent_id, a.currency, a.amount FROM (
    SELECT v.graph_id, array_agg(v.id) AS ids FROM ledger_event AS v
    WHERE v.event_type IN ('invoice_issued', 'bill_received') GROUP BY v.graph_id) AS g
  CROSS JOIN LATERAL ledger_open_amounts(g.graph_id, g.ids) AS a WHERE a.amount <> 0;
  INSERT INTO ledger_resettlement (graph_id, step)
  SELECT DISTINCT v.graph_id, 'receipts' FROM ledger_event AS v WHERE v.event_type = 'sales_receipt_recorded'
  -- The settlements that still wait include the receipts.
  ON CONFLICT (graph_id) DO NOTHING;
  FOREACH name IN ARRAY ARRAY['ledger_event', 'ledger_entry', 'ledger_line_item', 'ledger_event_settlement',
    'ledger_open_item', 'ledger_receivable_account', 'ledger_resettlement']
  LOOP EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
  END LOOP;
END $$;
