-- What filed reports need of their facts and rules. Facts of a filed report never change (reporting P-16): the owner of a
-- set declares it final, and from then on the store refuses every change of the set and of its facts, whoever asks.
ALTER TABLE blocks_fact_set ADD COLUMN is_final boolean NOT NULL DEFAULT false;

CREATE FUNCTION blocks_refuse_final_set() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'fact set % is final and cannot change', OLD.id
    USING ERRCODE = 'check_violation', CONSTRAINT = 'blocks_fact_set_final';
END $$;
CREATE TRIGGER blocks_fact_set_final BEFORE UPDATE OR DELETE ON blocks_fact_set
  FOR EACH ROW WHEN (OLD.is_final) EXECUTE FUNCTION blocks_refuse_final_set();

-- One check for each statement: a close writes thousands of facts at once.
CREATE FUNCTION blocks_refuse_final_facts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE offender text;
BEGIN
  SELECT s.id INTO offender FROM blocks_fact_set s
  WHERE s.is_final AND (s.graph_id, s.id) IN (SELECT graph_id, fact_set_id FROM changed_facts) LIMIT 1;
  IF offender IS NOT NULL THEN
    RAISE EXCEPTION 'the facts of set % are final and cannot change', offender
      USING ERRCODE = 'check_violation', CONSTRAINT = 'blocks_fact_set_final';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER blocks_fact_inserted AFTER INSERT ON blocks_fact
  REFERENCING NEW TABLE AS changed_facts FOR EACH STATEMENT EXECUTE FUNCTION blocks_refuse_final_facts();
CREATE TRIGGER blocks_fact_updated AFTER UPDATE ON blocks_fact
  REFERENCING OLD TABLE AS changed_facts FOR EACH STATEMENT EXECUTE FUNCTION blocks_refuse_final_facts();
CREATE TRIGGER blocks_fact_moved AFTER UPDATE ON blocks_fact
  REFERENCING NEW TABLE AS changed_facts FOR EACH STATEMENT EXECUTE FUNCTION blocks_refuse_final_facts();
CREATE TRIGGER blocks_fact_deleted AFTER DELETE ON blocks_fact
  REFERENCING OLD TABLE AS changed_facts FOR EACH STATEMENT EXECUTE FUNCTION blocks_refuse_final_facts();

-- The severity of the rule at the time: a failed rule of severity error keeps a report from being filed (P-21), also if
-- the rule no longer exists. Null in results from before this column.
ALTER TABLE blocks_verification_result ADD COLUMN severity text CHECK (severity IN ('info', 'warning', 'error'));
