-- The end of a fiscal year is kept as MM-DD; it was kept as it was written when a graph was created (graphs G-22). Forced
-- row security would hide the rows, and refuse what the log says of them.
ALTER TABLE ledger_entity NO FORCE ROW LEVEL SECURITY;
ALTER TABLE ledger_log NO FORCE ROW LEVEL SECURITY;
UPDATE ledger_entity SET fiscal_year_end = substr(fiscal_year_end, 1, 2) || '-' || substr(fiscal_year_end, 3)
  WHERE fiscal_year_end ~ '^[0-9]{4}$';
ALTER TABLE ledger_log FORCE ROW LEVEL SECURITY;
ALTER TABLE ledger_entity FORCE ROW LEVEL SECURITY;
