-- The lines of an entry find it by its key however few entries there are: a session keeps the plan it makes at first,
-- and reading the whole table is right only until the books grow.
ALTER FUNCTION ledger_require_balance() SET enable_seqscan = off;
