-- A report has one statement for each structure, and several structures may be disclosures (reporting S-21).
ALTER TABLE reporting_statement DROP CONSTRAINT reporting_statement_pkey;
ALTER TABLE reporting_statement ADD PRIMARY KEY (graph_id, report_id, structure_id);

-- For the envelopes of statements, which are found by their facts.
CREATE INDEX reporting_statement_by_set ON reporting_statement (graph_id, fact_set_id);
