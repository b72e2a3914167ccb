-- Sealing adds one row for each batch of rows and changes no row: to write a seal into each of them was to write them
-- all a second time (decision 0029). Rows that earlier versions sealed one by one keep their seals, and the chain goes
-- on from the last of them.
CREATE TABLE kernel_chain_batch (
  chain text NOT NULL,
  -- Null for chains of the whole deployment.
  graph_id text,
  first_seq bigint NOT NULL,
  last_seq bigint NOT NULL,
  -- The rows, by the identity column of the chained table. Their order is that of their places in the chain.
  places int8multirange NOT NULL,
  -- The first four bytes of the digest of each row, to name a changed one. The hash holds the whole digests.
  digests bytea NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (chain, last_seq)
);
ALTER TABLE kernel_chain_batch ENABLE ROW LEVEL SECURITY;
ALTER TABLE kernel_chain_batch FORCE ROW LEVEL SECURITY;
CREATE POLICY kernel_or_graph ON kernel_chain_batch USING (current_setting('pacioli.scope', true) = 'kernel'
  OR graph_id = current_setting('pacioli.graph_id', true));

ALTER TABLE kernel_chain
  -- Every row up to this place is in a batch, and none can come any more. Only later rows are looked for.
  ADD COLUMN settled_place bigint NOT NULL DEFAULT 0,
  -- Rows up to this place can only come from these transactions.
  ADD COLUMN pending_place bigint NOT NULL DEFAULT 0,
  ADD COLUMN pending_writers text[] NOT NULL DEFAULT '{}';

-- They hold the rows of batches from now on.
ALTER INDEX kernel_security_audit_unsealed RENAME TO kernel_security_audit_places;
ALTER INDEX kernel_operation_audit_unsealed RENAME TO kernel_operation_audit_places;

-- The digest of a row: SHA-256 of its canonical JSON, the same text that a row sealed by itself has.
CREATE FUNCTION kernel_chain_digest(seq bigint, link jsonb) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(convert_to((link || jsonb_build_object('seq', seq))::text, 'UTF8'))
$$;

-- hash = SHA-256(hash of the batch before || canonical JSON of the batch || digests of its rows). The hash covers the
-- places, so that a row cannot move between other rows unnoticed.
CREATE FUNCTION kernel_chain_batch_hash(
  prev_hash bytea, first_seq bigint, last_seq bigint, places int8multirange, digests bytea)
RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(prev_hash || convert_to(jsonb_build_object('first_seq', first_seq, 'last_seq', last_seq,
    'places', places::text)::text, 'UTF8') || digests)
$$;

-- Rows commit in another order than that of their places, so a batch takes every row that no batch has. A transaction
-- locks the table before it draws a place: once those that held the lock after a place was drawn have ended, no row up
-- to that place can come any more.
CREATE OR REPLACE FUNCTION kernel_seal_chain(chained regclass, graph text, rows_max integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  chain text := kernel_chain_name(chained, graph);
  mine text := CASE WHEN graph IS NULL THEN 'true' ELSE format('t.graph_id = %L', graph) END;
  stored kernel_chain;
  former kernel_chain;
  placed text;
  drawn bigint;
  writers text[];
  taken int8multirange;
  batch record;
  -- Up to here each row that can be seen is in a batch.
  reached bigint;
BEGIN
  PERFORM kernel_require_chain(chained, graph);
  PERFORM pg_advisory_xact_lock(hashtextextended(chain, 0));
  SELECT * INTO stored FROM kernel_chain AS c WHERE c.name = chain;
  IF NOT FOUND THEN
    EXECUTE format('SELECT t.seq, t.hash FROM %s AS t WHERE %s AND t.seq IS NOT NULL ORDER BY t.seq DESC LIMIT 1', chained, mine)
      INTO stored.last_seq, stored.last_hash;
    INSERT INTO kernel_chain (name, graph_id, expired_hash, last_seq, last_hash)
    VALUES (chain, graph, kernel_chain_root(chain), coalesce(stored.last_seq, 0),
      coalesce(stored.last_hash, kernel_chain_root(chain))) RETURNING * INTO stored;
  END IF;
  former := stored;
  SELECT a.attname INTO STRICT placed FROM pg_attribute AS a WHERE a.attrelid = chained AND a.attidentity <> '';
  -- In this order: rows up to the last place that was drawn are visible below, or belong to one of these transactions.
  drawn := coalesce(pg_sequence_last_value(pg_get_serial_sequence(chained::text, placed)), 0);
  writers := ARRAY(SELECT l.virtualtransaction FROM pg_locks AS l
    WHERE l.locktype = 'relation' AND l.relation = chained AND l.mode = 'RowExclusiveLock'
      AND l.database = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database())
      AND l.pid IS DISTINCT FROM pg_backend_pid());
  SELECT coalesce(range_agg(b.places), '{}') INTO taken FROM kernel_chain_batch AS b
    WHERE b.chain = stored.name AND upper(b.places) > stored.settled_place;
  EXECUTE format('WITH part AS (
      SELECT t.%1$I AS place, %2$I(t) AS link FROM %3$s AS t
      WHERE %4$s AND t.seq IS NULL AND t.%1$I > $1 AND NOT t.%1$I <@ $2 ORDER BY t.%1$I LIMIT $3
    ), digested AS (
      SELECT p.place, kernel_chain_digest($4 + row_number() OVER (ORDER BY p.place), p.link) AS digest FROM part AS p
    )
    SELECT count(*)::integer AS size, range_agg(int8range(d.place, d.place, ''[]'')) AS places,
      string_agg(d.digest, '''' ORDER BY d.place) AS whole, string_agg(substr(d.digest, 1, 4), '''' ORDER BY d.place) AS short
    FROM digested AS d', placed, (SELECT relname FROM pg_class WHERE oid = chained) || '_chain_link', chained, mine)
    INTO batch USING stored.settled_place, taken, rows_max, stored.last_seq;
  reached := CASE batch.size WHEN rows_max THEN upper(batch.places) - 1 ELSE 9223372036854775807 END;
  -- With one snapshot for all statements, the rows may be older than the list of the transactions.
  IF NOT writers && stored.pending_writers AND current_setting('transaction_isolation') = 'read committed' THEN
    stored.settled_place := greatest(stored.settled_place, least(reached,
      CASE writers WHEN '{}' THEN drawn ELSE stored.pending_place END));
    stored.pending_place := drawn;
    stored.pending_writers := writers;
  END IF;
  IF batch.size > 0 THEN
    stored.last_hash := kernel_chain_batch_hash(stored.last_hash, stored.last_seq + 1, stored.last_seq + batch.size,
      batch.places, batch.whole);
    INSERT INTO kernel_chain_batch (chain, graph_id, first_seq, last_seq, places, digests, hash)
    VALUES (chain, graph, stored.last_seq + 1, stored.last_seq + batch.size, batch.places, batch.short, stored.last_hash);
    stored.last_seq := stored.last_seq + batch.size;
  END IF;
  IF stored IS DISTINCT FROM former THEN
    UPDATE kernel_chain AS c SET last_seq = stored.last_seq, last_hash = stored.last_hash,
      settled_place = stored.settled_place, pending_place = stored.pending_place, pending_writers = stored.pending_writers
    WHERE c.name = stored.name;
  END IF;
  RETURN batch.size;
END $$;

-- Removes the oldest batches of an audit whose rows are all older than a moment; never rows of the last day. At most
-- `rows_max` rows and those of one batch; rows that were sealed one by one are removed first.
ALTER FUNCTION kernel_expire_audit(regclass, timestamptz, integer) RENAME TO kernel_expire_single_seals;
CREATE FUNCTION kernel_expire_audit(audited regclass, before timestamptz, rows_max integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  of_chain text := kernel_chain_name(audited, NULL);
  any_single boolean;
  stored kernel_chain;
  gone record;
BEGIN
  PERFORM kernel_require_chain(audited, NULL);
  EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE seq IS NOT NULL)', audited) INTO any_single;
  IF any_single THEN RETURN kernel_expire_single_seals(audited, before, rows_max); END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(of_chain, 0));
  SELECT * INTO stored FROM kernel_chain AS c WHERE c.name = of_chain;
  EXECUTE format('WITH oldest AS (
      SELECT b.first_seq, b.last_seq, b.places, b.hash, (
        SELECT max(t.at) FROM unnest(b.places) AS r (part) JOIN %1$s AS t
          ON t.seq IS NULL AND t.written >= lower(r.part) AND t.written < upper(r.part)) AS newest
      FROM kernel_chain_batch AS b WHERE b.chain = $1 AND b.first_seq <= $2 + $3
    ), gone AS (
      SELECT * FROM oldest AS o
      WHERE o.last_seq < coalesce((SELECT min(k.last_seq) FROM oldest AS k WHERE k.newest > $4), 9223372036854775807)
    ), removal AS (
      DELETE FROM %1$s AS t USING gone AS g CROSS JOIN LATERAL unnest(g.places) AS r (part)
      WHERE t.seq IS NULL AND t.written >= lower(r.part) AND t.written < upper(r.part)
    ), batches AS (
      DELETE FROM kernel_chain_batch AS b USING gone AS g WHERE b.chain = $1 AND b.last_seq = g.last_seq
    )
    SELECT coalesce(sum(last_seq - first_seq + 1), 0)::integer AS size, max(last_seq) AS seq, max(newest) AS until,
      (SELECT g.hash FROM gone AS g ORDER BY g.last_seq DESC LIMIT 1) AS hash FROM gone', audited)
    INTO gone USING of_chain, stored.expired_seq, rows_max, least(before, now() - interval '1 day');
  UPDATE kernel_chain AS c SET expired_seq = gone.seq, expired_hash = gone.hash,
    expired_until = greatest(c.expired_until, gone.until) WHERE c.name = of_chain AND gone.size > 0;
  RETURN gone.size;
END $$;
