import { evaluateExpression, type Rule } from '@pacioli/blocks';
import {
  type Expression,
  ExpressionError,
  type Operand,
  operandsOf,
  parseRelation,
} from '@pacioli/taxonomy/expressions';
import type { Decimal } from '../metrics/index.ts';

/** A formula of the driver catalog: the value of a line in a month (reporting 10.2). */
export interface DriverRule {
  readonly id: string;
  /** The line that the rule projects. */
  readonly target: string;
  readonly expression: Expression;
  readonly operands: readonly Operand[];
  /** The concept of each name in the expression. */
  readonly concepts: ReadonlyMap<string, string>;
}

/** The value of a concept in the month or in the month before it; undefined without one. */
export type ConceptLookUp = (qname: string, month: 'current' | 'previous') => Decimal | undefined;

/** A rule that cannot be evaluated. */
export interface UnusableRule {
  readonly id: string;
  readonly reason: string;
}

/** Parses the Derive rules of the catalog, by id. */
export function driverRules(rules: readonly Rule[]): {
  readonly usable: readonly DriverRule[];
  readonly unusable: readonly UnusableRule[];
} {
  const parsed = rules
    .filter(({ pattern }) => pattern === 'Derive')
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(parse);
  return {
    usable: parsed.filter((rule) => 'target' in rule),
    unusable: parsed.filter((rule) => 'reason' in rule),
  };
}

function parse({ id, expression, variables }: Rule): DriverRule | UnusableRule {
  const concepts = new Map(variables.flatMap(({ name, qname }) => (qname === null ? [] : [[name, qname] as const])));
  try {
    const { sign, left, right } = parseRelation(expression, { hasPrevious: true });
    const target = left.kind === 'variable' && sign === '=' ? concepts.get(left.name) : undefined;
    if (target === undefined) return { id, reason: 'expression error: the left side must be the projected line alone' };
    return { id, target, expression: right, operands: operandsOf(right), concepts };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { id, reason: `expression error: ${error.message}` };
  }
}

/** The concepts that the rule reads in the same month. */
export function currentConcepts({ operands, concepts }: DriverRule): readonly string[] {
  return operands.flatMap(({ kind, name }) => (kind === 'variable' ? (concepts.get(name) ?? []) : []));
}

/** A rule applies when every driver in it has values; drivers are the concepts of `isDriver`. */
export function isActive(
  rule: DriverRule,
  isDriver: (qname: string) => boolean,
  hasValues: (qname: string) => boolean,
): boolean {
  const drivers = currentConcepts(rule).filter(isDriver);
  return drivers.length > 0 && drivers.every(hasValues);
}

export type RuleOutcome =
  | { readonly value: Decimal }
  | { readonly reason: string; readonly missing: readonly string[] };

/** Evaluates the rule, or names the operands without a value. */
export function evaluateRule(rule: DriverRule, lookUp: ConceptLookUp): RuleOutcome {
  const values = new Map<string, Decimal>();
  const missing = new Set<string>();
  for (const { kind, name } of rule.operands) {
    const qname = rule.concepts.get(name);
    const value = qname === undefined ? undefined : lookUp(qname, kind === 'previous' ? 'previous' : 'current');
    if (value === undefined) missing.add(qname ?? name);
    else values.set(`${kind} ${name}`, value);
  }
  if (missing.size > 0) return { reason: 'unbound operand(s)', missing: [...missing].toSorted() };
  try {
    return { value: evaluateExpression(rule.expression, ({ kind, name }) => values.get(`${kind} ${name}`)) };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { reason: `evaluation error: ${error.message}`, missing: [] };
  }
}

/**
 * The rules in an order in which each follows those that project what it reads; rules in a cycle come last.
 * `overlaps` tells whether two lines share a leaf.
 */
export function inDependencyOrder(
  rules: readonly DriverRule[],
  overlaps: (one: string, other: string) => boolean,
): { readonly ordered: readonly DriverRule[]; readonly cyclic: readonly DriverRule[] } {
  const ordered: DriverRule[] = [];
  let waiting = [...rules];
  while (waiting.length > 0) {
    const isReady = (rule: DriverRule): boolean =>
      !waiting.some((other) => currentConcepts(rule).some((qname) => overlaps(qname, other.target)));
    const next = waiting.find(isReady);
    if (next === undefined) return { ordered, cyclic: waiting };
    ordered.push(next);
    waiting = waiting.filter((rule) => rule !== next);
  }
  return { ordered, cyclic: [] };
}

/** No ledger has rates below this; a smaller slope means that the driver has no effect in the month. */
const smallestSlope = '1e-9';

/**
 * The value of a driver that explains an actual value of the projected line; undefined if it has no effect. Rules
 * are affine in their driver, so that two evaluations determine the line.
 */
export function realizedDriver(
  rule: DriverRule,
  driver: string,
  actual: Decimal,
  lookUp: (qname: string, month: 'current' | 'previous', driverValue: 0 | 1) => Decimal | undefined,
): Decimal | undefined {
  if (!currentConcepts(rule).includes(driver)) return undefined;
  const [atZero, atOne] = ([0, 1] as const).map((value) =>
    evaluateRule(rule, (qname, month) => lookUp(qname, month, value)),
  );
  if (atZero === undefined || atOne === undefined || !('value' in atZero) || !('value' in atOne)) return undefined;
  const slope = atOne.value.minus(atZero.value);
  return slope.abs().lt(smallestSlope) ? undefined : actual.minus(atZero.value).div(slope);
}
