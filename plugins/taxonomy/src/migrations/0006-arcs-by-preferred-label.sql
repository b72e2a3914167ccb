-- Taxonomy T-14: a concept is presented once below a parent for each preferred label, such as a balance before and after
-- its changes.
DROP INDEX taxonomy_association_arc;
CREATE UNIQUE INDEX taxonomy_association_arc
  ON taxonomy_association (graph_id, structure_id, from_element_id, to_element_id, association_type,
    (CASE WHEN association_type = 'presentation' THEN coalesce(metadata ->> 'preferred_label', '') ELSE '' END));
