-- Passkeys: the public half of what a person's devices sign with (platform section 3).
CREATE TABLE kernel_passkey (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES kernel_user (id),
  -- As it travels, in base64url; known once in a deployment, whoever it belongs to (platform M-13).
  credential_id text NOT NULL UNIQUE,
  public_key text NOT NULL,
  sign_count bigint NOT NULL,
  transports jsonb NOT NULL,
  aaguid text NOT NULL,
  backup_eligible boolean NOT NULL,
  backup_state boolean NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE INDEX kernel_passkey_by_user ON kernel_passkey (user_id, created_at);

-- Codes for people who lost their devices: only digests (platform M-18).
CREATE TABLE kernel_recovery_code (
  user_id text NOT NULL REFERENCES kernel_user (id),
  code_hash text NOT NULL,
  created_at timestamptz NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (user_id, code_hash)
);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['kernel_passkey', 'kernel_recovery_code']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY kernel_scope ON %I USING (current_setting(''pacioli.scope'', true) = ''kernel'')', name);
  END LOOP;
END $$;
