// Written by `npm run gen` from the migrations: the rows of each table as the store returns them. Do not edit.

export interface LedgerAgent {
  readonly graph_id: string;
  readonly id: string;
  readonly agent_type: 'customer' | 'vendor' | 'supplier' | 'employee' | 'owner' | 'government' | 'lender' | 'self' | 'other';
  readonly name: string;
  readonly legal_name: string | null;
  readonly tax_id: string | null;
  readonly registration_number: string | null;
  readonly duns: string | null;
  readonly lei: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly address: unknown;
  readonly source: string;
  readonly external_id: string | null;
  readonly is_active: boolean;
  readonly is_1099_recipient: boolean;
  readonly metadata: unknown;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly created_by: string;
}

export interface LedgerCalendarEvent {
  readonly graph_id: string;
  readonly id: string;
  readonly type: 'initialized' | 'target_changed' | 'target_advanced_auto' | 'period_closed' | 'period_reopened';
  readonly from_value: string | null;
  readonly to_value: string | null;
  readonly actor: string;
  readonly actor_type: 'user' | 'agent' | 'system';
  readonly reason: string | null;
  readonly note: string | null;
  readonly at: Date;
  readonly period: string | null;
}

export interface LedgerCloseReceiptHistory {
  readonly graph_id: string;
  readonly period: string;
  readonly id: string;
  readonly receipt: unknown;
  readonly reopened_at: Date;
  readonly reopened_by: string;
}

export interface LedgerEntity {
  readonly graph_id: string;
  readonly id: string;
  readonly name: string;
  readonly legal_name: string | null;
  readonly uri: string | null;
  readonly cik: string | null;
  readonly ticker: string | null;
  readonly exchange: string | null;
  readonly sic: string | null;
  readonly sic_description: string | null;
  readonly category: string | null;
  readonly state_of_incorporation: string | null;
  readonly fiscal_year_end: string | null;
  readonly tax_id: string | null;
  readonly lei: string | null;
  readonly industry: string | null;
  readonly entity_type: string | null;
  readonly reporting_style_id: string | null;
  readonly phone: string | null;
  readonly website: string | null;
  readonly status: 'active' | 'inactive' | 'dissolved';
  readonly is_parent: boolean;
  readonly parent_entity_id: string | null;
  readonly source: string;
  readonly source_id: string | null;
  readonly source_graph_id: string | null;
  readonly connection_id: string | null;
  readonly address_line1: string | null;
  readonly address_city: string | null;
  readonly address_state: string | null;
  readonly address_postal_code: string | null;
  readonly address_country: string | null;
  readonly functional_currency: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface LedgerEntityTaxonomy {
  readonly graph_id: string;
  readonly entity_id: string;
  readonly taxonomy_id: string;
  readonly basis: 'chart_of_accounts' | 'reporting' | 'mapping' | 'schedule';
  readonly is_primary: boolean;
  readonly created_at: Date;
  readonly adoption_context: string | null;
}

export interface LedgerEntry {
  readonly graph_id: string;
  readonly id: string;
  readonly transaction_id: string | null;
  readonly event_id: string | null;
  readonly number: string | null;
  readonly type: 'standard' | 'adjusting' | 'closing' | 'reversing';
  readonly status: 'draft' | 'posted' | 'reversed';
  readonly posting_date: string;
  readonly currency: string;
  readonly memo: string | null;
  readonly provenance: 'source_sync' | 'ai_generated' | 'manual_entry' | 'schedule_derived' | 'system_computed' | 'event_handler';
  readonly source_structure_id: string | null;
  readonly reversal_of: string | null;
  readonly posted_at: Date | null;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly metadata: unknown;
}

export interface LedgerEntryHistory {
  readonly graph_id: string;
  readonly entry_id: string;
  readonly version: number;
  readonly event_id: string | null;
  readonly reason: 'retracted' | 'updated' | 'deleted' | 'restated';
  readonly content: unknown;
  readonly at: Date;
  readonly by: string;
}

export interface LedgerEvent {
  readonly graph_id: string;
  readonly id: string;
  readonly event_type: string;
  readonly event_class: 'economic' | 'support' | 'operational';
  readonly event_category: string;
  readonly event_action: string | null;
  readonly status: 'captured' | 'classified' | 'committed' | 'pending' | 'fulfilled' | 'voided' | 'superseded';
  readonly occurred_at: Date;
  readonly effective_at: Date | null;
  readonly source: string;
  readonly external_id: string | null;
  readonly external_url: string | null;
  readonly amount: number | null;
  readonly currency: string;
  readonly description: string | null;
  readonly metadata: unknown;
  readonly dimension_ids: readonly string[];
  readonly agent_id: string | null;
  readonly resource_type: string | null;
  readonly resource_element_id: string | null;
  readonly is_reconciling_item: boolean;
  readonly replaced_by_event_id: string | null;
  readonly replaces_event_id: string | null;
  readonly obligated_by_event_id: string | null;
  readonly discharges_event_id: string | null;
  readonly created_at: Date;
  readonly created_by: string;
}

export interface LedgerEventHandler {
  readonly graph_id: string;
  readonly id: string;
  readonly name: string;
  readonly event_type: string;
  readonly event_category: string | null;
  readonly match_source: string | null;
  readonly match_agent_type: string | null;
  readonly match_resource_type: string | null;
  readonly match_metadata_expression: unknown;
  readonly transaction_template: unknown;
  readonly priority: number;
  readonly is_active: boolean;
  readonly origin: 'hub' | 'tenant';
  readonly description: string | null;
  readonly suggested_by: string | null;
  readonly confidence: string | null;
  readonly approved_by: string | null;
  readonly approved_at: Date | null;
  readonly metadata: unknown;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly created_by: string;
}

export interface LedgerEventHandlerVersion {
  readonly graph_id: string;
  readonly handler_id: string;
  readonly version: number;
  readonly content: unknown;
  readonly at: Date;
}

export interface LedgerEventSettlement {
  readonly graph_id: string;
  readonly discharging_event_id: string;
  readonly originating_event_id: string;
  readonly amount: number;
}

export interface LedgerFiscalCalendar {
  readonly graph_id: string;
  readonly id: string;
  readonly fiscal_year_start_month: number;
  readonly closed_through: string | null;
  readonly close_target: string | null;
  readonly last_close_at: Date | null;
  readonly initialized_at: Date;
}

export interface LedgerFiscalPeriod {
  readonly graph_id: string;
  readonly name: string;
  readonly status: 'open' | 'closing' | 'closed';
  readonly closed_at: Date | null;
  readonly closed_by: string | null;
  readonly close_receipt: unknown;
}

export interface LedgerLineItem {
  readonly graph_id: string;
  readonly entry_id: string;
  readonly line_order: number;
  readonly id: string;
  readonly element_id: string;
  readonly posting_date: string;
  readonly currency: string;
  readonly is_landed: boolean;
  readonly debit_amount: number;
  readonly credit_amount: number;
  readonly description: string | null;
  readonly metadata: unknown;
}

export interface LedgerLog {
  readonly graph_id: string;
  readonly id: number;
  readonly kind: string;
  readonly subject_id: string;
  readonly payload: unknown;
  readonly recorded_at: Date;
  readonly seq: number | null;
  readonly prev_hash: Buffer | null;
  readonly hash: Buffer | null;
}

export interface LedgerMonthTotal {
  readonly graph_id: string;
  readonly period: string;
  readonly element_id: string;
  readonly currency: string;
  readonly debit_total: string;
  readonly credit_total: string;
  readonly line_count: number;
}

export interface LedgerObligationSweep {
  readonly graph_id: string;
  readonly due_at: Date | null;
  readonly autopilot: boolean;
}

export interface LedgerOpenItem {
  readonly graph_id: string;
  readonly event_id: string;
  readonly side: 'receivable' | 'payable';
  readonly agent_id: string | null;
  readonly currency: string;
  readonly amount: number;
}

export interface LedgerReceivableAccount {
  readonly graph_id: string;
  readonly element_id: string;
}

export interface LedgerResettlement {
  readonly graph_id: string;
  readonly step: 'settlements' | 'receipts';
}

export interface LedgerSchedule {
  readonly graph_id: string;
  readonly structure_id: string;
  readonly taxonomy_id: string;
  readonly name: string;
  readonly currency: string;
  readonly definition: unknown;
  readonly anchor_event_id: string;
  readonly ended_on: string | null;
  readonly disposed_on: string | null;
  readonly disposal_event_id: string | null;
  readonly created_at: Date;
  readonly created_by: string;
  readonly updated_at: Date;
}

export interface LedgerScheduleMonth {
  readonly graph_id: string;
  readonly structure_id: string;
  readonly period: string;
  readonly amount: number;
  readonly accumulated: number;
  readonly scope: 'historical' | 'in_scope';
}

export interface LedgerTransaction {
  readonly graph_id: string;
  readonly id: string;
  readonly event_id: string | null;
  readonly number: string | null;
  readonly type: string;
  readonly category: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly date: string;
  readonly due_date: string | null;
  readonly merchant_name: string | null;
  readonly reference_number: string | null;
  readonly description: string | null;
  readonly source: string;
  readonly source_id: string | null;
  readonly status: 'pending' | 'posted' | 'void';
  readonly posted_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly metadata: unknown;
}

/** For `tx.tables<LedgerTables>()`. */
export interface LedgerTables {
  readonly ledger_agent: LedgerAgent;
  readonly ledger_calendar_event: LedgerCalendarEvent;
  readonly ledger_close_receipt_history: LedgerCloseReceiptHistory;
  readonly ledger_entity: LedgerEntity;
  readonly ledger_entity_taxonomy: LedgerEntityTaxonomy;
  readonly ledger_entry: LedgerEntry;
  readonly ledger_entry_history: LedgerEntryHistory;
  readonly ledger_event: LedgerEvent;
  readonly ledger_event_handler: LedgerEventHandler;
  readonly ledger_event_handler_version: LedgerEventHandlerVersion;
  readonly ledger_event_settlement: LedgerEventSettlement;
  readonly ledger_fiscal_calendar: LedgerFiscalCalendar;
  readonly ledger_fiscal_period: LedgerFiscalPeriod;
  readonly ledger_line_item: LedgerLineItem;
  readonly ledger_log: LedgerLog;
  readonly ledger_month_total: LedgerMonthTotal;
  readonly ledger_obligation_sweep: LedgerObligationSweep;
  readonly ledger_open_item: LedgerOpenItem;
  readonly ledger_receivable_account: LedgerReceivableAccount;
  readonly ledger_resettlement: LedgerResettlement;
  readonly ledger_schedule: LedgerSchedule;
  readonly ledger_schedule_month: LedgerScheduleMonth;
  readonly ledger_transaction: LedgerTransaction;
}
