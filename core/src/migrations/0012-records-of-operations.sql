-- The result of an inline run as deflated JSON: half of the bytes of a posting's record repeated the event that the
-- ledger stores. Earlier runs keep theirs in `result` until their retention ends.
ALTER TABLE kernel_operation ADD COLUMN packed_result bytea;
-- Compressing it again would only take time.
ALTER TABLE kernel_operation ALTER COLUMN packed_result SET STORAGE EXTERNAL;

-- A key is found by one digest of user, graph, operation and key, which say nothing more about a run than its record.
ALTER TABLE kernel_idempotency DROP CONSTRAINT kernel_idempotency_pkey;
ALTER TABLE kernel_idempotency
  ALTER COLUMN key_hash TYPE bytea
    USING sha256(convert_to(concat_ws(' ', user_id, graph_id, operation, key_hash), 'UTF8')),
  ALTER COLUMN fingerprint TYPE bytea USING decode(fingerprint, 'hex');
ALTER TABLE kernel_idempotency DROP COLUMN user_id, DROP COLUMN operation, DROP COLUMN envelope,
  ADD PRIMARY KEY (key_hash);
