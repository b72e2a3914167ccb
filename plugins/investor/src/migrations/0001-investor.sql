-- Securities, portfolios and their positions (investor 1). Issuers and owners are entities of the ledger, whose rows are
-- never deleted; their ids are checked when they are written.

CREATE TABLE investor_portfolio (
  graph_id text NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  description text,
  strategy text,
  inception_date date,
  base_currency text NOT NULL CHECK (base_currency ~ '^[A-Z]{3}$'),
  entity_id text,
  metadata jsonb NOT NULL DEFAULT '{}',
  version integer NOT NULL DEFAULT 1,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, id)
);
-- R-2: the order of lists; all names are above '', which lets the index serve a list but no look-up by key.
CREATE INDEX investor_portfolio_by_name ON investor_portfolio (graph_id, (name COLLATE "C"), id)
  WHERE name COLLATE "C" >= '';

CREATE TABLE investor_security (
  graph_id text NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  security_type text NOT NULL,
  security_subtype text,
  entity_id text,
  -- S-13: an issuer that the caller named stays when the source graph changes; one found by its source graph does not.
  issuer_origin text CHECK (issuer_origin IN ('caller', 'source_graph')),
  source_graph_id text,
  terms jsonb NOT NULL DEFAULT '{}',
  is_active boolean NOT NULL DEFAULT true,
  authorized_shares bigint CHECK (authorized_shares >= 0),
  outstanding_shares bigint CHECK (outstanding_shares >= 0),
  metadata jsonb NOT NULL DEFAULT '{}',
  version integer NOT NULL DEFAULT 1,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, id),
  CHECK ((issuer_origin IS NULL) = (entity_id IS NULL))
);
CREATE INDEX investor_security_by_name ON investor_security (graph_id, (name COLLATE "C"), id)
  WHERE name COLLATE "C" >= '';
CREATE INDEX investor_security_by_issuer ON investor_security (graph_id, entity_id) WHERE entity_id IS NOT NULL;
-- H-15: the securities that wait for the first share of their issuer.
CREATE INDEX investor_security_by_source ON investor_security (graph_id, source_graph_id)
  WHERE source_graph_id IS NOT NULL;

CREATE TABLE investor_position (
  graph_id text NOT NULL,
  id text NOT NULL,
  portfolio_id text NOT NULL,
  security_id text NOT NULL,
  quantity numeric(38, 18) NOT NULL CHECK (quantity >= 0 AND quantity < 100000000000000000000),
  quantity_type text NOT NULL,
  -- Hundredths of the major unit in every currency (I-8).
  cost_basis bigint NOT NULL CHECK (cost_basis BETWEEN 0 AND 9007199254740991),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  current_value bigint CHECK (current_value BETWEEN 0 AND 9007199254740991),
  valuation_date date,
  valuation_source text,
  acquisition_date date,
  disposition_date date,
  status text NOT NULL CHECK (status IN ('active', 'disposed', 'archived')),
  metadata jsonb NOT NULL DEFAULT '{}',
  notes text,
  version integer NOT NULL DEFAULT 1,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, id),
  FOREIGN KEY (graph_id, portfolio_id) REFERENCES investor_portfolio (graph_id, id),
  FOREIGN KEY (graph_id, security_id) REFERENCES investor_security (graph_id, id),
  CHECK ((status = 'active') = (disposition_date IS NULL))
);
-- I-3.
CREATE UNIQUE INDEX investor_position_active ON investor_position (graph_id, portfolio_id, security_id)
  WHERE status = 'active';
CREATE INDEX investor_position_by_age ON investor_position (graph_id, created_at, id) WHERE created_at IS NOT NULL;
CREATE INDEX investor_position_by_portfolio ON investor_position (graph_id, portfolio_id, created_at)
  WHERE portfolio_id IS NOT NULL;
CREATE INDEX investor_position_by_security ON investor_position (graph_id, security_id, created_at)
  WHERE security_id IS NOT NULL;

ALTER TABLE investor_portfolio ENABLE ROW LEVEL SECURITY;
ALTER TABLE investor_portfolio FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON investor_portfolio USING (graph_id = current_setting('pacioli.graph_id', true));
ALTER TABLE investor_security ENABLE ROW LEVEL SECURITY;
ALTER TABLE investor_security FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON investor_security USING (graph_id = current_setting('pacioli.graph_id', true));
ALTER TABLE investor_position ENABLE ROW LEVEL SECURITY;
ALTER TABLE investor_position FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON investor_position USING (graph_id = current_setting('pacioli.graph_id', true));
