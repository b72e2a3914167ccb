-- Texts of other plugins that the search finds, such as the text blocks of reports (ai-surface 2.1). Only that they have
-- changed is written here, in the transaction that changes them; their plugin is asked for the texts.
CREATE TABLE search_pending_text (
  graph_id text NOT NULL,
  text_id text NOT NULL,
  -- Differs for each change, so that one that happens while the entries are written stays pending.
  version bigint NOT NULL DEFAULT nextval('search_generation'),
  -- True while the index may have entries of what the text was before; the next search of the graph waits for it.
  precedes_search boolean NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL,
  PRIMARY KEY (graph_id, text_id)
);
CREATE INDEX search_pending_text_next ON search_pending_text (next_try_at);

-- The prefixes of the ids of texts whose existing ones were made pending in the graph, once: they may be older than
-- the plugin. Without the row, the graph has no entries of such texts.
CREATE TABLE search_listed_text (
  graph_id text NOT NULL,
  id_prefix text NOT NULL,
  PRIMARY KEY (graph_id, id_prefix)
);

ALTER TABLE search_pending_text ENABLE ROW LEVEL SECURITY;
ALTER TABLE search_pending_text FORCE ROW LEVEL SECURITY;
CREATE POLICY kernel_or_graph ON search_pending_text USING (current_setting('pacioli.scope', true) = 'kernel'
  OR graph_id = current_setting('pacioli.graph_id', true));
ALTER TABLE search_listed_text ENABLE ROW LEVEL SECURITY;
ALTER TABLE search_listed_text FORCE ROW LEVEL SECURITY;
CREATE POLICY kernel_or_graph ON search_listed_text USING (current_setting('pacioli.scope', true) = 'kernel'
  OR graph_id = current_setting('pacioli.graph_id', true));
