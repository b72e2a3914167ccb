-- The graph that a checkout promises; the kernel keeps a place of the organization's limit for it.
ALTER TABLE billing_subscription ADD COLUMN reserved_graph_id text;
