-- People who were asked into an organisation (platform U-20 to U-24). Only the digest of the link's token is stored.
CREATE TABLE kernel_org_invitation (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES kernel_org (id),
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('admin', 'member')),
  status text NOT NULL CHECK (status IN ('pending', 'accepted', 'revoked')),
  token_hash text NOT NULL UNIQUE,
  invited_by text NOT NULL REFERENCES kernel_user (id),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  settled_at timestamptz
);
CREATE UNIQUE INDEX kernel_org_invitation_pending ON kernel_org_invitation (org_id, email) WHERE status = 'pending';
CREATE INDEX kernel_org_invitation_by_org ON kernel_org_invitation (org_id, created_at DESC);

-- What a user allowed an app to do with one graph (platform K-8). The plugin that issues tokens fills it and refuses
-- every token of a grant that has a revoked_at.
CREATE TABLE kernel_oauth_grant (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES kernel_user (id),
  graph_id text NOT NULL,
  client_id text NOT NULL,
  client_name text NOT NULL,
  client_uri text,
  client_is_trusted boolean NOT NULL DEFAULT false,
  resource text NOT NULL,
  scope text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX kernel_oauth_grant_by_user ON kernel_oauth_grant (user_id, created_at DESC);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['kernel_org_invitation', 'kernel_oauth_grant']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY kernel_scope ON %I USING (current_setting(''pacioli.scope'', true) = ''kernel'')', name);
  END LOOP;
END $$;
