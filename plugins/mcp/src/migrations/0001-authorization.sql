-- The authorization server for AI clients (ai-surface 6). Rows belong to clients and users, so that only the kernel's
-- transactions see them. Secrets are stored as SHA-256 digests.
CREATE TABLE mcp_client (
  id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('registered', 'document')),
  name text NOT NULL,
  uri text,
  logo_uri text,
  redirect_uris text[] NOT NULL,
  auth_method text NOT NULL CHECK (auth_method IN ('none', 'client_secret_post', 'client_secret_basic')),
  application_type text CHECK (application_type IN ('native', 'web')),
  secret_digest text,
  is_active boolean NOT NULL DEFAULT true,
  -- The address that registered it, for the daily limit.
  registered_from text,
  -- The time until which a document is used without fetching it.
  fresh_until timestamptz,
  -- Null once a user has connected it.
  expires_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX mcp_client_registered_from ON mcp_client (registered_from, created_at) WHERE registered_from IS NOT NULL;
CREATE INDEX mcp_client_expires ON mcp_client (expires_at) WHERE expires_at IS NOT NULL;

-- A request that waits for the decision of a user.
CREATE TABLE mcp_authorization_request (
  digest text PRIMARY KEY,
  client_id text NOT NULL,
  redirect_uri text NOT NULL,
  challenge text NOT NULL,
  resource text NOT NULL,
  -- Null if the user chooses the graph.
  graph_id text,
  profile text,
  scope text NOT NULL,
  state text,
  -- The first user who read it; nobody else may decide.
  reader_id text,
  expires_at timestamptz NOT NULL
);
CREATE INDEX mcp_authorization_request_expires ON mcp_authorization_request (expires_at);

CREATE TABLE mcp_authorization_code (
  digest text PRIMARY KEY,
  client_id text NOT NULL,
  user_id text NOT NULL,
  grant_id text NOT NULL,
  redirect_uri text NOT NULL,
  challenge text NOT NULL,
  resource text NOT NULL,
  scope text NOT NULL,
  expires_at timestamptz NOT NULL,
  taken_at timestamptz
);
CREATE INDEX mcp_authorization_code_expires ON mcp_authorization_code (expires_at);

-- The tokens that descend from one code.
CREATE TABLE mcp_token_family (
  id text PRIMARY KEY,
  code_digest text NOT NULL UNIQUE,
  client_id text NOT NULL,
  user_id text NOT NULL,
  grant_id text NOT NULL,
  resource text NOT NULL,
  scope text NOT NULL,
  created_at timestamptz NOT NULL,
  -- The expiry of its latest refresh token.
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX mcp_token_family_expires ON mcp_token_family (expires_at);

CREATE TABLE mcp_token (
  digest text PRIMARY KEY,
  family_id text NOT NULL REFERENCES mcp_token_family (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('access', 'refresh')),
  scope text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- A refresh token is used once.
  used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX mcp_token_of_family ON mcp_token (family_id);
CREATE INDEX mcp_token_expires ON mcp_token (expires_at);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['mcp_client', 'mcp_authorization_request', 'mcp_authorization_code', 'mcp_token_family',
    'mcp_token']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY %I ON %I USING (current_setting(''pacioli.scope'', true) = ''kernel'')',
      name || '_of_kernel', name);
  END LOOP;
END $$;
