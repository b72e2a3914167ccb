-- What organisations pay for (platform section 14). Rows belong to organisations, not to graphs, so that only the
-- kernel's transactions see them.
CREATE TABLE billing_customer (
  org_id text PRIMARY KEY,
  provider text NOT NULL,
  provider_customer text,
  has_payment_method boolean NOT NULL DEFAULT false,
  invoice_billing_enabled boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (provider, provider_customer)
);

CREATE TABLE billing_subscription (
  id text PRIMARY KEY,
  org_id text NOT NULL,
  -- Whom it grants access; repositories only.
  user_id text,
  resource_type text NOT NULL CHECK (resource_type IN ('graph', 'repository')),
  -- Null until the resource is made.
  resource_id text,
  plan_name text NOT NULL,
  base_price_cents bigint NOT NULL CHECK (base_price_cents >= 0),
  billing_interval text NOT NULL DEFAULT 'monthly' CHECK (billing_interval = 'monthly'),
  status text NOT NULL CHECK (status IN ('pending', 'pending_payment', 'provisioning', 'active', 'upgrading',
    'past_due', 'unpaid', 'paused', 'canceled', 'failed')),
  -- Null when nobody outside charges for it: billing off, or by invoice.
  provider text,
  provider_subscription text,
  -- The provider's time of the last news that was believed.
  provider_at timestamptz,
  -- The checkout that it waits for, what was asked for, and who asked.
  session_id text,
  session_url text,
  session_expires_at timestamptz,
  config jsonb,
  requested_by jsonb,
  operation_id text,
  error text,
  -- What a tier change goes back to when it fails.
  before_change jsonb,
  current_period_start timestamptz,
  current_period_end timestamptz,
  started_at timestamptz,
  canceled_at timestamptz,
  ends_at timestamptz,
  cancellation_type text CHECK (cancellation_type IN ('immediate', 'period_end')),
  -- When access was taken away, and when the resource was.
  closed_at timestamptz,
  deprovisioned_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (provider, provider_subscription),
  UNIQUE (provider, session_id)
);
CREATE INDEX billing_subscription_of_org ON billing_subscription (org_id, created_at DESC);
CREATE INDEX billing_subscription_of_resource ON billing_subscription (resource_id, created_at DESC);
CREATE INDEX billing_subscription_open ON billing_subscription (status) WHERE deprovisioned_at IS NULL;
-- One live subscription of a graph, one of a user on a repository (platform B-1).
CREATE UNIQUE INDEX billing_subscription_live_graph ON billing_subscription (resource_id)
  WHERE resource_type = 'graph' AND status NOT IN ('canceled', 'failed');
CREATE UNIQUE INDEX billing_subscription_live_user ON billing_subscription (user_id, resource_id)
  WHERE resource_type = 'repository' AND status NOT IN ('canceled', 'failed');

-- Who may read a repository; outlives the subscription, so that a second one takes it up again (platform B-13).
CREATE TABLE billing_repository_access (
  user_id text NOT NULL,
  repository text NOT NULL,
  org_id text NOT NULL,
  level text NOT NULL CHECK (level IN ('read', 'write', 'admin')),
  plan text NOT NULL,
  is_active boolean NOT NULL,
  inactive_reason text,
  expires_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, repository)
);

CREATE SEQUENCE billing_invoice_number;

-- Invoices that this deployment writes itself: of the embedded provider, and for customers who pay by invoice.
CREATE TABLE billing_invoice (
  id text PRIMARY KEY,
  org_id text NOT NULL,
  subscription_id text,
  provider_subscription text,
  number bigint NOT NULL UNIQUE DEFAULT nextval('billing_invoice_number'),
  status text NOT NULL CHECK (status IN ('draft', 'open', 'paid', 'void', 'uncollectible')),
  currency text NOT NULL,
  amount_due_cents bigint NOT NULL,
  amount_paid_cents bigint NOT NULL,
  description text NOT NULL,
  period_start timestamptz NOT NULL,
  period_end timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  due_at timestamptz,
  paid_at timestamptz
);
CREATE INDEX billing_invoice_of_org ON billing_invoice (org_id, created_at DESC, id DESC);
CREATE INDEX billing_invoice_open ON billing_invoice (status, due_at) WHERE status = 'open';
-- One invoice for each period, however often the jobs run.
CREATE UNIQUE INDEX billing_invoice_once ON billing_invoice (subscription_id, period_start);
CREATE UNIQUE INDEX billing_invoice_once_at_provider ON billing_invoice (provider_subscription, period_start);

-- What providers sent, once each (platform B-31).
CREATE TABLE billing_event (
  provider text NOT NULL,
  event_id text NOT NULL,
  type text,
  data jsonb NOT NULL,
  at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  state text NOT NULL CHECK (state IN ('stored', 'done', 'failed')),
  error text,
  PRIMARY KEY (provider, event_id)
);

-- Append-only (platform B-18).
CREATE TABLE billing_audit (
  id text PRIMARY KEY,
  org_id text,
  subscription_id text,
  event_type text NOT NULL,
  actor_type text NOT NULL CHECK (actor_type IN ('user', 'system', 'admin', 'webhook')),
  actor_id text,
  details jsonb NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX billing_audit_of_org ON billing_audit (org_id, at);

-- The embedded provider (platform B-32): what another company would keep.
CREATE TABLE billing_local_customer (
  id text PRIMARY KEY,
  org_id text NOT NULL UNIQUE,
  email text NOT NULL,
  name text NOT NULL,
  -- The test card on file.
  card text CHECK (card IN ('ok', 'decline', 'expire')),
  created_at timestamptz NOT NULL
);
CREATE TABLE billing_local_price (
  id text PRIMARY KEY,
  facts text NOT NULL UNIQUE,
  label text NOT NULL,
  amount_cents bigint NOT NULL,
  currency text NOT NULL
);
CREATE TABLE billing_local_session (
  id text PRIMARY KEY,
  customer text NOT NULL REFERENCES billing_local_customer (id),
  price text NOT NULL REFERENCES billing_local_price (id),
  success_url text NOT NULL,
  cancel_url text NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'complete', 'expired')),
  expires_at timestamptz NOT NULL
);
CREATE TABLE billing_local_subscription (
  id text PRIMARY KEY,
  customer text NOT NULL REFERENCES billing_local_customer (id),
  price text NOT NULL REFERENCES billing_local_price (id),
  status text NOT NULL CHECK (status IN ('active', 'past_due', 'unpaid', 'canceled')),
  period_start timestamptz NOT NULL,
  period_end timestamptz NOT NULL,
  ends_with_period boolean NOT NULL DEFAULT false,
  failed_charges integer NOT NULL DEFAULT 0,
  retry_at timestamptz,
  -- The difference of price changes in the middle of the period, for the next invoice.
  proration_cents bigint NOT NULL DEFAULT 0
);
CREATE INDEX billing_local_subscription_due ON billing_local_subscription (status, period_end);
CREATE TABLE billing_local_portal (
  digest text PRIMARY KEY,
  customer text NOT NULL REFERENCES billing_local_customer (id),
  expires_at timestamptz NOT NULL
);
-- Repeated calls have one effect.
CREATE TABLE billing_local_call (
  key text PRIMARY KEY,
  answer jsonb NOT NULL,
  at timestamptz NOT NULL
);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['billing_customer', 'billing_subscription', 'billing_repository_access', 'billing_invoice',
    'billing_event', 'billing_audit', 'billing_local_customer', 'billing_local_price', 'billing_local_session',
    'billing_local_subscription', 'billing_local_portal', 'billing_local_call']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY %I ON %I USING (current_setting(''pacioli.scope'', true) = ''kernel'')',
      name || '_of_kernel', name);
  END LOOP;
END $$;
