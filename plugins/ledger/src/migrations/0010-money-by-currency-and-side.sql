-- What is settled follows the books: in one currency, on one side, and back when an entry is reversed (ledger L-5a, L-70,
-- L-100, L-100a).

-- The reversal of a payment takes back what that had settled, as rows of its own below zero: until its day, the payment
-- counts.
ALTER TABLE ledger_event_settlement DROP CONSTRAINT ledger_event_settlement_amount_check;

-- Writes what the reversals of these events' entries settle, and answers the events whose link changed. An odd reversal in
-- a chain takes the effects of the first entry back, an even one restores them: what the event settles, and, of an
-- invoice or a bill, what is open of it. An event with several entries is divided by what they put on control accounts,
-- or by their debits where they put nothing there; the parts add up exactly.
CREATE FUNCTION ledger_follow_reversals(graph text, roots text[], receivable text[], payable text[])
RETURNS TABLE (event_id text, settles text) LANGUAGE sql AS $$
  WITH RECURSIVE own AS (
    SELECT v.id AS root, e.id AS entry_id, sum(l.debit_amount) AS debit,
      coalesce(sum(l.debit_amount - l.credit_amount) FILTER (WHERE l.element_id = ANY (CASE
        WHEN v.event_type IN ('invoice_issued', 'sales_receipt_recorded', 'payment_received') THEN receivable
        WHEN v.event_type IN ('bill_received', 'bill_paid') THEN payable ELSE receivable || payable END)), 0) AS net,
      -- The reversals until then are part of the difference that a catch-up has booked (L-137, L-141).
      (SELECT max(h ->> 'catch_up_event_id') FROM jsonb_array_elements(CASE jsonb_typeof(v.metadata -> 'reconciliation_history')
        WHEN 'array' THEN v.metadata -> 'reconciliation_history' ELSE '[]' END) AS h) AS caught_up_by
    FROM ledger_event AS v
    JOIN ledger_entry AS e ON e.graph_id = v.graph_id AND e.event_id = v.id AND e.reversal_of IS NULL
    JOIN ledger_line_item AS l ON l.graph_id = e.graph_id AND l.entry_id = e.id
    WHERE v.graph_id = graph AND v.id = ANY (roots) GROUP BY v.graph_id, v.id, e.id
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
    FROM share AS s JOIN ledger_entry AS e ON e.graph_id = graph AND e.reversal_of = s.entry_id
    WHERE e.status <> 'draft' AND e.event_id <> s.root
    UNION ALL
    SELECT c.root, c.first_id, e.id, e.event_id, c.step + 1, c.counts
    FROM chain AS c JOIN ledger_entry AS e ON e.graph_id = graph AND e.reversal_of = c.id WHERE e.status <> 'draft'
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
      AND s.discharging_event_id IN (SELECT c.reversal FROM chain AS c)
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
  WHERE v.graph_id = graph AND v.id = n.reversal AND v.discharges_event_id IS DISTINCT FROM n.settled
  RETURNING v.id, v.discharges_event_id
$$;

-- Brings the settlements of books that were kept before these rules under them. The accounts are those of the chart, which
-- a migration cannot ask: the plugin calls it for each graph when it starts.
CREATE FUNCTION ledger_settle_anew(graph text, receivable text[], payable text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Ledger L-70: the sign did not count, so that an invoice or a bill may have that of the money. It is a credit note only
  -- when its entries lower what is owed; otherwise the amount becomes a magnitude. Where no entry tells, an event of a
  -- provider is an invoice or a bill, which providers record as magnitudes, and one of a person is the credit note that
  -- its sign says.
  UPDATE ledger_event AS v SET amount = -v.amount
  WHERE v.graph_id = graph AND v.amount < 0 AND v.event_type IN ('invoice_issued', 'sales_receipt_recorded', 'bill_received') AND coalesce((
    SELECT sum(CASE v.event_type WHEN 'bill_received' THEN l.credit_amount - l.debit_amount ELSE l.debit_amount - l.credit_amount END)
    FROM ledger_entry AS e JOIN ledger_line_item AS l ON l.graph_id = e.graph_id AND l.entry_id = e.id
    WHERE e.graph_id = v.graph_id AND e.event_id = v.id AND e.reversal_of IS NULL
      AND l.element_id = ANY (CASE v.event_type WHEN 'bill_received' THEN payable ELSE receivable END)) > 0,
    v.source NOT IN ('manual', 'system', 'schedule'));

  -- Ledger L-100a: what settles nothing any more, because the currency or the side is another. The type of a payment says
  -- its side; the links of other events were the choice of a person and stay. Reversals settle what their own entries
  -- belong to, which is written anew below.
  WITH wrong AS (
    DELETE FROM ledger_event_settlement AS s USING ledger_event AS d, ledger_event AS o
    WHERE s.graph_id = graph AND d.graph_id = s.graph_id AND d.id = s.discharging_event_id
      AND o.graph_id = s.graph_id AND o.id = s.originating_event_id
      AND (d.event_type = 'journal_entry_reversed' OR d.currency <> o.currency
        OR (d.event_type = 'payment_received' AND o.event_type = 'bill_received')
        OR (d.event_type = 'bill_paid' AND o.event_type IN ('invoice_issued', 'sales_receipt_recorded')))
    RETURNING s.graph_id, s.discharging_event_id, s.originating_event_id)
  UPDATE ledger_event AS v SET discharges_event_id = (
    SELECT min(s.originating_event_id) FROM ledger_event_settlement AS s
    WHERE s.graph_id = v.graph_id AND s.discharging_event_id = v.id AND NOT EXISTS (SELECT FROM wrong AS x
      WHERE x.graph_id = s.graph_id AND x.discharging_event_id = v.id AND x.originating_event_id = s.originating_event_id))
  FROM wrong AS w
  WHERE v.graph_id = w.graph_id AND v.id = w.discharging_event_id AND v.discharges_event_id = w.originating_event_id;

  -- Ledger L-100: reversals that were recorded before.
  PERFORM ledger_follow_reversals(graph, array_agg(DISTINCT v.id), receivable, payable)
  FROM ledger_entry AS b JOIN ledger_entry AS e ON e.graph_id = b.graph_id AND e.id = b.reversal_of
  JOIN ledger_event AS v ON v.graph_id = e.graph_id AND v.id = e.event_id
  WHERE b.graph_id = graph AND b.status <> 'draft' AND b.event_id <> v.id AND e.reversal_of IS NULL
    AND (v.event_type IN ('invoice_issued', 'sales_receipt_recorded', 'bill_received')
      OR EXISTS (SELECT FROM ledger_event_settlement AS s WHERE s.graph_id = v.graph_id AND s.discharging_event_id = v.id));
END $$;

-- Graphs whose settlements are of before these rules. A start brings each of them up, and a row goes only when that has
-- succeeded for its graph.
CREATE TABLE ledger_resettlement (graph_id text PRIMARY KEY);

-- Forced row security would hide the books that are there.
ALTER TABLE ledger_entity NO FORCE ROW LEVEL SECURITY;
ALTER TABLE ledger_entry NO FORCE ROW LEVEL SECURITY;
ALTER TABLE ledger_event NO FORCE ROW LEVEL SECURITY;
INSERT INTO ledger_resettlement (graph_id) SELECT DISTINCT graph_id FROM ledger_event;
-- Ledger L-5a: a draft may have set the currency, or one that is void by now; the first posted entry does.
UPDATE ledger_entity AS c SET functional_currency = f.currency
FROM (SELECT p.graph_id, p.id, (SELECT e.currency FROM ledger_entry AS e WHERE e.graph_id = p.graph_id AND e.status <> 'draft'
    ORDER BY e.posted_at, e.created_at, e.id LIMIT 1) AS currency FROM ledger_entity AS p WHERE p.is_parent) AS f
WHERE c.graph_id = f.graph_id AND c.id = f.id AND c.functional_currency IS DISTINCT FROM f.currency;
ALTER TABLE ledger_event FORCE ROW LEVEL SECURITY;
ALTER TABLE ledger_entry FORCE ROW LEVEL SECURITY;
ALTER TABLE ledger_entity FORCE ROW LEVEL SECURITY;

ALTER TABLE ledger_resettlement ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger_resettlement FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON ledger_resettlement USING (graph_id = current_setting('pacioli.graph_id', true));
CREATE POLICY found_by_kernel ON ledger_resettlement FOR SELECT USING (current_setting('pacioli.scope', true) = 'kernel');
