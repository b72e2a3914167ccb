-- Lists of the books: every filter of a list has an index that begins with the graph and ends in the order of the list,
-- so that a page costs the same after ten years. An index on the days of a filter takes about 20 bytes a row, because
-- equal keys share their place; rows of one day or instant are sorted by id when they are read. Values that most rows
-- have are read in the order of the whole list, so that an ordinary posting pays for none of the partial indexes.

-- Drafts, which a close posts, and reversed entries; posting an entry directly writes nothing here.
CREATE INDEX ledger_entry_by_status ON ledger_entry (graph_id, status, posting_date DESC, created_at DESC, id DESC)
  WHERE status <> 'posted';
CREATE INDEX ledger_entry_by_type ON ledger_entry (graph_id, type, posting_date DESC) WHERE type <> 'standard';
CREATE INDEX ledger_entry_by_provenance ON ledger_entry (graph_id, provenance, posting_date DESC)
  WHERE provenance <> 'manual_entry';

CREATE INDEX ledger_transaction_by_type ON ledger_transaction (graph_id, type, date DESC);

-- Events of these types are found by the index of all types.
DROP INDEX ledger_event_originating;
CREATE INDEX ledger_event_by_type ON ledger_event (graph_id, event_type, occurred_at DESC);
CREATE INDEX ledger_event_by_source ON ledger_event (graph_id, source, occurred_at DESC);
CREATE INDEX ledger_event_by_status ON ledger_event (graph_id, status, occurred_at DESC) WHERE status <> 'fulfilled';
DROP INDEX ledger_event_by_agent;
CREATE INDEX ledger_event_by_agent ON ledger_event (graph_id, agent_id, occurred_at DESC) WHERE agent_id IS NOT NULL;

-- Counterparties are written rarely.
CREATE INDEX ledger_agent_by_type ON ledger_agent (graph_id, agent_type, lower(name), id);
CREATE INDEX ledger_agent_by_source ON ledger_agent (graph_id, source, lower(name), id);
CREATE INDEX ledger_agent_retired ON ledger_agent (graph_id, lower(name), id) WHERE NOT is_active;

-- Statistics of tables of which most rows are new, for a sweep that writes thousands of entries: the references of the
-- lines are otherwise checked with plans for tables of a few rows. A table that has not doubled keeps its statistics,
-- so that books with a history never wait for them; the store gathers those in proportion to what changes.
CREATE OR REPLACE FUNCTION ledger_gather_statistics() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
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
