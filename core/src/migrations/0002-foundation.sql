-- Secrets and counters that end by themselves (platform section 19, kv). Only digests of secrets are keys.
CREATE TABLE kernel_short_lived (
  kind text NOT NULL,
  key text NOT NULL,
  value jsonb NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (kind, key)
);
CREATE INDEX kernel_short_lived_by_expiry ON kernel_short_lived (expires_at);
ALTER TABLE kernel_short_lived ENABLE ROW LEVEL SECURITY;
ALTER TABLE kernel_short_lived FORCE ROW LEVEL SECURITY;
CREATE POLICY kernel_scope ON kernel_short_lived USING (current_setting('pacioli.scope', true) = 'kernel');

-- Why a graph takes no writes although its rows are all there (platform P-7): its subscription says so.
ALTER TABLE kernel_graph ADD COLUMN write_block text
  CHECK (write_block IN ('upgrading', 'canceled', 'unpaid', 'paused'));
-- A charge failed and is tried again: everything works, and answers say so (platform B-2).
ALTER TABLE kernel_graph ADD COLUMN is_past_due boolean NOT NULL DEFAULT false;

-- Who made a grant: a person, or a directory that may take it back (platform F-28).
ALTER TABLE kernel_graph_user ADD COLUMN granted_by text;
