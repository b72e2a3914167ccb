-- Rows of the log are sealed by batches, which stand in a table of the kernel: nothing of a row changes any more
-- (ledger L-223; decision 0029).
DROP TRIGGER ledger_log_sealed_once ON ledger_log;
CREATE TRIGGER ledger_log_unchanged BEFORE UPDATE ON ledger_log FOR EACH ROW EXECUTE FUNCTION ledger_refuse_log_change();
-- It holds the rows of batches, and those that wait for one.
ALTER INDEX ledger_log_unsealed RENAME TO ledger_log_places;
