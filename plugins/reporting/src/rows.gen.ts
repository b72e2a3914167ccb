// Written by `npm run gen` from the migrations: the rows of each table as the store returns them. Do not edit.

export interface ReportingDelivery {
  readonly graph_id: string;
  readonly report_id: string;
  readonly target_graph_id: string;
  readonly snapshot_key: string;
  readonly requested_by: string;
  readonly requested_at: Date;
  readonly leased_until: Date;
  readonly attempts: number;
  readonly operation_id: string | null;
  readonly ordinal: number;
  readonly outcome: unknown;
}

export interface ReportingPublishList {
  readonly graph_id: string;
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly created_by: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface ReportingPublishListMember {
  readonly graph_id: string;
  readonly id: string;
  readonly list_id: string;
  readonly target_graph_id: string;
  readonly target_graph_name: string | null;
  readonly target_org_name: string | null;
  readonly added_by: string;
  readonly added_at: Date;
}

export interface ReportingRecentCall {
  readonly graph_id: string;
  readonly id: string;
  readonly kind: 'delivery' | 'addition';
  readonly subject: string;
  readonly called_at: Date;
}

export interface ReportingReport {
  readonly graph_id: string;
  readonly id: string;
  readonly name: string;
  readonly taxonomy_id: string;
  readonly mapping_id: string | null;
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
  readonly source_graph_id: string | null;
  readonly source_report_id: string | null;
  readonly shared_at: Date | null;
  readonly ai_generated: boolean;
}

export interface ReportingShare {
  readonly graph_id: string;
  readonly id: string;
  readonly report_id: string;
  readonly target_graph_id: string;
  readonly shared_by: string;
  readonly shared_at: Date;
  readonly fact_count: number;
  readonly target_graph_name: string;
  readonly target_org_name: string | null;
  readonly revoked_by: string | null;
  readonly revoked_at: Date | null;
}

export interface ReportingShareSetting {
  readonly graph_id: string;
  readonly accept_shares: 'anyone' | 'declared' | 'nobody';
  readonly allowed_source_graph_ids: readonly string[];
  readonly updated_by: string;
  readonly updated_at: Date;
}

export interface ReportingSourceBlock {
  readonly graph_id: string;
  readonly id: string;
  readonly source_graph_id: string;
  readonly source_graph_name: string | null;
  readonly blocked_by: string;
  readonly blocked_at: Date;
  readonly reason: string | null;
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

export interface ReportingTextSection {
  readonly graph_id: string;
  readonly report_id: string;
  readonly element_id: string;
  readonly section: string;
}

/** For `tx.tables<ReportingTables>()`. */
export interface ReportingTables {
  readonly reporting_delivery: ReportingDelivery;
  readonly reporting_publish_list: ReportingPublishList;
  readonly reporting_publish_list_member: ReportingPublishListMember;
  readonly reporting_recent_call: ReportingRecentCall;
  readonly reporting_report: ReportingReport;
  readonly reporting_share: ReportingShare;
  readonly reporting_share_setting: ReportingShareSetting;
  readonly reporting_source_block: ReportingSourceBlock;
  readonly reporting_statement: ReportingStatement;
  readonly reporting_text_section: ReportingTextSection;
}
