import type { TaxonomyRule } from '@pacioli/taxonomy';

export type RuleSeverity = 'info' | 'warning' | 'error';
export type RuleStatus = 'pass' | 'fail' | 'error' | 'skipped';

/** The target of a rule; null stands for the whole graph. */
export interface RuleTarget {
  readonly kind: 'structure' | 'element' | 'association' | 'taxonomy';
  readonly id: string;
}

/** Binds a name in an expression to its fact. */
export interface RuleVariable {
  /** Without the dollar sign. */
  readonly name: string;
  readonly elementId: string | null;
  readonly qname: string | null;
  /** Binds the balance on the day before the column starts. */
  readonly at?: 'begin';
  /** Binds a fact of the sibling set with this block type. */
  readonly structureType?: string;
  /** Binds a fact of this scenario (pattern Variance). */
  readonly scenarioId?: string;
  /** Elements whose values, if present, are added to the value of the variable. */
  readonly addendIds?: readonly string[];
}

export interface RuleMetadata {
  /** Decimal text in currency units; defaults to 0.01. */
  readonly tolerance?: string | number;
  /** Decimal text in currency units; required by SumEquals. */
  readonly expected_total?: string | number;
  /** The scenario that contains the budget for Variance. */
  readonly scenario_id?: string;
  readonly [more: string]: unknown;
}

/** A rule to create, with either a pattern or a check kind. */
export interface NewRule {
  /** The structure that the rule belongs to; null for a rule of the graph or a taxonomy. */
  readonly structureId: string | null;
  readonly name: string;
  readonly category: string;
  readonly pattern: string | null;
  readonly checkKind: string | null;
  readonly expression: string;
  readonly variables: readonly RuleVariable[];
  readonly message?: string | null;
  readonly severity?: RuleSeverity;
  readonly origin?: 'forked' | 'native' | 'auto';
  readonly target: RuleTarget | null;
  readonly metadata?: RuleMetadata;
  readonly createdBy: string;
  readonly now: Date;
}

export interface Rule {
  readonly id: string;
  readonly structureId: string | null;
  readonly name: string;
  readonly category: string;
  readonly pattern: string | null;
  readonly checkKind: string | null;
  readonly expression: string;
  readonly variables: readonly RuleVariable[];
  readonly message: string | null;
  readonly severity: RuleSeverity;
  readonly origin: 'forked' | 'native' | 'auto';
  readonly target: RuleTarget | null;
  readonly metadata: RuleMetadata;
}

/** The result of one rule in one run. */
export interface VerificationResult {
  readonly id: string;
  readonly ruleId: string;
  readonly structureId: string;
  readonly factSetId: string | null;
  readonly status: RuleStatus;
  /** The severity of the rule when it was evaluated; null in old results. */
  readonly severity: RuleSeverity | null;
  /** Null if the rule passed. */
  readonly message: string | null;
  readonly periodStart: string | null;
  readonly periodEnd: string | null;
  /** `periods` holds the outcome of each period. */
  readonly detail: Readonly<Record<string, unknown>>;
  readonly evaluatedAt: Date;
}

/** The number of rules in each state; all four states are always present. */
export type RuleSummary = Readonly<Record<RuleStatus, number>>;

export interface Evaluation {
  /** Ordered by structure, then by rule category and id. */
  readonly results: readonly VerificationResult[];
  readonly summary: RuleSummary;
}

/** A number that a rule can bind. */
export interface BoundFact {
  readonly elementId: string;
  readonly periodStart: string | null;
  readonly periodEnd: string;
  readonly periodType: 'instant' | 'duration';
  readonly value: string;
  readonly decimals: string | null;
  /** The part of a total that accounts have on it directly, beside its summands (S-32); absent or null without one. */
  readonly directAmount?: string | null;
}

/** A rule as its taxonomy stores it. */
export type AuthoredRule = TaxonomyRule;
