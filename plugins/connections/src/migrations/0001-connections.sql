-- Connections of a graph to outside systems. Rows are never deleted: events and accounts name them.

CREATE TABLE connections_connection (
  graph_id text NOT NULL,
  id text NOT NULL,
  provider text NOT NULL,
  -- What one live connection of the provider holds alone: the name of an external source, else nothing.
  slot text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending_oauth', 'connected', 'error', 'needs_reauth', 'disconnected', 'severed')),
  source_name text,
  entity_id text,
  write_policy text NOT NULL CHECK (write_policy IN ('native', 'qb_authoritative')),
  metadata jsonb NOT NULL,
  last_sync_at timestamptz,
  sync_operation_id text,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  deleted_by text,
  PRIMARY KEY (graph_id, id),
  CHECK ((deleted_at IS NULL) = (status NOT IN ('disconnected', 'severed')))
);
-- Ledger L-115, L-116.
CREATE UNIQUE INDEX connections_connection_live ON connections_connection (graph_id, provider, slot) WHERE deleted_at IS NULL;

ALTER TABLE connections_connection ENABLE ROW LEVEL SECURITY;
ALTER TABLE connections_connection FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON connections_connection USING (graph_id = current_setting('pacioli.graph_id', true));
