-- Entities, events, the three levels of the journal, and the fiscal calendar.

CREATE TABLE ledger_entity (
  graph_id text NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  legal_name text,
  uri text,
  cik text,
  ticker text,
  exchange text,
  sic text,
  sic_description text,
  category text,
  state_of_incorporation text,
  fiscal_year_end text,
  tax_id text,
  lei text,
  industry text,
  entity_type text,
  reporting_style_id text,
  phone text,
  website text,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive', 'dissolved')),
  is_parent boolean NOT NULL,
  parent_entity_id text,
  source text NOT NULL DEFAULT 'native',
  source_id text,
  source_graph_id text,
  connection_id text,
  address_line1 text,
  address_city text,
  address_state text,
  address_postal_code text,
  address_country text,
  -- Null until the first entry decides it; then the currency of the books (ledger L-5).
  functional_currency text CHECK (functional_currency ~ '^[A-Z]{3}$'),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, id)
);

CREATE TABLE ledger_entity_taxonomy (
  graph_id text NOT NULL,
  entity_id text NOT NULL,
  taxonomy_id text NOT NULL,
  basis text NOT NULL CHECK (basis IN ('chart_of_accounts', 'reporting', 'mapping', 'schedule')),
  is_primary boolean NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, entity_id, taxonomy_id, basis),
  FOREIGN KEY (graph_id, entity_id) REFERENCES ledger_entity (graph_id, id)
);
CREATE UNIQUE INDEX ledger_entity_taxonomy_one_primary ON ledger_entity_taxonomy (graph_id, entity_id, basis) WHERE is_primary;

CREATE TABLE ledger_event (
  graph_id text NOT NULL,
  id text NOT NULL,
  event_type text NOT NULL,
  event_class text NOT NULL CHECK (event_class IN ('economic', 'support', 'operational')),
  event_category text NOT NULL,
  event_action text,
  status text NOT NULL CHECK (status IN ('captured', 'classified', 'committed', 'pending', 'fulfilled', 'voided', 'superseded')),
  occurred_at timestamptz NOT NULL,
  effective_at timestamptz,
  source text NOT NULL,
  external_id text,
  external_url text,
  amount bigint,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  description text,
  metadata jsonb NOT NULL,
  dimension_ids text[] NOT NULL DEFAULT '{}',
  agent_id text,
  resource_type text,
  resource_element_id text,
  is_reconciling_item boolean NOT NULL DEFAULT false,
  replaced_by_event_id text,
  replaces_event_id text,
  obligated_by_event_id text,
  discharges_event_id text,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  PRIMARY KEY (graph_id, id),
  -- Ledger L-66: the categories of each class.
  CHECK (CASE event_class
    WHEN 'economic' THEN event_category IN ('sales', 'purchase', 'financing', 'payroll', 'treasury', 'adjustment', 'recognition', 'other')
    WHEN 'support' THEN event_category IN ('control', 'approval', 'reconciliation', 'inquiry')
    ELSE event_category IN ('pipeline', 'engagement', 'schedule', 'other') END)
);
CREATE UNIQUE INDEX ledger_event_external ON ledger_event (graph_id, source, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX ledger_event_by_time ON ledger_event (graph_id, occurred_at DESC, id DESC);

CREATE TABLE ledger_transaction (
  graph_id text NOT NULL,
  id text NOT NULL,
  event_id text,
  number text,
  type text NOT NULL,
  category text,
  amount bigint NOT NULL CHECK (amount >= 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  date date NOT NULL,
  due_date date,
  merchant_name text,
  reference_number text,
  description text,
  source text NOT NULL,
  source_id text,
  status text NOT NULL CHECK (status IN ('pending', 'posted', 'void')),
  posted_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, id)
);
CREATE INDEX ledger_transaction_by_date ON ledger_transaction (graph_id, date DESC, id DESC);

CREATE TABLE ledger_entry (
  graph_id text NOT NULL,
  id text NOT NULL,
  transaction_id text,
  event_id text,
  number text,
  type text NOT NULL CHECK (type IN ('standard', 'adjusting', 'closing', 'reversing')),
  status text NOT NULL CHECK (status IN ('draft', 'posted', 'reversed')),
  posting_date date NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  memo text,
  provenance text NOT NULL CHECK (provenance IN ('source_sync', 'ai_generated', 'manual_entry', 'schedule_derived', 'system_computed', 'event_handler')),
  source_structure_id text,
  reversal_of text,
  posted_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, id),
  FOREIGN KEY (graph_id, transaction_id) REFERENCES ledger_transaction (graph_id, id),
  CHECK (status = 'draft' OR posted_at IS NOT NULL)
);
-- Ledger L-61: an entry is reversed at most once.
CREATE UNIQUE INDEX ledger_entry_reversal ON ledger_entry (graph_id, reversal_of) WHERE reversal_of IS NOT NULL;
CREATE INDEX ledger_entry_by_date ON ledger_entry (graph_id, posting_date DESC, created_at DESC, id DESC);
CREATE INDEX ledger_entry_by_transaction ON ledger_entry (graph_id, transaction_id);

CREATE TABLE ledger_line_item (
  graph_id text NOT NULL,
  entry_id text NOT NULL,
  line_order integer NOT NULL,
  id text NOT NULL,
  element_id text NOT NULL,
  -- Of the entry, so that a balance is one scan of one index; they change only with the entry's status.
  posting_date date NOT NULL,
  currency text NOT NULL,
  is_landed boolean NOT NULL,
  debit_amount bigint NOT NULL,
  credit_amount bigint NOT NULL,
  description text,
  PRIMARY KEY (graph_id, entry_id, line_order),
  FOREIGN KEY (graph_id, entry_id) REFERENCES ledger_entry (graph_id, id) ON DELETE CASCADE,
  -- Ledger L-45: exactly one side is positive.
  CHECK ((debit_amount > 0 AND credit_amount = 0) OR (debit_amount = 0 AND credit_amount > 0))
);
CREATE INDEX ledger_line_item_balances ON ledger_line_item (graph_id, posting_date, element_id)
  INCLUDE (currency, debit_amount, credit_amount) WHERE is_landed;

CREATE TABLE ledger_fiscal_calendar (
  graph_id text PRIMARY KEY,
  id text NOT NULL,
  fiscal_year_start_month integer NOT NULL CHECK (fiscal_year_start_month BETWEEN 1 AND 12),
  closed_through text CHECK (closed_through ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  close_target text CHECK (close_target ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  last_close_at timestamptz,
  initialized_at timestamptz NOT NULL
);

CREATE TABLE ledger_fiscal_period (
  graph_id text NOT NULL,
  name text NOT NULL CHECK (name ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  status text NOT NULL CHECK (status IN ('open', 'closing', 'closed')),
  closed_at timestamptz,
  closed_by text,
  close_receipt jsonb,
  PRIMARY KEY (graph_id, name)
);

CREATE TABLE ledger_calendar_event (
  graph_id text NOT NULL,
  id text NOT NULL,
  type text NOT NULL,
  from_value text,
  to_value text,
  actor text NOT NULL,
  actor_type text NOT NULL CHECK (actor_type IN ('user', 'agent', 'system')),
  reason text,
  note text,
  at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, id)
);

-- Lines of an entry are written together, so each statement's lines must balance by themselves (ledger L-46).
-- One check a statement over its own rows costs less than a deferred trigger on every row, and cannot be forgotten.
CREATE FUNCTION ledger_require_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE offender text;
BEGIN
  SELECT entry_id INTO offender FROM changed_lines GROUP BY graph_id, entry_id HAVING sum(debit_amount) <> sum(credit_amount) LIMIT 1;
  IF offender IS NOT NULL THEN
    RAISE EXCEPTION 'journal entry % does not balance', offender USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_line_item_balance';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_line_item_inserted AFTER INSERT ON ledger_line_item
  REFERENCING NEW TABLE AS changed_lines FOR EACH STATEMENT EXECUTE FUNCTION ledger_require_balance();
CREATE TRIGGER ledger_line_item_deleted AFTER DELETE ON ledger_line_item
  REFERENCING OLD TABLE AS changed_lines FOR EACH STATEMENT EXECUTE FUNCTION ledger_require_balance();

-- What has landed never changes (ledger L-53).
CREATE FUNCTION ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'line items of entry % have landed and cannot change', OLD.entry_id USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_line_item_immutable';
END $$;
CREATE TRIGGER ledger_line_item_landed BEFORE UPDATE OR DELETE ON ledger_line_item
  FOR EACH ROW WHEN (OLD.is_landed) EXECUTE FUNCTION ledger_refuse_change();

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['ledger_entity', 'ledger_entity_taxonomy', 'ledger_event', 'ledger_transaction', 'ledger_entry',
    'ledger_line_item', 'ledger_fiscal_calendar', 'ledger_fiscal_period', 'ledger_calendar_event']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_graph ON %I USING (graph_id = current_setting(''pacioli.graph_id'', true))', name);
  END LOOP;
END $$;
