-- An issuer that shares reports into the graph has one entity there, found by the issuer's graph (investor H-11).
CREATE UNIQUE INDEX ledger_entity_linked ON ledger_entity (graph_id, source_graph_id)
  WHERE source = 'linked' AND source_graph_id IS NOT NULL;
