import type { Rule, RuleVariable } from '@pacioli/blocks';
import type { ElementPart } from '@pacioli/taxonomy';
import { type Expression, ExpressionError, operandsOf, parseRelation } from '@pacioli/taxonomy/expressions';
import { dependencyDepths } from './dependency-depths.ts';

/** A value in the formula of a metric. */
export interface MetricOperand {
  readonly kind: 'variable' | 'average';
  /** The name in the expression. */
  readonly name: string;
  /** Undefined if the graph has no such concept. */
  readonly element: ElementPart | undefined;
  /** The qname, as answers show it. */
  readonly label: string;
}

/** A metric with its formula. */
export interface MetricFormula {
  readonly ruleId: string;
  readonly target: ElementPart;
  readonly expression: Expression;
  readonly operands: readonly MetricOperand[];
}

/** A metric without a value, and the reason (M-8). */
export interface SkippedMetric {
  readonly ruleId: string;
  readonly targetQname: string | null;
  readonly reason: string;
  readonly missing: readonly string[];
}

export interface MetricPlan {
  /** In the order of evaluation. */
  readonly formulas: readonly MetricFormula[];
  readonly skipped: readonly SkippedMetric[];
  /** The metrics that have a rule, computed or skipped: their earlier values are not bound (M-8). */
  readonly targetIds: ReadonlySet<string>;
}

/** The concepts that formulas refer to. */
export interface KnownConcepts {
  /** The concepts of the structure in presentation order. */
  readonly presented: readonly ElementPart[];
  elementOf(variable: RuleVariable): ElementPart | undefined;
  elementById(id: string): ElementPart | undefined;
}

/** Turns the Derive rules of a structure into formulas, each after those that it depends on (M-4). */
export function planMetrics(rules: readonly Rule[], known: KnownConcepts): MetricPlan {
  const places = new Map(known.presented.map(({ id }, index) => [id, index]));
  const formulas: MetricFormula[] = [];
  const skipped: SkippedMetric[] = [];
  const targetIds = new Set(rules.flatMap(({ target }) => (target?.kind === 'element' ? target.id : [])));
  const computed = new Set<string>();
  for (const rule of [...rules].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const formula = formulaOf(rule, known);
    if ('reason' in formula) skipped.push(formula);
    else if (!places.has(formula.target.id)) skipped.push(skip(rule, formula.target, 'no target'));
    else if (computed.has(formula.target.id)) {
      skipped.push(skip(rule, formula.target, 'another rule computes this metric'));
    } else {
      computed.add(formula.target.id);
      targetIds.add(formula.target.id);
      formulas.push(formula);
    }
  }
  const { ordered, cyclic } = inDependencyOrder(formulas, places);
  const circular = cyclic.map(({ ruleId, target }) => skip({ id: ruleId }, target, 'circular dependency'));
  return { formulas: ordered, skipped: [...skipped, ...circular], targetIds };
}

function skip(rule: Pick<Rule, 'id'>, target: ElementPart | undefined, reason: string): SkippedMetric {
  return { ruleId: rule.id, targetQname: target?.qname ?? null, reason, missing: [] };
}

function formulaOf(rule: Rule, known: KnownConcepts): MetricFormula | SkippedMetric {
  const named = rule.target?.kind === 'element' ? known.elementById(rule.target.id) : undefined;
  try {
    const { sign, left, right } = parseRelation(rule.expression, { hasAverage: true });
    if (sign !== '=') throw new ExpressionError('a metric is defined by an equation');
    if (left.kind !== 'variable') throw new ExpressionError('the left side must be the metric alone');
    const variables = variablesOf(rule);
    const defined = known.elementOf(variableNamed(left.name, variables));
    const target = named ?? defined;
    if (target === undefined || target.isAbstract) return skip(rule, target, 'no target');
    if (defined?.id !== target.id) throw new ExpressionError('the left side is not the target of the rule');
    const operands = operandsOf(right).map(({ kind, name }): MetricOperand => {
      const variable = variableNamed(name, variables);
      const element = known.elementOf(variable);
      if (kind === 'average' && element?.periodType === 'duration') {
        throw new ExpressionError(`avg($${name}) needs a balance, and $${name} is a movement`);
      }
      const label = element?.qname ?? variable.qname ?? element?.name ?? name;
      // Without the forecast features the parser returns only variables and averages.
      return { kind: kind === 'average' ? 'average' : 'variable', name, element, label };
    });
    return { ruleId: rule.id, target, expression: right, operands };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return skip(rule, named, `expression error: ${error.message}`);
  }
}

/** The variables by name; a repeated name is an error of the rule. */
function variablesOf({ variables }: Rule): ReadonlyMap<string, RuleVariable> {
  const byName = new Map<string, RuleVariable>();
  for (const variable of variables) {
    if (byName.has(variable.name)) throw new ExpressionError(`$${variable.name} is declared twice`);
    byName.set(variable.name, variable);
  }
  return byName;
}

function variableNamed(name: string, variables: ReadonlyMap<string, RuleVariable>): RuleVariable {
  const found = variables.get(name);
  if (found === undefined) throw new ExpressionError(`unbound $${name} in expression`);
  return found;
}

/** Sorts formulas by dependency depth, then presentation, and separates those in a cycle (M-4). */
function inDependencyOrder(
  formulas: readonly MetricFormula[],
  places: ReadonlyMap<string, number>,
): { readonly ordered: readonly MetricFormula[]; readonly cyclic: readonly MetricFormula[] } {
  const { depths, cyclic } = dependencyDepths(
    new Map(formulas.map(({ target, operands }) => [target.id, operands.flatMap(({ element }) => element?.id ?? [])])),
  );
  const depthOf = ({ target }: MetricFormula): number => depths.get(target.id) ?? 0;
  const placeOf = ({ target }: MetricFormula): number => places.get(target.id) ?? 0;
  return {
    ordered: formulas
      .filter(({ target }) => !cyclic.has(target.id))
      .sort((a, b) => depthOf(a) - depthOf(b) || placeOf(a) - placeOf(b)),
    cyclic: formulas.filter(({ target }) => cyclic.has(target.id)),
  };
}
