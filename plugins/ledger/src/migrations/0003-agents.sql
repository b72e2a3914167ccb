-- Counterparties, what they owe and are owed, and which event settles which.

CREATE TABLE ledger_agent (
  graph_id text NOT NULL,
  id text NOT NULL,
  agent_type text NOT NULL CHECK (agent_type IN ('customer', 'vendor', 'supplier', 'employee', 'owner', 'government', 'lender', 'self', 'other')),
  name text NOT NULL,
  legal_name text,
  tax_id text,
  registration_number text,
  duns text,
  lei text,
  email text,
  phone text,
  address jsonb,
  source text NOT NULL,
  external_id text,
  is_active boolean NOT NULL,
  is_1099_recipient boolean NOT NULL,
  metadata jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  created_by text NOT NULL,
  PRIMARY KEY (graph_id, id)
);
-- Ledger L-33.
CREATE UNIQUE INDEX ledger_agent_external ON ledger_agent (graph_id, source, external_id) WHERE external_id IS NOT NULL;
-- Ledger L-35a: the order of lists.
CREATE INDEX ledger_agent_by_name ON ledger_agent (graph_id, lower(name), id);

ALTER TABLE ledger_event ADD CONSTRAINT ledger_event_agent FOREIGN KEY (graph_id, agent_id) REFERENCES ledger_agent (graph_id, id);
CREATE INDEX ledger_event_by_agent ON ledger_event (graph_id, agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX ledger_event_originating ON ledger_event (graph_id, event_type)
  WHERE event_type IN ('invoice_issued', 'sales_receipt_recorded', 'bill_received');
CREATE INDEX ledger_entry_by_event ON ledger_entry (graph_id, event_id) WHERE event_id IS NOT NULL;

-- Ledger L-90: one event may settle several others; the amounts say how much of each.
CREATE TABLE ledger_event_settlement (
  graph_id text NOT NULL,
  discharging_event_id text NOT NULL,
  originating_event_id text NOT NULL,
  amount bigint NOT NULL CHECK (amount >= 0),
  PRIMARY KEY (graph_id, discharging_event_id, originating_event_id),
  FOREIGN KEY (graph_id, discharging_event_id) REFERENCES ledger_event (graph_id, id),
  FOREIGN KEY (graph_id, originating_event_id) REFERENCES ledger_event (graph_id, id),
  CHECK (discharging_event_id <> originating_event_id)
);
CREATE INDEX ledger_event_settlement_of ON ledger_event_settlement (graph_id, originating_event_id);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['ledger_agent', 'ledger_event_settlement']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_graph ON %I USING (graph_id = current_setting(''pacioli.graph_id'', true))', name);
  END LOOP;
END $$;

-- Ledger L-90: payments that name the number of an invoice.
CREATE INDEX ledger_event_by_number ON ledger_event (graph_id, (metadata->>'qb_doc_number')) WHERE metadata->>'qb_doc_number' IS NOT NULL;
