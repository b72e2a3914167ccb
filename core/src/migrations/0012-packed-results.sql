-- The result of an inline run as deflated JSON: half of the bytes of a posting's record repeated the event that the
-- ledger stores. Earlier runs keep theirs in `result` until their retention ends.
ALTER TABLE kernel_operation ADD COLUMN packed_result bytea;
-- Compressing it again would only take time.
ALTER TABLE kernel_operation ALTER COLUMN packed_result SET STORAGE EXTERNAL;
