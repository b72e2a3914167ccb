-- True if an operator asked for the figures of the current generation (P-11). No operator had done so before this column.
ALTER TABLE reporting_report ADD COLUMN ai_generated boolean NOT NULL DEFAULT false;
