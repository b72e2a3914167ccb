-- Chains of hashes over rows of append-only tables: each row is sealed with the hash of the row before. Where each chain
-- ends is kept beside it, so that a missing end shows.
CREATE TABLE kernel_chain (
  name text PRIMARY KEY,
  -- Null for chains of the whole deployment.
  graph_id text,
  -- Rows up to this one have reached the end of their retention and are gone; the chain goes on from its hash.
  expired_seq bigint NOT NULL DEFAULT 0,
  expired_hash bytea NOT NULL,
  -- The time of the newest of them.
  expired_until timestamptz,
  last_seq bigint NOT NULL,
  last_hash bytea NOT NULL
);
ALTER TABLE kernel_chain ENABLE ROW LEVEL SECURITY;
ALTER TABLE kernel_chain FORCE ROW LEVEL SECURITY;
CREATE POLICY kernel_or_graph ON kernel_chain USING (current_setting('pacioli.scope', true) = 'kernel'
  OR graph_id = current_setting('pacioli.graph_id', true));

-- A run that a worker carries out has a second row when it ends: nothing of the first one changes (platform N-31).
ALTER TABLE kernel_operation_audit DROP CONSTRAINT kernel_operation_audit_pkey;
ALTER TABLE kernel_operation_audit ADD PRIMARY KEY (operation_id, status);

-- The place in the order in which rows were written, and in the chain; the latter is null until the row is sealed.
-- Forced row security would hide rows that are there already: those are numbered by their time.
DO $$
DECLARE audited text;
BEGIN
  FOREACH audited IN ARRAY ARRAY['kernel_security_audit', 'kernel_operation_audit'] LOOP
    EXECUTE format('ALTER TABLE %1$I NO FORCE ROW LEVEL SECURITY;
      ALTER TABLE %1$I ADD COLUMN written bigint, ADD COLUMN seq bigint, ADD COLUMN prev_hash bytea, ADD COLUMN hash bytea,
        ADD CHECK ((seq IS NULL) = (hash IS NULL) AND (seq IS NULL) = (prev_hash IS NULL));
      UPDATE %1$I AS t SET written = o.place
        FROM (SELECT ctid AS row_id, row_number() OVER (ORDER BY at, ctid) AS place FROM %1$I) AS o WHERE t.ctid = o.row_id;
      ALTER TABLE %1$I FORCE ROW LEVEL SECURITY', audited);
    EXECUTE format('ALTER TABLE %1$I ALTER COLUMN written SET NOT NULL;
      ALTER TABLE %1$I ALTER COLUMN written ADD GENERATED ALWAYS AS IDENTITY;
      ALTER TABLE %1$I NO FORCE ROW LEVEL SECURITY;
      SELECT setval(pg_get_serial_sequence(%1$L, ''written''), coalesce(max(written), 0) + 1, false) FROM %1$I;
      ALTER TABLE %1$I FORCE ROW LEVEL SECURITY;
      CREATE UNIQUE INDEX %2$I ON %1$I (seq) WHERE seq IS NOT NULL;
      CREATE INDEX %3$I ON %1$I (written) WHERE seq IS NULL', audited, audited || '_chain', audited || '_unsealed');
  END LOOP;
END $$;
CREATE FUNCTION kernel_refuse_own_seal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a row of % is sealed after it was written', TG_TABLE_NAME
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_TABLE_NAME || '_append_only';
END $$;
CREATE TRIGGER kernel_security_audit_unsealed_at_first BEFORE INSERT ON kernel_security_audit FOR EACH ROW
  WHEN (NEW.seq IS NOT NULL) EXECUTE FUNCTION kernel_refuse_own_seal();
CREATE TRIGGER kernel_operation_audit_unsealed_at_first BEFORE INSERT ON kernel_operation_audit FOR EACH ROW
  WHEN (NEW.seq IS NOT NULL) EXECUTE FUNCTION kernel_refuse_own_seal();

-- No chain continues another's: each starts with the hash of its name.
CREATE FUNCTION kernel_chain_name(chained regclass, graph text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT 'pacioli.' || replace(relname, '_', '-') || coalesce('.' || graph, '') FROM pg_class WHERE oid = chained
$$;
CREATE FUNCTION kernel_chain_root(chain text) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(convert_to(chain, 'UTF8'))
$$;

-- What a row says in its chain, one function for each chained table, named by it. A column that a later version adds is
-- null in older rows, so that their hashes stay as they are.
CREATE FUNCTION kernel_security_audit_chain_link(item kernel_security_audit) RETURNS jsonb LANGUAGE sql STABLE SET timezone = 'UTC' AS $$
  SELECT jsonb_strip_nulls(to_jsonb(item) - '{seq,prev_hash,hash}'::text[])
$$;
CREATE FUNCTION kernel_operation_audit_chain_link(item kernel_operation_audit) RETURNS jsonb LANGUAGE sql STABLE SET timezone = 'UTC' AS $$
  SELECT jsonb_strip_nulls(to_jsonb(item) - '{seq,prev_hash,hash}'::text[])
$$;

-- hash = SHA-256(prev_hash || canonical JSON). The canonical form is the text of a jsonb value: keys in its order.
CREATE FUNCTION kernel_chain_hash(prev_hash bytea, seq bigint, link jsonb) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(prev_hash || convert_to((link || jsonb_build_object('seq', seq))::text, 'UTF8'))
$$;

-- The chain of an audit belongs to the scope kernel, and that of a graph to the scope of the graph: from elsewhere, rows
-- would be missing. A temporary table of the same name is none of the chained tables.
CREATE FUNCTION kernel_require_chain(chained regclass, graph text) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF (SELECT c.relnamespace FROM pg_class AS c WHERE c.oid = chained)
    = (SELECT c.relnamespace FROM pg_class AS c WHERE c.oid = 'kernel_chain'::regclass) THEN
    IF chained IN ('kernel_security_audit'::regclass, 'kernel_operation_audit'::regclass) THEN
      IF graph IS NULL AND current_setting('pacioli.scope', true) = 'kernel' THEN RETURN; END IF;
    ELSIF graph = current_setting('pacioli.graph_id', true) THEN RETURN;
    END IF;
  END IF;
  RAISE EXCEPTION 'the chain of % is not one of this scope', chained USING ERRCODE = 'insufficient_privilege';
END $$;

-- Gives the oldest unsealed rows their places, in the order of the table's identity column, and says how many they were.
-- One caller at a time. It runs as the owner of the tables, because nobody else may change a row.
CREATE FUNCTION kernel_seal_chain(chained regclass, graph text, rows_max integer) RETURNS integer
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
  hashes := hashes || at_hash;
  SELECT a.attname INTO STRICT placed FROM pg_attribute AS a WHERE a.attrelid = chained AND a.attidentity <> '';
  FOR item IN EXECUTE format('SELECT t.%1$I AS place, %2$I(t) AS link FROM %3$s AS t WHERE %4$s AND t.seq IS NULL
    ORDER BY t.%1$I LIMIT $1', placed, (SELECT relname FROM pg_class WHERE oid = chained) || '_chain_link', chained, mine)
    USING rows_max
  LOOP
    at_hash := kernel_chain_hash(at_hash, at_seq + cardinality(places) + 1, item.link);
    places := places || item.place;
    hashes := hashes || at_hash;
  END LOOP;
  EXECUTE format('UPDATE %s AS t SET seq = $1 + s.number, prev_hash = $3[s.number], hash = $3[s.number + 1]
    FROM unnest($2) WITH ORDINALITY AS s (place, number) WHERE t.%I = s.place AND t.seq IS NULL AND %s', chained, placed, mine)
    USING at_seq, places, hashes;
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

-- Removes the oldest rows of an audit that are older than a moment, up to the first that is not, and says how many they
-- were; never any of the last day. The chain keeps where it goes on (platform P-30).
CREATE FUNCTION kernel_expire_audit(audited regclass, before timestamptz, rows_max integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  chain text := kernel_chain_name(audited, NULL);
  removed integer;
  until_seq bigint;
  until_hash bytea;
  until_at timestamptz;
BEGIN
  PERFORM kernel_require_chain(audited, NULL);
  PERFORM pg_advisory_xact_lock(hashtextextended(chain, 0));
  EXECUTE format('WITH oldest AS (
      SELECT t.seq, t.hash, t.at FROM %1$s AS t WHERE t.seq IS NOT NULL ORDER BY t.seq LIMIT $1
    ), gone AS (
      SELECT * FROM oldest WHERE seq < coalesce((SELECT min(seq) FROM oldest WHERE at > $2), 9223372036854775807)
    ), removal AS (
      DELETE FROM %1$s AS t USING gone AS g WHERE t.seq = g.seq
    )
    SELECT count(*), max(seq), max(at), (SELECT hash FROM gone ORDER BY seq DESC LIMIT 1) FROM gone', audited)
    INTO removed, until_seq, until_at, until_hash USING rows_max, least(before, now() - interval '1 day');
  UPDATE kernel_chain AS c SET expired_seq = until_seq, expired_hash = until_hash,
    expired_until = greatest(c.expired_until, until_at) WHERE c.name = chain AND removed > 0;
  IF removed > 0 AND NOT FOUND THEN
    RAISE EXCEPTION 'nothing says where the chain of % goes on', audited;
  END IF;
  RETURN removed;
END $$;
