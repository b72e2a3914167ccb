-- The day after the last month with totals: older lines are in those (ledger L-218). A function, because the planner
-- calls a stable one to estimate how many lines are newer, and for a subquery it assumes a third of all. It sees the
-- same months as the statement that calls it.
CREATE FUNCTION ledger_lines_begin(graph text) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT coalesce(((max(period) || '-01')::date + interval '1 month')::date, '-infinity')
  FROM ledger_month_total WHERE graph_id = graph
$$;

-- Amounts from 2^43 minor units on, whose total has a limit (ledger L-2). At most about a thousand events of a graph have
-- one, so the check of a new one reads these instead of all events.
CREATE INDEX ledger_event_large ON ledger_event (graph_id, currency)
  WHERE amount >= 8796093022208 OR amount <= -8796093022208;
