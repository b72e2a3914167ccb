// Written by `npm run gen` from the migrations: the rows of each table as the store returns them. Do not edit.

export interface BlocksDimension {
  readonly graph_id: string;
  readonly id: string;
  readonly dimension_type: string;
  readonly axis_element_id: string | null;
  readonly value: string;
  readonly display_name: string;
}

export interface BlocksFact {
  readonly graph_id: string;
  readonly id: string;
  readonly fact_set_id: string;
  readonly element_id: string;
  readonly entity_id: string;
  readonly period_start: string | null;
  readonly period_end: string;
  readonly period_type: 'instant' | 'duration';
  readonly fact_type: 'Numeric' | 'Nonnumeric';
  readonly value: string | null;
  readonly unit: string | null;
  readonly decimals: string | null;
  readonly text_value: string | null;
  readonly content_type: string | null;
  readonly fact_scope: 'in_scope' | 'historical';
  readonly dimension_key: string;
  readonly provenance: unknown;
  readonly created_at: Date;
}

export interface BlocksFactDimension {
  readonly graph_id: string;
  readonly fact_id: string;
  readonly dimension_id: string;
}

export interface BlocksFactSet {
  readonly graph_id: string;
  readonly id: string;
  readonly structure_id: string | null;
  readonly entity_id: string;
  readonly period_start: string | null;
  readonly period_end: string;
  readonly factset_type: 'report' | 'schedule' | 'metric' | 'disclosure' | 'custom' | 'reconciliation';
  readonly report_id: string | null;
  readonly scenario_id: string | null;
  readonly provenance: unknown;
  readonly created_by: string;
  readonly created_at: Date;
  readonly is_final: boolean;
}

export interface BlocksRule {
  readonly graph_id: string;
  readonly id: string;
  readonly structure_id: string | null;
  readonly name: string;
  readonly category: string;
  readonly pattern: string | null;
  readonly check_kind: string | null;
  readonly expression: string;
  readonly variables: unknown;
  readonly message: string | null;
  readonly severity: 'info' | 'warning' | 'error';
  readonly origin: 'forked' | 'native' | 'auto';
  readonly target_kind: 'structure' | 'element' | 'association' | 'taxonomy' | null;
  readonly target_id: string | null;
  readonly metadata: unknown;
  readonly created_by: string;
  readonly created_at: Date;
}

export interface BlocksVerificationResult {
  readonly graph_id: string;
  readonly id: string;
  readonly rule_id: string;
  readonly structure_id: string;
  readonly fact_set_id: string | null;
  readonly run_id: string;
  readonly period_start: string | null;
  readonly period_end: string | null;
  readonly status: 'pass' | 'fail' | 'error' | 'skipped';
  readonly message: string | null;
  readonly detail: unknown;
  readonly evaluated_at: Date;
  readonly created_by: string;
  readonly severity: 'info' | 'warning' | 'error' | null;
}

/** For `tx.tables<BlocksTables>()`. */
export interface BlocksTables {
  readonly blocks_dimension: BlocksDimension;
  readonly blocks_fact: BlocksFact;
  readonly blocks_fact_dimension: BlocksFactDimension;
  readonly blocks_fact_set: BlocksFactSet;
  readonly blocks_rule: BlocksRule;
  readonly blocks_verification_result: BlocksVerificationResult;
}
