-- Texts that the embedder refuses stay without a vector, and are tried again later instead of in each turn.

-- The embedder that refused the text; null for all other texts.
ALTER TABLE memory_record ADD COLUMN refused_by text;

-- When the refused texts of the graph are tried again; null without any.
ALTER TABLE memory_vector_state ADD COLUMN retry_at timestamptz;
