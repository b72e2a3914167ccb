-- The lines of an entry find it by its key however few entries there are: a session keeps the plan it makes at first,
-- and reading the whole table is right only until the books grow.
ALTER FUNCTION ledger_require_balance() SET enable_seqscan = off;

-- Statistics of tables that have doubled since there were any, or to which a hundred rows were written: those can be
-- most rows of one graph, of which the planner then knows nothing. For transactions that write or join very much. Large
-- tables are left to the server, which knows enough of them already. It runs as the owner of the tables, who alone may
-- gather them, and waits for nobody: another transaction that gathers them keeps its lock to its end.
CREATE FUNCTION ledger_gather_statistics() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE grown text;
BEGIN
  SELECT string_agg(c.oid::regclass::text, ', ') INTO grown FROM pg_class AS c
  WHERE c.oid = ANY (ARRAY['ledger_event', 'ledger_transaction', 'ledger_entry', 'ledger_line_item',
      'ledger_schedule_month']::regclass[])
    AND pg_relation_size(c.oid) < 256 * 1024 * 1024
    AND (pg_relation_size(c.oid) > 2 * (c.relpages + 1) * current_setting('block_size')::bigint
      OR pg_stat_get_mod_since_analyze(c.oid) > 100);
  IF grown IS NOT NULL THEN
    EXECUTE 'ANALYZE (SKIP_LOCKED) ' || grown;
  END IF;
END $$;
