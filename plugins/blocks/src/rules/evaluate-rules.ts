import { ExpressionError, operandsOf, parseRelation, type Relation } from '@pacioli/taxonomy/expressions';
import type { Big } from 'big.js';
import { BoundFacts } from '../facts/index.ts';
import type { Column, PatternCase, PatternOutcome, RulePatternSpec, WeightedChild } from '../models/rule-patterns.ts';
import type { BoundFact, Rule, RuleStatus, RuleVariable } from '../models/rules.ts';
import { dayBefore } from '../values/index.ts';
import { decimal } from './evaluate-expression.ts';

/** One set of facts, with the other facts that its rules may refer to. */
export interface EvaluatedSet {
  readonly facts: BoundFacts;
  readonly columns: readonly Column[];
  /** Balances of earlier sets of the structure, nearest first. */
  readonly earlier: readonly BoundFacts[];
  /** The sets of other structures in the same report or window, by block type. */
  readonly siblings: ReadonlyMap<string, BoundFacts>;
  /** Plans of the same structure, by scenario (pattern Variance). */
  readonly scenarios: ReadonlyMap<string, BoundFacts>;
}

export interface EvaluatedStructure {
  readonly rules: readonly Rule[];
  /** In order of preference; a period belongs to the first set that contains it. */
  readonly sets: readonly EvaluatedSet[];
  readonly patterns: ReadonlyMap<string, RulePatternSpec>;
  readonly elementIdByQname: ReadonlyMap<string, string>;
  children(elementId: string): readonly WeightedChild[];
  history(elementId: string): readonly BoundFact[];
}

/** The outcome of one rule, with the outcome of each period. */
export interface RuleOutcome extends PatternOutcome {
  readonly rule: Rule;
  readonly periods: readonly (Column & PatternOutcome)[];
}

/** Evaluates every rule; an error in one rule does not stop the others. */
export function evaluateRules(structure: EvaluatedStructure): readonly RuleOutcome[] {
  return structure.rules.flatMap((rule) => evaluateRule(rule, structure) ?? []);
}

function evaluateRule(rule: Rule, structure: EvaluatedStructure): RuleOutcome | undefined {
  if (rule.checkKind !== null) {
    return { rule, status: 'skipped', message: 'structural check; evaluated at taxonomy write', periods: [] };
  }
  const pattern = structure.patterns.get(rule.pattern ?? '');
  if (pattern?.evaluatedPer === 'never') return undefined;
  try {
    if (pattern === undefined) throw new ExpressionError(`the pattern "${rule.pattern}" is unknown in this deployment`);
    const variables = variablesOf(rule);
    const relation = relationOf(rule, pattern);
    const cases =
      pattern.evaluatedPer === 'structure' ? [wholeStructure(structure)] : applicable(structure, relation, variables);
    const periods = cases.map(({ set, column }) => ({
      ...column,
      ...decide(pattern, new BoundCase({ rule, relation, variables, column, set, structure })),
    }));
    return {
      rule,
      ...worstOf(periods, relation, variables),
      periods: pattern.evaluatedPer === 'structure' ? [] : periods,
    };
  } catch (error) {
    return { rule, ...failureOf(error), periods: [] };
  }
}

function decide(pattern: RulePatternSpec, subject: PatternCase): PatternOutcome {
  try {
    return pattern.decide(subject);
  } catch (error) {
    return failureOf(error);
  }
}

function failureOf(error: unknown): PatternOutcome {
  return { status: 'error', message: `engine failure: ${error instanceof Error ? error.message : String(error)}` };
}

function variablesOf(rule: Rule): ReadonlyMap<string, RuleVariable> {
  const found = new Map<string, RuleVariable>();
  for (const variable of rule.variables) {
    if (found.has(variable.name)) throw new ExpressionError(`the variable $${variable.name} is declared twice`);
    found.set(variable.name, variable);
  }
  return found;
}

function relationOf(rule: Rule, pattern: RulePatternSpec): Relation | undefined {
  if (pattern.relations.length === 0) return undefined;
  const relation = parseRelation(rule.expression);
  if (pattern.relations.includes(relation.sign)) return relation;
  const wanted = pattern.relations.map((sign) => `"${sign}"`).join(' or ');
  throw new ExpressionError(`an expression of the pattern ${rule.pattern} compares with ${wanted}`);
}

interface SetColumn {
  readonly set: EvaluatedSet;
  readonly column: Column;
}

const emptySet: EvaluatedSet = {
  facts: new BoundFacts([]),
  columns: [],
  earlier: [],
  siblings: new Map(),
  scenarios: new Map(),
};

function wholeStructure({ sets }: EvaluatedStructure): SetColumn {
  const set = sets[0] ?? emptySet;
  return { set, column: set.columns.at(-1) ?? { start: null, end: '' } };
}

/** The columns in which the left side has a fact; all columns for a rule without a left side. */
function applicable(
  structure: EvaluatedStructure,
  relation: Relation | undefined,
  variables: ReadonlyMap<string, RuleVariable>,
): readonly SetColumn[] {
  const all = structure.sets.flatMap((set) => set.columns.map((column) => ({ set, column })));
  if (relation === undefined) {
    // An opening balance alone does not make a period for rules that check presence.
    const periods = all.filter(({ column }) => column.start !== null);
    return periods.length > 0 ? periods : all;
  }
  const names = operandsOf(relation.left).map(({ name }) => name);
  return all.filter(({ set, column }) =>
    names.some((name) => {
      const variable = variables.get(name);
      return variable !== undefined && boundFact(variable, { set, column, structure }) !== undefined;
    }),
  );
}

const severityOf: Readonly<Record<RuleStatus, number>> = { fail: 3, error: 2, pass: 1, skipped: 0 };

/** The worst outcome; the latest one among equals. */
function worstOf(
  outcomes: readonly PatternOutcome[],
  relation: Relation | undefined,
  variables: ReadonlyMap<string, RuleVariable>,
): PatternOutcome {
  if (outcomes.length === 0) {
    const names = relation === undefined ? [...variables.keys()] : operandsOf(relation.left).map(({ name }) => name);
    const undeclared = names.find((name) => !variables.has(name));
    if (undeclared !== undefined) throw new ExpressionError(`unbound $${undeclared} in expression`);
    return { status: 'skipped', message: `no fact bound for variables: ${names.join(', ')}`, missing: names };
  }
  return outcomes.reduce((worst, each) => (severityOf[each.status] >= severityOf[worst.status] ? each : worst));
}

function boundFact(
  variable: RuleVariable,
  at: SetColumn & { readonly structure: EvaluatedStructure },
): BoundFact | undefined {
  const elementId = elementIdOf(variable, at.structure);
  if (elementId === undefined) return undefined;
  if (variable.at === 'begin') {
    if (at.column.start === null) return undefined;
    const date = dayBefore(at.column.start);
    for (const facts of [at.set.facts, ...at.set.earlier]) {
      const found = facts.balanceAt(elementId, date);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return factsOf(variable, at.set)?.find(elementId, at.column);
}

function factsOf(variable: RuleVariable, set: EvaluatedSet): BoundFacts | undefined {
  if (variable.scenarioId !== undefined) return set.scenarios.get(variable.scenarioId);
  return variable.structureType === undefined ? set.facts : set.siblings.get(variable.structureType);
}

function elementIdOf(variable: RuleVariable, structure: EvaluatedStructure): string | undefined {
  if (variable.elementId !== null) return variable.elementId;
  return variable.qname === null ? undefined : structure.elementIdByQname.get(variable.qname);
}

interface CaseParts extends SetColumn {
  readonly rule: Rule;
  readonly relation: Relation | undefined;
  readonly variables: ReadonlyMap<string, RuleVariable>;
  readonly structure: EvaluatedStructure;
}

/** One rule in one column; records the precision of the numbers that it binds. */
class BoundCase implements PatternCase {
  readonly rule: Rule;
  readonly relation: Relation | undefined;
  readonly column: Column;
  readonly variables: ReadonlyMap<string, RuleVariable>;
  readonly #parts: CaseParts;
  readonly #decimals = new Map<BoundFact, number>();

  constructor(parts: CaseParts) {
    this.#parts = parts;
    this.rule = parts.rule;
    this.relation = parts.relation;
    this.column = parts.column;
    this.variables = parts.variables;
  }

  value(variable: RuleVariable): Big | undefined {
    const own = this.#numberOf(boundFact(variable, this.#parts));
    if (own === undefined) return undefined;
    return (variable.addendIds ?? []).reduce((sum, elementId) => {
      const added = this.#numberOf(boundFact({ ...variable, elementId }, this.#parts));
      return added === undefined ? sum : sum.plus(added);
    }, own);
  }

  elementValue(elementId: string): Big | undefined {
    return this.#numberOf(this.#parts.set.facts.find(elementId, this.column));
  }

  directAmount(elementId: string): Big {
    return decimal(this.#parts.set.facts.find(elementId, this.column)?.directAmount ?? '0');
  }

  /** Reporting R-16: rounding in reports in thousands must not fail a rule. */
  tolerance(): Big {
    const { tolerance } = this.rule.metadata;
    if (tolerance !== undefined && tolerance !== null) return decimal(String(tolerance)).abs();
    const coarsest = Math.min(...this.#decimals.values());
    if (!(coarsest < 2)) return decimal('0.01');
    return decimal(`5e${-coarsest - 1}`).times(this.#decimals.size);
  }

  children(elementId: string): readonly WeightedChild[] {
    return this.#parts.structure.children(elementId);
  }

  history(elementId: string): readonly BoundFact[] {
    return this.#parts.structure.history(elementId);
  }

  elementOf(variable: RuleVariable): string | undefined {
    return elementIdOf(variable, this.#parts.structure);
  }

  #numberOf(fact: BoundFact | undefined): Big | undefined {
    if (fact === undefined) return undefined;
    const isKnown = fact.decimals !== null && /^-?\d{1,3}$/.test(fact.decimals);
    this.#decimals.set(fact, isKnown ? Number(fact.decimals) : Number.POSITIVE_INFINITY);
    return decimal(fact.value);
  }
}
