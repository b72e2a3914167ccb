-- Reads the arrays with unnest. PostgreSQL walks an array of bytea from its start for each subscript, so that sealing
-- n rows took time in proportion to the square of n. The hashes are the same as before.
CREATE OR REPLACE FUNCTION kernel_seal_chain(chained regclass, graph text, rows_max integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  chain text := kernel_chain_name(chained, graph);
  mine text := CASE WHEN graph IS NULL THEN 'true' ELSE format('t.graph_id = %L', graph) END;
  is_known boolean;
  placed text;
  item record;
  at_seq bigint;
  at_hash bytea;
  places bigint[] := '{}';
  prev_hashes bytea[] := '{}';
  hashes bytea[] := '{}';
  sealed integer;
BEGIN
  PERFORM kernel_require_chain(chained, graph);
  PERFORM pg_advisory_xact_lock(hashtextextended(chain, 0));
  SELECT c.last_seq, c.last_hash INTO at_seq, at_hash FROM kernel_chain AS c WHERE c.name = chain;
  is_known := FOUND;
  IF NOT is_known THEN
    EXECUTE format('SELECT t.seq, t.hash FROM %s AS t WHERE %s AND t.seq IS NOT NULL ORDER BY t.seq DESC LIMIT 1', chained, mine)
      INTO at_seq, at_hash;
    at_seq := coalesce(at_seq, 0);
    at_hash := coalesce(at_hash, kernel_chain_root(chain));
  END IF;
  SELECT a.attname INTO STRICT placed FROM pg_attribute AS a WHERE a.attrelid = chained AND a.attidentity <> '';
  FOR item IN EXECUTE format('SELECT t.%1$I AS place, %2$I(t) AS link FROM %3$s AS t WHERE %4$s AND t.seq IS NULL
    ORDER BY t.%1$I LIMIT $1', placed, (SELECT relname FROM pg_class WHERE oid = chained) || '_chain_link', chained, mine)
    USING rows_max
  LOOP
    prev_hashes := prev_hashes || at_hash;
    at_hash := kernel_chain_hash(at_hash, at_seq + cardinality(places) + 1, item.link);
    places := places || item.place;
    hashes := hashes || at_hash;
  END LOOP;
  EXECUTE format('UPDATE %s AS t SET seq = $1 + s.number, prev_hash = s.prev_hash, hash = s.hash
    FROM unnest($2, $3, $4) WITH ORDINALITY AS s (place, prev_hash, hash, number)
    WHERE t.%I = s.place AND t.seq IS NULL AND %s', chained, placed, mine)
    USING at_seq, places, prev_hashes, hashes;
  GET DIAGNOSTICS sealed = ROW_COUNT;
  IF sealed <> cardinality(places) THEN
    RAISE EXCEPTION '% of % rows of % could be sealed', sealed, cardinality(places), chained;
  END IF;
  IF cardinality(places) > 0 OR NOT is_known THEN
    INSERT INTO kernel_chain (name, graph_id, expired_hash, last_seq, last_hash)
    VALUES (chain, graph, kernel_chain_root(chain), at_seq + cardinality(places), at_hash)
    ON CONFLICT (name) DO UPDATE SET last_seq = excluded.last_seq, last_hash = excluded.last_hash;
  END IF;
  RETURN sealed;
END $$;
