CREATE TABLE tally_mark (
  graph_id text NOT NULL,
  label text NOT NULL,
  step integer NOT NULL,
  PRIMARY KEY (graph_id, label, step)
);
CREATE TABLE tally_total (
  graph_id text NOT NULL,
  label text NOT NULL,
  marks integer NOT NULL,
  PRIMARY KEY (graph_id, label)
);
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['tally_mark', 'tally_total']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY tenant ON %I USING (graph_id = current_setting(''pacioli.graph_id'', true))', name);
  END LOOP;
END $$;
