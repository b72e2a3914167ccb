-- The index of the lines by day and account no longer repeats their amounts: equal keys then share one entry, so that a
-- line takes 20 bytes of it instead of 160 (decision 0048). Building it reads all lines once, during which none is
-- written: some seconds for each million.
DROP INDEX ledger_line_item_balances;
CREATE INDEX ledger_line_item_balances ON ledger_line_item (graph_id, posting_date, element_id) WHERE is_landed;

-- No plan depends on what these contain, and a sample of them is the largest part of what ANALYZE writes.
ALTER TABLE ledger_log ALTER COLUMN payload SET STATISTICS 0;
ALTER TABLE ledger_event ALTER COLUMN metadata SET STATISTICS 0;
