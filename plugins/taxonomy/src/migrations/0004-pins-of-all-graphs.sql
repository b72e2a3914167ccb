-- Before a release replaces an edition of the library, it asks which graphs are pinned to it (taxonomy LB-9, LB-11). Only
-- the kernel's scope sees these rows.
CREATE POLICY pins_for_kernel ON taxonomy_view FOR SELECT
  USING (current_setting('pacioli.scope', true) = 'kernel');
