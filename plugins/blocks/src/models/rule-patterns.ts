import type { Relation, RelationSign } from '@pacioli/taxonomy/expressions';
import type { Big } from 'big.js';
import type { BoundFact, Rule, RuleStatus, RuleVariable } from './rules.ts';

/** A period for which rules are evaluated: a column of a statement. */
export interface Column {
  /** Null for a column that contains only balances. */
  readonly start: string | null;
  readonly end: string;
}

/** One summand of a total; the weight is decimal text. */
export interface WeightedChild {
  readonly elementId: string;
  readonly weight: string;
}

/** The access of a pattern to one rule in one column. */
export interface PatternCase {
  readonly rule: Rule;
  /** Both sides with the relation sign; undefined for patterns without an expression. */
  readonly relation: Relation | undefined;
  readonly column: Column;
  /** The variables declared by the rule, by name. */
  readonly variables: ReadonlyMap<string, RuleVariable>;
  /** The value of a variable in the column; undefined without a fact. */
  value(variable: RuleVariable): Big | undefined;
  /** The value of an element in the column. */
  elementValue(elementId: string): Big | undefined;
  /** The part of a total that is in none of its summands, zero without one (S-32, pattern RollUp). */
  directAmount(elementId: string): Big;
  /** The largest difference to accept; depends on the precision of the values bound so far. */
  tolerance(): Big;
  /** The summands of an element in the current arcs (pattern RollUp). */
  children(elementId: string): readonly WeightedChild[];
  /** Every actual fact of an element in the structure, for all periods and scopes (pattern SumEquals). */
  history(elementId: string): readonly BoundFact[];
  /** Finds the element of a variable by id, or otherwise by qname. */
  elementOf(variable: RuleVariable): string | undefined;
}

export interface PatternOutcome {
  readonly status: RuleStatus;
  /** Null if the rule passed. */
  readonly message: string | null;
  /** Left side minus right side as decimal text, for patterns that compare. */
  readonly residual?: string;
  /** The names of variables without a fact. */
  readonly missing?: readonly string[];
}

export interface RulePatternSpec {
  /** `column` evaluates the rule once per period, `structure` once, and `never` leaves it out of the results. */
  readonly evaluatedPer: 'column' | 'structure' | 'never';
  /** The signs allowed in an expression; an empty list means that the expression is displayed but not parsed. */
  readonly relations: readonly RelationSign[];
  decide(subject: PatternCase): PatternOutcome;
}
