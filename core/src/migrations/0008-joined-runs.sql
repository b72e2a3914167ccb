-- Who asked for a run that was open already, and may therefore read how it goes.
ALTER TABLE kernel_operation ADD COLUMN joined_by text[] NOT NULL DEFAULT '{}';
