-- These events and what they settle now.
CREATE FUNCTION ledger_with_settled(graph text, ids text[]) RETURNS text[]
LANGUAGE sql STABLE SET enable_seqscan = off AS $$
  SELECT coalesce(array_agg(f.id), '{}') FROM (
    SELECT c.id FROM unnest(ids) AS c (id)
    UNION
    SELECT s.originating_event_id FROM ledger_event_settlement AS s
    WHERE s.graph_id = graph AND s.discharging_event_id = ANY (ids)
  ) AS f
$$;

-- Locks events together with what they settle, in the order of their ids (ledger L-150): the triggers that store open
-- amounts lock both, some of them in each statement, and the locks of several statements have no common order. False
-- when an event settles something else by the time that it is locked.
CREATE FUNCTION ledger_lock_events(graph text, ids text[]) RETURNS boolean
LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE wanted text[] := ledger_with_settled(graph, ids);
BEGIN
  PERFORM v.id FROM ledger_event AS v WHERE v.graph_id = graph AND v.id = ANY (wanted) ORDER BY v.id FOR NO KEY UPDATE;
  RETURN ledger_with_settled(graph, ids) <@ wanted;
END $$;

-- In the order of the ids, so that the first receipts of two new accounts do not wait for each other (ledger L-150).
CREATE OR REPLACE FUNCTION ledger_open_receipts(graph text, receivables text[], receipts text[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_receivable_account (graph_id, element_id)
  SELECT graph, r.id FROM unnest(receivables) AS r (id) ORDER BY r.id
  ON CONFLICT DO NOTHING;
  PERFORM ledger_follow_open_amounts(graph, receipts);
END $$;

-- No trigger follows a posted entry that is added to an event with drafts only, because none is: writers post such an
-- event by its drafts. The tables do not enforce it; the verifier would report the open amount (ledger L-100c).
COMMENT ON TRIGGER ledger_entry_draft_followed ON ledger_entry IS
  'Not for posted entries: an event that gets one is new, had no entries or has posted ones. The verifier checks it.';
