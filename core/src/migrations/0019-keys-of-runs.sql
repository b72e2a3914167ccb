-- A run whose result the domain keeps has no record, so that its key is most of what is written for it (decision 0046).
-- The fingerprint of a request is in its audit row already, and 16 bytes of a digest tell keys apart as well as 32.
ALTER TABLE kernel_idempotency
  DROP COLUMN fingerprint,
  ALTER COLUMN key_hash TYPE bytea USING substr(key_hash, 1, 16),
  -- Only a run of a worker releases its key, which it finds by the id of the operation.
  ADD COLUMN is_of_worker boolean NOT NULL DEFAULT true;
ALTER TABLE kernel_idempotency ALTER COLUMN is_of_worker DROP DEFAULT;
DROP INDEX kernel_idempotency_by_operation;
CREATE INDEX kernel_idempotency_of_workers ON kernel_idempotency (operation_id) WHERE is_of_worker;
