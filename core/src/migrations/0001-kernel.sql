-- The kernel's own tables (platform section 19). Tables of plugins follow the same rule for rows of graphs:
-- graph_id first in the key, row-level security forced, one policy that compares it with the transaction's setting.

CREATE TABLE kernel_user (
  id text PRIMARY KEY,
  email text NOT NULL UNIQUE,
  name text NOT NULL,
  password_hash text,
  is_active boolean NOT NULL DEFAULT true,
  email_verified boolean NOT NULL DEFAULT true,
  session_version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE kernel_org (
  id text PRIMARY KEY,
  name text NOT NULL,
  org_type text NOT NULL CHECK (org_type IN ('personal', 'team', 'enterprise')),
  graphs_max integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE kernel_org_user (
  user_id text PRIMARY KEY REFERENCES kernel_user (id),
  org_id text NOT NULL REFERENCES kernel_org (id),
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  joined_at timestamptz NOT NULL
);
CREATE INDEX kernel_org_user_by_org ON kernel_org_user (org_id);

CREATE TABLE kernel_api_key (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES kernel_user (id),
  name text NOT NULL,
  description text,
  fingerprint text NOT NULL UNIQUE,
  prefix text NOT NULL,
  graph_id text,
  is_active boolean NOT NULL DEFAULT true,
  last_used_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX kernel_api_key_by_user ON kernel_api_key (user_id, created_at DESC);

-- Ids of ended sessions until they would have expired by themselves (platform A-10, A-11).
CREATE TABLE kernel_revoked_session (
  jti text PRIMARY KEY,
  reason text NOT NULL,
  usable_until timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX kernel_revoked_session_by_expiry ON kernel_revoked_session (expires_at);

CREATE TABLE kernel_graph (
  graph_id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES kernel_org (id),
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  tags text[] NOT NULL DEFAULT '{}',
  graph_type text NOT NULL,
  tier text NOT NULL,
  status text NOT NULL CHECK (status IN ('creating', 'active', 'suspended', 'deprovisioned', 'deleted')),
  parent_id text,
  extensions text[] NOT NULL DEFAULT '{}',
  placement text NOT NULL DEFAULT 'shared',
  stale_since timestamptz,
  stale_reason text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX kernel_graph_by_org ON kernel_graph (org_id, created_at);

CREATE TABLE kernel_graph_user (
  graph_id text NOT NULL REFERENCES kernel_graph (graph_id),
  user_id text NOT NULL REFERENCES kernel_user (id),
  role text NOT NULL CHECK (role IN ('viewer', 'member', 'admin')),
  source text NOT NULL DEFAULT 'manual',
  created_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, user_id)
);
CREATE INDEX kernel_graph_user_by_user ON kernel_graph_user (user_id);

CREATE TABLE kernel_selected_graph (
  user_id text PRIMARY KEY REFERENCES kernel_user (id),
  graph_id text NOT NULL REFERENCES kernel_graph (graph_id)
);

CREATE TABLE kernel_operation (
  id text PRIMARY KEY,
  graph_id text,
  user_id text NOT NULL,
  name text NOT NULL,
  runs text NOT NULL CHECK (runs IN ('inline', 'worker')),
  status text NOT NULL CHECK (status IN ('pending', 'running', 'awaiting_input', 'completed', 'failed', 'cancelled')),
  task jsonb,
  checkpoint jsonb,
  input_request jsonb,
  answer jsonb,
  result jsonb,
  error text,
  error_details jsonb,
  progress jsonb,
  attempt integer NOT NULL DEFAULT 0,
  lost_count integer NOT NULL DEFAULT 0,
  event_count integer NOT NULL DEFAULT 0,
  dedupe_key text,
  lease_owner text,
  lease_until timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  finished_at timestamptz
);
CREATE INDEX kernel_operation_queue ON kernel_operation (created_at) WHERE status = 'pending';
CREATE INDEX kernel_operation_leases ON kernel_operation (lease_until) WHERE status = 'running';
CREATE INDEX kernel_operation_open_by_user ON kernel_operation (user_id) WHERE finished_at IS NULL;
CREATE INDEX kernel_operation_open_by_graph ON kernel_operation (graph_id) WHERE finished_at IS NULL;
CREATE INDEX kernel_operation_dedupe ON kernel_operation (dedupe_key, created_at) WHERE dedupe_key IS NOT NULL;
CREATE INDEX kernel_operation_retention ON kernel_operation (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE kernel_operation_event (
  operation_id text NOT NULL REFERENCES kernel_operation (id) ON DELETE CASCADE,
  sequence integer NOT NULL CHECK (sequence > 0),
  type text NOT NULL,
  payload jsonb NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (operation_id, sequence)
);

CREATE TABLE kernel_idempotency (
  user_id text NOT NULL,
  graph_id text NOT NULL,
  operation text NOT NULL,
  key_hash text NOT NULL,
  fingerprint text NOT NULL,
  envelope jsonb,
  operation_id text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, graph_id, operation, key_hash)
);
CREATE INDEX kernel_idempotency_by_operation ON kernel_idempotency (operation_id);
CREATE INDEX kernel_idempotency_by_expiry ON kernel_idempotency (expires_at);

CREATE TABLE kernel_operation_audit (
  operation_id text PRIMARY KEY,
  graph_id text,
  user_id text NOT NULL,
  operation text NOT NULL,
  surface text NOT NULL,
  status text NOT NULL,
  duration_ms integer NOT NULL,
  error text,
  input_fingerprint text NOT NULL,
  key_hash text,
  request_id text NOT NULL,
  credential text NOT NULL,
  key_prefix text,
  at timestamptz NOT NULL
);
CREATE INDEX kernel_operation_audit_by_graph ON kernel_operation_audit (graph_id, at);

CREATE TABLE kernel_security_audit (
  id text PRIMARY KEY,
  event_type text NOT NULL,
  risk text NOT NULL CHECK (risk IN ('low', 'medium', 'high', 'critical')),
  user_id text,
  org_id text,
  graph_id text,
  ip text,
  user_agent text,
  endpoint text,
  request_id text,
  credential text,
  key_prefix text,
  details jsonb NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX kernel_security_audit_by_user ON kernel_security_audit (user_id, at);

CREATE TABLE kernel_outbox (
  id text PRIMARY KEY,
  graph_id text,
  topic text NOT NULL,
  payload jsonb NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL,
  last_error text
);
CREATE INDEX kernel_outbox_due ON kernel_outbox (next_at);

-- An open event stream holds a lease that its keepalive renews (platform V-9).
CREATE TABLE kernel_stream_slot (
  id text PRIMARY KEY,
  user_id text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX kernel_stream_slot_by_user ON kernel_stream_slot (user_id);

-- When a scheduled job ran last, so that many workers run it once.
CREATE TABLE kernel_schedule (
  job text PRIMARY KEY,
  next_at timestamptz NOT NULL
);

-- Tables that no graph owns: only the kernel scope sees them.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['kernel_user', 'kernel_org', 'kernel_org_user', 'kernel_api_key', 'kernel_revoked_session',
    'kernel_graph_user', 'kernel_selected_graph', 'kernel_security_audit', 'kernel_stream_slot', 'kernel_schedule',
    'kernel_operation_event']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY kernel_scope ON %I USING (current_setting(''pacioli.scope'', true) = ''kernel'')', name);
  END LOOP;
  -- Tables with rows of a graph: its own transaction sees them too.
  FOREACH name IN ARRAY ARRAY['kernel_graph', 'kernel_operation', 'kernel_idempotency', 'kernel_operation_audit', 'kernel_outbox']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY kernel_or_graph ON %I USING (current_setting(''pacioli.scope'', true) = ''kernel''
      OR graph_id = current_setting(''pacioli.graph_id'', true))', name);
  END LOOP;
END $$;
