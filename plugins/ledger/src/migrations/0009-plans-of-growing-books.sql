-- The lines of an entry find it by its key however few entries there are: a session keeps the plan it makes at first,
-- and reading the whole table is right only until the books grow.
ALTER FUNCTION ledger_require_balance() SET enable_seqscan = off;

-- Statistics of tables that have doubled since there were any, for transactions that write or join very much: what they
-- write themselves is seen by nobody else. It runs as the owner of the tables, who alone may gather them, and waits for
-- nobody: another transaction that gathers them keeps its lock to its end.
CREATE FUNCTION ledger_gather_statistics() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE grown text;
BEGIN
  SELECT string_agg(c.oid::regclass::text, ', ') INTO grown FROM pg_class AS c
  WHERE c.oid = ANY (ARRAY['ledger_event', 'ledger_transaction', 'ledger_entry', 'ledger_line_item',
      'ledger_schedule_month']::regclass[])
    AND pg_relation_size(c.oid) > 2 * (c.relpages + 1) * current_setting('block_size')::bigint;
  IF grown IS NOT NULL THEN
    EXECUTE 'ANALYZE (SKIP_LOCKED) ' || grown;
  END IF;
END $$;
