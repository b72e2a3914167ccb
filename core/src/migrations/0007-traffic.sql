-- Calls counted for rate limits: lost after a crash of the database without harm, so nothing is logged ahead.
CREATE UNLOGGED TABLE kernel_rate_slot (
  bucket text NOT NULL,
  slot bigint NOT NULL,
  calls integer NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (bucket, slot)
);
CREATE INDEX kernel_rate_slot_by_expiry ON kernel_rate_slot (expires_at);
ALTER TABLE kernel_rate_slot ENABLE ROW LEVEL SECURITY;
ALTER TABLE kernel_rate_slot FORCE ROW LEVEL SECURITY;
CREATE POLICY kernel_scope ON kernel_rate_slot USING (current_setting('pacioli.scope', true) = 'kernel');

-- The rows that a write touched, and the version before and after where the part says it (platform N-31).
ALTER TABLE kernel_operation_audit ADD COLUMN touched jsonb;
