-- For each closed month and account the sums of all posted lines up to the end of the month, so that a balance costs the
-- same however long the books are: these rows, and the lines of the months that are open (ledger L-218). Derived from
-- the lines, which the log covers; the verifier compares.
CREATE TABLE ledger_month_total (
  graph_id text NOT NULL,
  period text NOT NULL CHECK (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  element_id text NOT NULL,
  currency text NOT NULL,
  debit_total numeric NOT NULL,
  credit_total numeric NOT NULL,
  line_count bigint NOT NULL CHECK (line_count > 0),
  PRIMARY KEY (graph_id, period, element_id, currency)
);

-- The lines of a month that is no longer closed may change, and with them the totals of this month and all later ones.
CREATE FUNCTION ledger_drop_month_totals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM ledger_month_total WHERE graph_id = OLD.graph_id AND period >= OLD.name;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_fiscal_period_reopened AFTER UPDATE OF status ON ledger_fiscal_period FOR EACH ROW
  WHEN (OLD.status = 'closed' AND NEW.status <> 'closed') EXECUTE FUNCTION ledger_drop_month_totals();

-- Months that are closed already. Forced row security would hide them.
ALTER TABLE ledger_fiscal_period NO FORCE ROW LEVEL SECURITY;
ALTER TABLE ledger_line_item NO FORCE ROW LEVEL SECURITY;
INSERT INTO ledger_month_total (graph_id, period, element_id, currency, debit_total, credit_total, line_count)
SELECT p.graph_id, p.name, m.element_id, m.currency, sum(m.debit), sum(m.credit), sum(m.lines)
FROM ledger_fiscal_period AS p
JOIN (
  SELECT graph_id, to_char(posting_date, 'YYYY-MM') AS period, element_id, currency,
    sum(debit_amount) AS debit, sum(credit_amount) AS credit, count(*) AS lines
  FROM ledger_line_item WHERE is_landed GROUP BY 1, 2, 3, 4
) AS m ON m.graph_id = p.graph_id AND m.period <= p.name
WHERE p.status = 'closed'
GROUP BY p.graph_id, p.name, m.element_id, m.currency;
ALTER TABLE ledger_line_item FORCE ROW LEVEL SECURITY;
ALTER TABLE ledger_fiscal_period FORCE ROW LEVEL SECURITY;

ALTER TABLE ledger_month_total ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger_month_total FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON ledger_month_total USING (graph_id = current_setting('pacioli.graph_id', true));
