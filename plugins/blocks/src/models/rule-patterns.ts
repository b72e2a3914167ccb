import type { Relation, RelationSign } from '@pacioli/taxonomy/expressions';
import type { Big } from 'big.js';
import type { BoundFact, Rule, RuleStatus, RuleVariable } from './rules.ts';

/** A period in which rules look for facts: a column of a statement. */
export interface Column {
  /** Null for a column of balances only. */
  readonly start: string | null;
  readonly end: string;
}

/** One summand of a total; the weight is decimal text. */
export interface WeightedChild {
  readonly elementId: string;
  readonly weight: string;
}

/** What a pattern sees of one rule in one column. */
export interface PatternCase {
  readonly rule: Rule;
  /** Both sides with their sign; undefined where the pattern reads no expression. */
  readonly relation: Relation | undefined;
  readonly column: Column;
  /** The variables that the rule declares, by name. */
  readonly variables: ReadonlyMap<string, RuleVariable>;
  /** The number that the variable has in the column; undefined when no fact is there. */
  value(variable: RuleVariable): Big | undefined;
  /** The number of an element in the column. */
  elementValue(elementId: string): Big | undefined;
  /** How far two numbers may lie apart; depends on the precision of what was bound before. */
  tolerance(): Big;
  /** The summands of an element by the arcs in force (pattern RollUp). */
  children(elementId: string): readonly WeightedChild[];
  /** Every actual fact of an element in the structure, whatever its period and scope (pattern SumEquals). */
  history(elementId: string): readonly BoundFact[];
  /** Finds the element of a variable by id, else by qname. */
  elementOf(variable: RuleVariable): string | undefined;
}

export interface PatternOutcome {
  readonly status: RuleStatus;
  /** Null on pass. */
  readonly message: string | null;
  /** Left side less right side as decimal text, where there is one. */
  readonly residual?: string;
  /** Names of variables without a fact. */
  readonly missing?: readonly string[];
}

export interface RulePatternSpec {
  /** `column` is asked for every period, `structure` once, `never` leaves the rule out of the results. */
  readonly asked: 'column' | 'structure' | 'never';
  /** The signs that an expression may have; an empty list means that the expression is shown and not read. */
  readonly relations: readonly RelationSign[];
  decide(subject: PatternCase): PatternOutcome;
}
