-- Lines that name the line of a statement in their metadata, by day: the cash flow reads those of a period (reporting
-- S-13). Few lines do, and an ordinary posting writes nothing here.
CREATE INDEX ledger_line_item_by_flow ON ledger_line_item (graph_id, posting_date)
  WHERE is_landed AND (metadata ->> 'flow_element_id') IS NOT NULL;
