-- The stored JSON-LD of the newest generation of a report (P-8, G-3). Null for reports from before this column.
ALTER TABLE reporting_report ADD COLUMN bundle_key text;
-- What the validation of the bundle found: { ran, conforms, violations, validated_at } (P-12).
ALTER TABLE reporting_report ADD COLUMN bundle_validation jsonb;
