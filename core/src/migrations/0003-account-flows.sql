-- Links that were mailed: only their digests, one live one for each user and purpose (platform A-15).
CREATE TABLE kernel_user_token (
  token_hash text PRIMARY KEY,
  user_id text NOT NULL REFERENCES kernel_user (id),
  type text NOT NULL CHECK (type IN ('email_verification', 'password_reset')),
  -- The address that the link was sent to: it proves nothing about another one.
  email text NOT NULL,
  ip text,
  user_agent text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE UNIQUE INDEX kernel_user_token_live ON kernel_user_token (user_id, type) WHERE used_at IS NULL;
CREATE INDEX kernel_user_token_by_expiry ON kernel_user_token (expires_at);
ALTER TABLE kernel_user_token ENABLE ROW LEVEL SECURITY;
ALTER TABLE kernel_user_token FORCE ROW LEVEL SECURITY;
CREATE POLICY kernel_scope ON kernel_user_token USING (current_setting('pacioli.scope', true) = 'kernel');
