-- What the first migration leaves to the code: balances follow the status of an entry, and landed rows stay as they are.

-- Lines repeat their entry's date and whether it has landed; when the entry changes, so do they.
CREATE FUNCTION ledger_follow_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ledger_line_item SET posting_date = NEW.posting_date, is_landed = NEW.status <> 'draft'
  WHERE graph_id = NEW.graph_id AND entry_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_entry_followed AFTER UPDATE ON ledger_entry FOR EACH ROW
  WHEN ((OLD.status = 'draft') <> (NEW.status = 'draft') OR OLD.posting_date <> NEW.posting_date)
  EXECUTE FUNCTION ledger_follow_entry();

-- Ledger L-52, L-53: there is no un-post, and of a landed entry only the status changes, from posted to reversed.
CREATE FUNCTION ledger_refuse_entry_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'journal entry % has landed and cannot change', OLD.id USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_entry_immutable';
END $$;
CREATE TRIGGER ledger_entry_landed BEFORE UPDATE ON ledger_entry FOR EACH ROW
  WHEN (OLD.status <> 'draft' AND ((NEW.status <> OLD.status AND NOT (OLD.status = 'posted' AND NEW.status = 'reversed'))
    OR ROW(OLD.graph_id, OLD.id, OLD.transaction_id, OLD.event_id, OLD.number, OLD.type, OLD.posting_date, OLD.currency, OLD.memo,
        OLD.provenance, OLD.source_structure_id, OLD.reversal_of, OLD.posted_at)
      IS DISTINCT FROM ROW(NEW.graph_id, NEW.id, NEW.transaction_id, NEW.event_id, NEW.number, NEW.type, NEW.posting_date, NEW.currency,
        NEW.memo, NEW.provenance, NEW.source_structure_id, NEW.reversal_of, NEW.posted_at)))
  EXECUTE FUNCTION ledger_refuse_entry_change();

-- The check of balance looks at inserted and deleted lines (ledger L-46), so a line of a draft is replaced and never edited.
CREATE FUNCTION ledger_refuse_line_edit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'line items of entry % are replaced, never edited', OLD.entry_id USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_line_item_replaced';
END $$;
CREATE TRIGGER ledger_line_item_edited BEFORE UPDATE ON ledger_line_item FOR EACH ROW
  WHEN (ROW(OLD.graph_id, OLD.entry_id, OLD.element_id, OLD.currency, OLD.debit_amount, OLD.credit_amount)
    IS DISTINCT FROM ROW(NEW.graph_id, NEW.entry_id, NEW.element_id, NEW.currency, NEW.debit_amount, NEW.credit_amount))
  EXECUTE FUNCTION ledger_refuse_line_edit();
