import { invalidInput } from '@pacioli/core';
import type { ElementPart } from '@pacioli/taxonomy';
import { type DriverRule, isActive } from './driver-rules.ts';
import type { ForecastLines } from './forecast-lines.ts';

/** The concepts that a forecast names, by list. */
export interface NamedConcepts {
  readonly levers: readonly string[];
  readonly assertions: readonly string[];
  readonly growth: readonly string[];
}

export interface ConceptChecks {
  readonly lines: ForecastLines;
  readonly rules: readonly DriverRule[];
  elementOf(qname: string): ElementPart | undefined;
  /** The catalog of a concept that is computed or assumed, such as `rs-driver`; undefined for any other concept. */
  catalogOf(qname: string): 'rs-driver' | 'rs-metric' | undefined;
}

/** Throws one error that names every concept that a list cannot have. */
export function requireConcepts(named: NamedConcepts, checks: ConceptChecks): void {
  const problems = [
    ...leverProblems(named, checks),
    ...[...named.assertions, ...named.growth].flatMap((qname) => lineProblem(qname, checks) ?? []),
    ...named.growth.flatMap((qname) => growthProblem(qname, named, checks) ?? []),
  ];
  if (problems.length > 0) throw invalidInput(`${[...new Set(problems)].join('; ')}.`);
}

function leverProblems({ levers }: NamedConcepts, checks: ConceptChecks): readonly string[] {
  const unknown = levers.filter(
    (qname) => checks.catalogOf(qname) !== 'rs-driver' || checks.elementOf(qname)?.isAbstract !== false,
  );
  return unknown.length === 0 ? [] : [`levers: not in the driver catalog: [${unknown.join(', ')}]`];
}

function lineProblem(qname: string, { elementOf, catalogOf, lines }: ConceptChecks): string | undefined {
  const element = elementOf(qname);
  if (element === undefined) return `${qname} is unknown`;
  if (element.isAbstract) return `${qname} is abstract`;
  if (catalogOf(qname) !== undefined) return `${qname} is a driver or a metric, not a line`;
  if (lines.isTotal(qname)) return `${qname} is a total; state the lines below it`;
  if (qname === lines.cash) return `${qname} balances the balance sheet; state other lines`;
  if (lines.isLine(qname)) return undefined;
  const shown = lines.shownAs(qname);
  return shown === undefined
    ? `${qname} is not a line of the income statement or balance sheet`
    : `${qname} has no line of its own: the statements show it in ${shown}; state that line`;
}

function growthProblem(
  qname: string,
  { levers, assertions }: NamedConcepts,
  checks: ConceptChecks,
): string | undefined {
  if (assertions.includes(qname)) return `${qname} is in both line_growth and line_assertions`;
  if (!checks.lines.isIncomeLine(qname)) return `${qname} cannot grow: line_growth is for income and expenses`;
  const driven = checks.rules.find(
    (rule) =>
      rule.target === qname &&
      isActive(
        rule,
        (name) => checks.catalogOf(name) === 'rs-driver',
        (name) => levers.includes(name),
      ),
  );
  return driven === undefined ? undefined : `${qname} is already projected by a lever`;
}
