import { periodsBetween, plusMonths } from '../values/index.ts';
import type { CloseBlockerDetails, CloseFinding, CloseOverride, CloseStepResult } from './close-facts.ts';

/** The facts that decide whether a month is the next one to close. */
export interface PlaceInCalendar {
  readonly period: string;
  readonly status: 'open' | 'closing' | 'closed';
  readonly closedThrough: string | null;
  readonly earliestOpen: string | undefined;
}

/** True for a reopened month at or before `closedThrough`, behind months that stayed closed. */
function isOlderReclose({ period, status, closedThrough }: PlaceInCalendar): boolean {
  return status === 'closing' && closedThrough !== null && period <= closedThrough;
}

/** True when closing the month now would break the sequence (ledger 7.3, L-209). */
export function violatesSequence(place: PlaceInCalendar): boolean {
  if (isOlderReclose(place)) return false;
  const next = place.closedThrough === null ? place.earliestOpen : plusMonths(place.closedThrough, 1);
  return place.period !== next;
}

/** True for a locked month, with or without a row. */
export function isClosedAlready(place: PlaceInCalendar): boolean {
  const { period, status, closedThrough } = place;
  return status === 'closed' || (status !== 'closing' && closedThrough !== null && period <= closedThrough);
}

/**
 * The month up to which the books are closed once this one is; a re-close of an older one moves nothing (ledger L-158).
 */
export function closedThroughAfter(period: string, closedThrough: string | null): string {
  return closedThrough === null || period > closedThrough ? period : closedThrough;
}

/** The months to open again before an older one can be, newest first; empty for the newest (ledger L-168). */
export function monthsToReopenFirst(period: string, closed: readonly string[]): readonly string[] {
  return closed
    .filter((other) => other > period)
    .sort()
    .reverse();
}

/** The outcome of all gates for a month: the failing codes, with counts and samples (ledger L-148, L-152). */
export interface GateOutcome {
  /** Gates that fail and are not overridden, in their order. */
  readonly blockers: readonly string[];
  readonly details: Partial<CloseBlockerDetails>;
  /** The audit notes on overrides that were needed (ledger L-153). */
  readonly overridden: readonly string[];
}

/** A gate with its finding. */
export interface FoundGate {
  readonly key: string;
  readonly label: string;
  readonly overrideFlag?: CloseOverride;
}

/** Splits the findings into blockers and gates that the caller overrode. */
export function gateOutcome(
  findings: readonly { readonly gate: FoundGate; readonly finding: CloseFinding }[],
  overrides: ReadonlySet<CloseOverride>,
): GateOutcome {
  const lets = (gate: FoundGate) => gate.overrideFlag !== undefined && overrides.has(gate.overrideFlag);
  return {
    blockers: findings.filter(({ gate }) => !lets(gate)).map(({ gate }) => gate.key),
    details: Object.assign({}, ...findings.map(({ finding }) => finding.details ?? {})),
    overridden: findings
      .filter(({ gate }) => lets(gate))
      .map(({ gate, finding }) => {
        const count = finding.count > 0 ? ` (${finding.count})` : '';
        return `[${gate.label} gate overridden${count} — ${gate.overrideFlag}=true]`;
      }),
  };
}

/** Leaves empty groups of details out of a refusal (ledger L-152). */
export function nonEmptyDetails(details: Partial<CloseBlockerDetails>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(details).filter(
      ([, value]) => value !== 0 && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** The record of a close, stored with the month that it locked (ledger L-161). */
export interface CloseReceipt extends CloseOutcome {
  readonly version: 1;
  readonly period: string;
  readonly closed_at: string;
  readonly closed_by: string;
  readonly actor_type: string;
  readonly was_reclose: boolean;
  /**
   * For the verifier and for counts, never returned: the entries of the month when it was locked (ledger L-198). Older
   * receipts lack it.
   */
  readonly private?: {
    readonly entries: number;
    /** Receipts of earlier versions lack the number of lines. */
    readonly lines?: number;
    readonly hash: string;
    /** The end of the log; null when nothing was sealed. */
    readonly log: { readonly seq: number; readonly hash: string } | null;
  };
}

/** The part of a receipt that a response carries as well. */
export interface CloseOutcome {
  readonly entries_posted: number;
  readonly entries_published_to_qb: number;
  readonly entries_posted_locally: number;
  readonly target_auto_advanced: boolean;
  readonly rule_summary: CloseStepResult['rule_summary'] | null;
  readonly evaluated_structure_ids: readonly string[];
  readonly statements_stamped: boolean;
  readonly statement_stamp_note: string | null;
  readonly stamped_statement_sets: CloseStepResult['stamped_statement_sets'];
  readonly statement_rule_summary: CloseStepResult['statement_rule_summary'] | null;
}

/** Combines the posting counts with the results of the steps. */
export function closeOutcome(
  posted: { readonly published: number; readonly locally: number; readonly targetAdvanced: boolean },
  steps: Partial<CloseStepResult>,
  skipNote: string,
): CloseOutcome {
  const isStamped = steps.statements_stamped ?? false;
  return {
    entries_posted: posted.published + posted.locally,
    entries_published_to_qb: posted.published,
    entries_posted_locally: posted.locally,
    target_auto_advanced: posted.targetAdvanced,
    rule_summary: steps.rule_summary ?? null,
    evaluated_structure_ids: steps.evaluated_structure_ids ?? [],
    statements_stamped: isStamped,
    statement_stamp_note: isStamped ? null : (steps.statement_stamp_note ?? skipNote),
    stamped_statement_sets: steps.stamped_statement_sets ?? {},
    statement_rule_summary: steps.statement_rule_summary ?? null,
  };
}

/**
 * All months of a calendar, with or without a row: from the first row to the current month or the last row (ledger
 * L-17).
 */
export function calendarMonths(rows: readonly { readonly name: string }[], currentPeriod: string): readonly string[] {
  const first = rows[0]?.name ?? currentPeriod;
  const last = rows.at(-1)?.name ?? first;
  return periodsBetween(first, last > currentPeriod ? last : currentPeriod);
}
