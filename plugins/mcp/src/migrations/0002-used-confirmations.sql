-- The confirmations of a person that were used, so that each executes one call (ai-surface M-20d). A row stays until
-- its confirmation has expired.
CREATE TABLE mcp_used_confirmation (
  id text PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX mcp_used_confirmation_expires ON mcp_used_confirmation (expires_at);

ALTER TABLE mcp_used_confirmation ENABLE ROW LEVEL SECURITY;
ALTER TABLE mcp_used_confirmation FORCE ROW LEVEL SECURITY;
CREATE POLICY mcp_used_confirmation_of_kernel ON mcp_used_confirmation
  USING (current_setting('pacioli.scope', true) = 'kernel');
