-- Credits pay for model tokens (platform section 12). A pool belongs to a graph, or to one subscriber of a shared
-- repository. Amounts are hundredths of a credit. The balance is always the sum of the pool's transactions.
CREATE TABLE kernel_credit_pool (
  id text PRIMARY KEY,
  -- The graph, or the shared repository.
  graph_id text NOT NULL,
  -- Null for the pool of a graph.
  subscriber_id text REFERENCES kernel_user (id),
  tier text NOT NULL,
  allocation_hundredths bigint NOT NULL CHECK (allocation_hundredths >= 0),
  balance_hundredths bigint NOT NULL,
  -- A pool whose subscription has ended pays for nothing.
  is_active boolean NOT NULL DEFAULT true,
  -- When the last allocation was due: months for graphs, 30 days for subscribers.
  period_started_at timestamptz NOT NULL,
  -- The month whose alerts were sent, and how many of the three levels (platform C-15).
  alert_month text NOT NULL DEFAULT '',
  alert_level integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX kernel_credit_pool_of_graph ON kernel_credit_pool (graph_id) WHERE subscriber_id IS NULL;
CREATE UNIQUE INDEX kernel_credit_pool_of_subscriber ON kernel_credit_pool (graph_id, subscriber_id)
  WHERE subscriber_id IS NOT NULL;
CREATE INDEX kernel_credit_pool_by_period ON kernel_credit_pool (period_started_at) WHERE is_active;

CREATE TABLE kernel_credit_transaction (
  id text PRIMARY KEY,
  pool_id text NOT NULL REFERENCES kernel_credit_pool (id),
  -- Null in the pool of a subscriber, so that no scope of a graph sees it.
  graph_id text,
  type text NOT NULL
    CHECK (type IN ('allocation', 'consumption', 'bonus', 'refund', 'expiration', 'reservation')),
  amount_hundredths bigint NOT NULL,
  -- What the credits were for, such as the operator that ran.
  operation_type text NOT NULL,
  description text NOT NULL,
  metadata jsonb NOT NULL DEFAULT '{}',
  idempotency_key text UNIQUE,
  operation_id text,
  request_id text,
  user_id text,
  created_at timestamptz NOT NULL
);
CREATE INDEX kernel_credit_transaction_by_pool ON kernel_credit_transaction (pool_id, created_at DESC, id DESC);

-- What a run holds back before a model call, until it is settled, released or its time is over (platform C-8).
CREATE TABLE kernel_credit_reservation (
  operation_id text NOT NULL,
  call_index integer NOT NULL,
  pool_id text NOT NULL REFERENCES kernel_credit_pool (id),
  state text NOT NULL CHECK (state IN ('open', 'settled', 'released')),
  -- How often the call was reserved anew after a release.
  attempt integer NOT NULL DEFAULT 1,
  reserved_hundredths bigint NOT NULL,
  charged_hundredths bigint NOT NULL DEFAULT 0,
  -- The row of the reservation while it is open.
  transaction_id text,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (operation_id, call_index)
);
CREATE INDEX kernel_credit_reservation_due ON kernel_credit_reservation (expires_at);

-- What was used, for reports over time (platform T-7). Counters have one row for each graph and day.
CREATE TABLE kernel_usage_event (
  id text PRIMARY KEY,
  graph_id text NOT NULL,
  type text NOT NULL,
  at timestamptz NOT NULL,
  -- Bytes of a snapshot, calls of a counter, hundredths of a credit, milliseconds of a query.
  amount bigint NOT NULL,
  details jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX kernel_usage_event_by_graph ON kernel_usage_event (graph_id, type, at);
CREATE INDEX kernel_usage_event_by_age ON kernel_usage_event (at);

DO $$
DECLARE name text;
BEGIN
  EXECUTE 'ALTER TABLE kernel_credit_reservation ENABLE ROW LEVEL SECURITY';
  EXECUTE 'ALTER TABLE kernel_credit_reservation FORCE ROW LEVEL SECURITY';
  EXECUTE 'CREATE POLICY kernel_scope ON kernel_credit_reservation USING (current_setting(''pacioli.scope'', true) = ''kernel'')';
  EXECUTE 'ALTER TABLE kernel_credit_pool ENABLE ROW LEVEL SECURITY';
  EXECUTE 'ALTER TABLE kernel_credit_pool FORCE ROW LEVEL SECURITY';
  EXECUTE 'CREATE POLICY kernel_or_graph ON kernel_credit_pool USING (current_setting(''pacioli.scope'', true) = ''kernel''
    OR (subscriber_id IS NULL AND graph_id = current_setting(''pacioli.graph_id'', true)))';
  FOREACH name IN ARRAY ARRAY['kernel_credit_transaction', 'kernel_usage_event']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY kernel_or_graph ON %I USING (current_setting(''pacioli.scope'', true) = ''kernel''
      OR graph_id = current_setting(''pacioli.graph_id'', true))', name);
  END LOOP;
END $$;

-- Graphs that were there before credits start this month with their tier's full allocation.
SELECT set_config('pacioli.scope', 'kernel', true);
INSERT INTO kernel_credit_pool (id, graph_id, tier, allocation_hundredths, balance_hundredths, period_started_at,
  created_at, updated_at)
SELECT 'crd_' || graph_id, graph_id, tier, credits * 100, credits * 100, now(), now(), now()
FROM (SELECT graph_id, tier, CASE tier WHEN 'ladybug-xlarge' THEN 100000 WHEN 'ladybug-large' THEN 32000 ELSE 8000 END
    AS credits
  FROM kernel_graph WHERE parent_id IS NULL AND status IN ('active', 'suspended') AND graph_id <> 'library') AS graphs;
INSERT INTO kernel_credit_transaction (id, pool_id, graph_id, type, amount_hundredths, operation_type, description,
  metadata, idempotency_key, created_at)
SELECT 'tx_' || graph_id, id, graph_id, 'allocation', balance_hundredths, 'initial_allocation',
  'First allocation of the graph', '{"allocation_type": "initial"}', 'initial_allocation_' || graph_id, now()
FROM kernel_credit_pool;
