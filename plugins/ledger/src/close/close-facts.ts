/** A month with its first and last day. */
export interface FiscalMonth {
  /** `YYYY-MM`. */
  readonly period: string;
  readonly start: string;
  readonly end: string;
}

/** An obligation that blocks a close, in its wire form. */
export interface ObligationDetail {
  readonly event_id: string;
  readonly schedule_id: string | null;
  readonly schedule_name: string | null;
  readonly period: string;
}

/**
 * Findings of the gates about a month; each gate fills its own fields. Samples hold at most 5 (ledger L-148, L-152).
 */
export interface CloseBlockerDetails {
  readonly pending_obligation_count: number;
  readonly pending_obligation_sample: readonly ObligationDetail[];
  readonly earliest_pending_period: string | null;
  readonly sync_stale_days: number | null;
  readonly stranded_obligation_count: number;
  readonly stranded_obligation_sample: readonly ObligationDetail[];
  readonly reconciling_item_count: number;
  readonly reconciling_item_sample: readonly string[];
}

/** Fields of a close request that let a gate pass. */
export type CloseOverride = 'allow_stale_sync' | 'allow_stranded_obligations' | 'allow_reconciling_items';

/** A gate that fails. */
export interface CloseFinding {
  /** The number of blocking items, named in the audit note when the gate is overridden (ledger L-153). */
  readonly count: number;
  readonly details?: Partial<CloseBlockerDetails>;
}

/** Outcomes of rules, by outcome: `pass`, `fail`, `error`, `skipped`. */
export type RuleSummary = Readonly<Record<string, number>>;

/** Additions of the steps to a close receipt. Later steps overwrite, so each step fills its own fields. */
export interface CloseStepResult {
  readonly rule_summary: RuleSummary;
  readonly evaluated_structure_ids: readonly string[];
  readonly statements_stamped: boolean;
  readonly statement_stamp_note: string;
  /** Structure id → fact set id. */
  readonly stamped_statement_sets: Readonly<Record<string, string>>;
  readonly statement_rule_summary: RuleSummary;
}
