-- The run that makes the delivery; null for one that is made within its request, which has a lease instead.
ALTER TABLE reporting_delivery ADD COLUMN operation_id text;
-- The place of the recipient in the list.
ALTER TABLE reporting_delivery ADD COLUMN ordinal integer NOT NULL DEFAULT 0;
-- The result for this recipient, kept until the run has ended; null while the delivery is open.
ALTER TABLE reporting_delivery ADD COLUMN outcome jsonb;
CREATE INDEX reporting_delivery_of_run ON reporting_delivery (operation_id) WHERE operation_id IS NOT NULL;
