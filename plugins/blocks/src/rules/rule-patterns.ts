import { type Expression, ExpressionError, operandsOf } from '@pacioli/taxonomy/expressions';
import type { Big } from 'big.js';
import type { PatternCase, PatternOutcome, RulePatternSpec } from '../models/rule-patterns.ts';
import { decimal, evaluateExpression } from './evaluate-expression.ts';

const pass: PatternOutcome = { status: 'pass', message: null };

/** The patterns that are available in every deployment (reporting 3.4). */
export const builtInPatterns: Readonly<Record<string, RulePatternSpec>> = {
  EqualTo: { evaluatedPer: 'column', relations: ['='], decide: (subject) => compare(subject, equal) },
  RollForward: { evaluatedPer: 'column', relations: ['='], decide: (subject) => compare(subject, equal) },
  Adjustment: { evaluatedPer: 'column', relations: ['='], decide: (subject) => compare(subject, equal) },
  Variance: { evaluatedPer: 'column', relations: ['='], decide: (subject) => compare(subject, equal) },
  GreaterThan: { evaluatedPer: 'column', relations: ['>'], decide: (subject) => compare(subject, greater) },
  LessThan: { evaluatedPer: 'column', relations: ['<'], decide: (subject) => compare(subject, less) },
  GreaterThanOrEqualToZero: { evaluatedPer: 'column', relations: [], decide: notNegative },
  RollUp: { evaluatedPer: 'column', relations: ['='], decide: rollUp },
  SumEquals: { evaluatedPer: 'structure', relations: [], decide: sumEquals },
  Exists: { evaluatedPer: 'column', relations: [], decide: exists },
  CoExists: { evaluatedPer: 'column', relations: [], decide: coExists },
  // Derive is not a check: it defines how a metric or a driver is computed.
  Derive: { evaluatedPer: 'never', relations: [], decide: () => pass },
};

type Comparison = (residual: Big, tolerance: Big) => PatternOutcome;

const equal: Comparison = (residual, tolerance) =>
  residual.abs().lte(tolerance) ? pass : failed('equality', residual);
const greater: Comparison = (residual) => (residual.gt(0) ? pass : failed('greater than', residual));
const less: Comparison = (residual) => (residual.lt(0) ? pass : failed('less than', residual));

function compare(subject: PatternCase, comparison: Comparison): PatternOutcome {
  const { left, right } = relationOf(subject);
  const missing = missingNames(subject, left, right);
  if (missing.length > 0) return unbound(missing);
  const value = (side: Expression): Big => evaluateExpression(side, ({ name }) => boundValue(subject, name));
  return comparison(value(left).minus(value(right)), subject.tolerance());
}

/**
 * Compares the parent with its direct amount and the summands of the current arcs; the expression's summands count only
 * without arcs.
 */
function rollUp(subject: PatternCase): PatternOutcome {
  const { left, right } = relationOf(subject);
  const [parentOperand] = operandsOf(left);
  const parent = parentOperand === undefined ? undefined : subject.variables.get(parentOperand.name);
  const parentId = parent === undefined ? undefined : subject.elementOf(parent);
  const total = parent === undefined ? undefined : subject.value(parent);
  if (parent === undefined || parentId === undefined || total === undefined) {
    return unbound(missingNames(subject, left));
  }
  const children = subject.children(parentId);
  const sum =
    children.length > 0
      ? sumOf(children.map(({ elementId, weight }) => ({ value: subject.elementValue(elementId), weight })))
      : writtenSum(subject, right);
  if (sum === undefined) return { status: 'skipped', message: 'no summand has a fact' };
  const residual = total.minus(sum).minus(subject.directAmount(parentId));
  return residual.abs().lte(subject.tolerance()) ? pass : failed('rollup', residual);
}

function writtenSum(subject: PatternCase, right: Expression): Big | undefined {
  const names = operandsOf(right).map(({ name }) => name);
  if (names.every((name) => boundValue(subject, name) === undefined)) return undefined;
  return evaluateExpression(right, ({ name }) => boundValue(subject, name) ?? decimal('0'));
}

function sumOf(parts: readonly { readonly value: Big | undefined; readonly weight: string }[]): Big | undefined {
  if (parts.every(({ value }) => value === undefined)) return undefined;
  return parts.reduce(
    (sum, { value, weight }) => (value === undefined ? sum : sum.plus(value.times(weight))),
    decimal('0'),
  );
}

/** Reporting R-14: a rule without an expected total is an error; it must not be compared with zero. */
function sumEquals(subject: PatternCase): PatternOutcome {
  const expected = subject.rule.metadata.expected_total;
  if (expected === undefined || expected === null) {
    return { status: 'error', message: 'the rule has no metadata.expected_total; write the total that it checks' };
  }
  const [variable] = subject.variables.values();
  const elementId = variable === undefined ? undefined : subject.elementOf(variable);
  const facts = (elementId === undefined ? [] : subject.history(elementId)).filter(
    ({ periodType }) => periodType === 'duration',
  );
  if (facts.length === 0) return unbound(variable === undefined ? [] : [variable.name]);
  const sum = facts.reduce((total, fact) => total.plus(fact.value), decimal('0'));
  const wanted = decimal(String(expected));
  if (sum.minus(wanted).abs().lte(subject.tolerance())) return pass;
  const message = `sum ${sum.toFixed()} != expected ${wanted.toFixed()}`;
  return { status: 'fail', message, residual: sum.minus(wanted).toFixed() };
}

function notNegative(subject: PatternCase): PatternOutcome {
  const values = [...subject.variables.values()].map((each) => ({ name: each.name, value: subject.value(each) }));
  const missing = values.filter(({ value }) => value === undefined).map(({ name }) => name);
  if (missing.length > 0 || values.length === 0) return unbound(missing);
  const floor = subject.tolerance().times(-1);
  const below = values.filter(({ value }) => value?.lt(floor) === true);
  if (below.length === 0) return pass;
  const list = below.map(({ name, value }) => `${name} = ${value?.toFixed()}`).join(', ');
  return { status: 'fail', message: `below zero: ${list}` };
}

function exists(subject: PatternCase): PatternOutcome {
  const { present, absent } = presence(subject);
  if (present.length > 0) return pass;
  return { status: 'fail', message: `required concept(s) not present: ${absent.join(', ')}`, missing: absent };
}

function coExists(subject: PatternCase): PatternOutcome {
  const { present, absent } = presence(subject);
  if (present.length === 0 || absent.length === 0) return pass;
  const message = `only some concepts are present: ${present.join(', ')}; absent: ${absent.join(', ')}`;
  return { status: 'fail', message, missing: absent };
}

function presence(subject: PatternCase) {
  const variables = [...subject.variables.values()];
  const names = (isPresent: boolean): readonly string[] =>
    variables.filter((each) => (subject.value(each) !== undefined) === isPresent).map(({ name }) => name);
  return { present: names(true), absent: names(false) };
}

function relationOf({ relation }: PatternCase) {
  if (relation === undefined) throw new ExpressionError('the pattern needs an expression with two sides');
  return relation;
}

function boundValue(subject: PatternCase, name: string): Big | undefined {
  const variable = subject.variables.get(name);
  if (variable === undefined) throw new ExpressionError(`unbound $${name} in expression`);
  return subject.value(variable);
}

function missingNames(subject: PatternCase, ...sides: readonly Expression[]): readonly string[] {
  return operandsOf(...sides)
    .map(({ name }) => name)
    .filter((name) => boundValue(subject, name) === undefined);
}

function unbound(missing: readonly string[]): PatternOutcome {
  return { status: 'skipped', message: `no fact bound for variables: ${missing.join(', ')}`, missing };
}

function failed(what: string, residual: Big): PatternOutcome {
  return { status: 'fail', message: `${what} failed; residual = ${residual.toFixed()}`, residual: residual.toFixed() };
}
