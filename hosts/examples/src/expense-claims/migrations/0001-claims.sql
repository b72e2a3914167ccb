CREATE TABLE expense_claims_claim (
  graph_id text NOT NULL,
  id text NOT NULL,
  day date NOT NULL,
  -- Minor units of the functional currency of the books.
  amount bigint NOT NULL CHECK (amount > 0),
  expense_account_id text NOT NULL,
  payable_account_id text NOT NULL,
  -- The entry that approved it; null while it is open.
  entry_id text,
  PRIMARY KEY (graph_id, id)
);
CREATE INDEX expense_claims_open ON expense_claims_claim (graph_id, expense_account_id) WHERE entry_id IS NULL;
ALTER TABLE expense_claims_claim ENABLE ROW LEVEL SECURITY;
ALTER TABLE expense_claims_claim FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON expense_claims_claim USING (graph_id = current_setting('pacioli.graph_id', true));
