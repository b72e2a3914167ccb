-- An arc that a release ships no more is kept and no longer shown (taxonomy LB-5). Elements have the flag already.
ALTER TABLE taxonomy_association ADD COLUMN is_deprecated boolean NOT NULL DEFAULT false;

-- A release that retires a concept moves what is mapped to it to the concept in its place (taxonomy LB-5, LB-11). Only
-- the kernel's scope may, and only mapping arcs.
CREATE POLICY moved_by_kernel ON taxonomy_association FOR UPDATE
  USING (association_type = 'mapping' AND current_setting('pacioli.scope', true) = 'kernel')
  WITH CHECK (association_type = 'mapping' AND current_setting('pacioli.scope', true) = 'kernel');

-- With the path that migrations have now, in which temporary tables come last.
ALTER FUNCTION taxonomy_gather_statistics() SET search_path FROM CURRENT;
