import type { TaxonomyRule } from '@pacioli/taxonomy';

export type RuleSeverity = 'info' | 'warning' | 'error';
export type RuleStatus = 'pass' | 'fail' | 'error' | 'skipped';

/** What a rule is about; null stands for the whole graph. */
export interface RuleTarget {
  readonly kind: 'structure' | 'element' | 'association' | 'taxonomy';
  readonly id: string;
}

/** How a name in an expression finds its fact. */
export interface RuleVariable {
  /** Without the dollar sign. */
  readonly name: string;
  readonly elementId: string | null;
  readonly qname: string | null;
  /** Binds the instant one day before the column starts. */
  readonly at?: 'begin';
  /** Binds in the sibling set of this block type. */
  readonly structureType?: string;
  /** Binds in the plan of this scenario (pattern Variance). */
  readonly scenarioId?: string;
  /** Elements whose values are added to the variable's own where they are present. */
  readonly addendIds?: readonly string[];
}

export interface RuleMetadata {
  /** Decimal text in currency units; 0.01 unless given. */
  readonly tolerance?: string | number;
  /** Decimal text in currency units; SumEquals needs it. */
  readonly expected_total?: string | number;
  /** Where Variance finds its budget. */
  readonly scenario_id?: string;
  readonly [more: string]: unknown;
}

/** A rule to be made. Exactly one of pattern and check kind is given. */
export interface NewRule {
  /** The structure that the rule goes with; null for a rule of the graph or a taxonomy. */
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

/** What one rule said in one run. */
export interface VerificationResult {
  readonly id: string;
  readonly ruleId: string;
  readonly structureId: string;
  readonly factSetId: string | null;
  readonly status: RuleStatus;
  /** Null on pass. */
  readonly message: string | null;
  readonly periodStart: string | null;
  readonly periodEnd: string | null;
  /** Each period's own outcome is in `periods`. */
  readonly detail: Readonly<Record<string, unknown>>;
  readonly evaluatedAt: Date;
}

/** How many rules ended in each state; all four are always there. */
export type RuleSummary = Readonly<Record<RuleStatus, number>>;

/** The results of one evaluation. */
export interface Evaluation {
  /** By structure, then in the order of the rules: category, then id. */
  readonly results: readonly VerificationResult[];
  readonly summary: RuleSummary;
}

/** A number that a rule may use. */
export interface BoundFact {
  readonly elementId: string;
  readonly periodStart: string | null;
  readonly periodEnd: string;
  readonly periodType: 'instant' | 'duration';
  readonly value: string;
  readonly decimals: string | null;
}

/** A rule as its taxonomy keeps it. */
export type AuthoredRule = TaxonomyRule;
