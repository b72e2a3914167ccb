-- Schedules: what each month moves, and the events that wait for their date (ledger section 8).

CREATE TABLE ledger_schedule (
  graph_id text NOT NULL,
  structure_id text NOT NULL,
  taxonomy_id text NOT NULL,
  name text NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- As its author defined it; a rebuild starts from it.
  definition jsonb NOT NULL,
  anchor_event_id text NOT NULL,
  -- The last day it covers when it was terminated, and the day on which its asset left the books.
  ended_on date,
  disposed_on date,
  disposal_event_id text,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, structure_id),
  CHECK ((disposed_on IS NULL) = (disposal_event_id IS NULL))
);
CREATE INDEX ledger_schedule_by_name ON ledger_schedule (graph_id, name, structure_id);

-- The months in minor units; the facts of the block show the same numbers.
CREATE TABLE ledger_schedule_month (
  graph_id text NOT NULL,
  structure_id text NOT NULL,
  period text NOT NULL CHECK (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  amount bigint NOT NULL CHECK (amount >= 0),
  accumulated bigint NOT NULL CHECK (accumulated >= amount),
  scope text NOT NULL CHECK (scope IN ('historical', 'in_scope')),
  PRIMARY KEY (graph_id, structure_id, period),
  FOREIGN KEY (graph_id, structure_id) REFERENCES ledger_schedule (graph_id, structure_id) ON DELETE CASCADE
);
CREATE INDEX ledger_schedule_month_by_period ON ledger_schedule_month (graph_id, period);

CREATE INDEX ledger_event_of_schedule ON ledger_event (graph_id, (metadata ->> 'schedule_id'), occurred_at)
  WHERE event_type = 'schedule_entry_due';
-- Small whatever the age of the books: a month that is closed has none left.
CREATE INDEX ledger_event_open_obligation ON ledger_event (graph_id, occurred_at, id)
  WHERE event_type = 'schedule_entry_due' AND status IN ('pending', 'classified');

-- Ledger L-190: what a landed entry keeps of a schedule that is gone.
ALTER TABLE ledger_entry ADD COLUMN metadata jsonb;

-- Which graphs the sweep has to visit, and whether it also drafts (ledger L-185).
CREATE TABLE ledger_obligation_sweep (
  graph_id text PRIMARY KEY,
  -- When the next obligation matures; null while none is pending.
  due_at timestamptz,
  autopilot boolean NOT NULL DEFAULT false
);
CREATE INDEX ledger_obligation_sweep_due ON ledger_obligation_sweep (due_at) WHERE due_at IS NOT NULL;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['ledger_schedule', 'ledger_schedule_month']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_graph ON %I USING (graph_id = current_setting(''pacioli.graph_id'', true))', name);
  END LOOP;
END $$;

ALTER TABLE ledger_obligation_sweep ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger_obligation_sweep FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON ledger_obligation_sweep USING (graph_id = current_setting('pacioli.graph_id', true));
-- The sweep asks in the kernel's scope which graphs are due, and works in the scope of each.
CREATE POLICY due_for_kernel ON ledger_obligation_sweep FOR SELECT USING (current_setting('pacioli.scope', true) = 'kernel');
