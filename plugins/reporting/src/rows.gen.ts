// Written by `npm run gen` from the migrations: the rows of each table as the store returns them. Do not edit.

export interface ReportingReport {
  readonly graph_id: string;
  readonly id: string;
  readonly name: string;
  readonly taxonomy_id: string;
  readonly mapping_id: string;
  readonly entity_id: string;
  readonly entity_name: string;
  readonly period_type: 'monthly' | 'quarterly' | 'annual';
  readonly period_start: string;
  readonly period_end: string;
  readonly comparative: boolean;
  readonly columns: unknown;
  readonly has_listed_columns: boolean;
  readonly open_months: unknown;
  readonly generation: number;
  readonly generation_status: 'generating' | 'published' | 'failed';
  readonly filing_status: 'draft' | 'under_review' | 'filed' | 'archived';
  readonly filed_at: Date | null;
  readonly filed_by: string | null;
  readonly supersedes_id: string | null;
  readonly superseded_by_id: string | null;
  readonly rule_summary: unknown;
  readonly created_by: string;
  readonly created_at: Date;
  readonly last_generated: Date;
  readonly bundle_key: string | null;
  readonly bundle_validation: unknown;
}

export interface ReportingStatement {
  readonly graph_id: string;
  readonly report_id: string;
  readonly block_type: string;
  readonly structure_id: string;
  readonly structure_name: string;
  readonly fact_set_id: string;
  readonly rows: unknown;
  readonly validation: unknown;
  readonly unmapped_count: number;
}

/** For `tx.tables<ReportingTables>()`. */
export interface ReportingTables {
  readonly reporting_report: ReportingReport;
  readonly reporting_statement: ReportingStatement;
}
