-- The second release flags claims that were open when their month was closed.
ALTER TABLE expense_claims_claim ADD COLUMN is_late boolean NOT NULL DEFAULT false;
