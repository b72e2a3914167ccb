-- One member may stand on several axes, such as a region as origin and as destination; each is a dimension of its own
-- (reporting F-15). A constraint name is derived by the server, so it is looked up.
DO $$
DECLARE name text;
BEGIN
  SELECT conname INTO STRICT name FROM pg_constraint
  WHERE conrelid = 'blocks_dimension'::regclass AND contype = 'u';
  EXECUTE format('ALTER TABLE blocks_dimension DROP CONSTRAINT %I', name);
END $$;
CREATE UNIQUE INDEX blocks_dimension_once
  ON blocks_dimension (graph_id, dimension_type, axis_element_id, value) NULLS NOT DISTINCT;
