import { plusDays } from '@pacioli/core/calendar';
import { compareText, indentedJson, type ReportBundle } from '../bundle/index.ts';
import { spaces } from './namespaces.ts';
import type { PlannedContext, PlannedFact, PlannedUnit, XbrlPlan } from './plan.ts';
import { planPackage } from './plan-package.ts';
import { xmlSafe } from './xml.ts';

const documentType = 'https://xbrl.org/2021/xbrl-json';

/** Contents that no xBRL-JSON has: it states facts and names the taxonomy that defines the rest. */
export const omittedFromXbrlJson: readonly string[] = [
  'ib_envelopes',
  'filing_lifecycle',
  'fact_sets',
  'networks',
  'labels',
];

/**
 * The facts of a report as xBRL-JSON 1.0 (reporting G-7, X-43). Its taxonomy is the entry point of the XBRL package of the
 * same generation, and its facts are those of that package, with their ids. In parts, after it threw for two values of a
 * fact.
 */
export function writeXbrlJson(bundle: ReportBundle): Iterable<string> {
  const plan = planPackage(bundle);
  const scheme = unusedPrefix(plan);
  const contexts = new Map(plan.contexts.map((context) => [context.id, context]));
  const units = new Map(plan.units.map((unit) => [unit.id, unit]));
  const entity = `${scheme}:${plan.entity.identifier}`;
  const info = {
    documentType,
    namespaces: sorted({
      ...Object.fromEntries(plan.frameworks.map(({ prefix, namespace }) => [prefix, namespace])),
      iso4217: spaces.iso4217,
      [scheme]: plan.entity.scheme,
      xbrli: spaces.xbrli,
    }),
    taxonomy: [`${plan.space}report.xsd`],
  };
  const factOf = (fact: PlannedFact): object => {
    const dimensions = { concept: fact.concept, entity, ...contextDimensions(contexts.get(fact.context)) };
    const unit = unitDimension(units.get(fact.unit ?? ''));
    return { ...amountOf(fact), dimensions: unit === undefined ? dimensions : { ...dimensions, unit } };
  };
  return documentParts(info, plan.facts, factOf);
}

/** The document, in a part for each fact. */
function* documentParts(
  info: object,
  facts: readonly PlannedFact[],
  factOf: (fact: PlannedFact) => object,
): Generator<string> {
  yield `{\n  "documentInfo": ${indentedJson(info, 2)},\n  "facts": {`;
  for (const [index, fact] of facts.entries()) {
    yield `${index === 0 ? '' : ','}\n    ${JSON.stringify(fact.id)}: ${indentedJson(factOf(fact), 4)}`;
  }
  yield facts.length === 0 ? '}\n}\n' : '\n  }\n}\n';
}

/** A prefix for the scheme of the entity that no taxonomy of the report has. */
function unusedPrefix({ frameworks }: XbrlPlan): string {
  const taken = new Set(frameworks.map(({ prefix }) => prefix));
  let prefix = 'scheme';
  for (let number = 2; taken.has(prefix); number += 1) prefix = `scheme-${number}`;
  return prefix;
}

/** Without decimals the value is exact. */
function amountOf({ text, decimals }: PlannedFact) {
  const value = xmlSafe(text); // Readers make XML of it.
  return decimals === null || decimals === 'INF' ? { value } : { value, decimals: Number(decimals) };
}

function contextDimensions(context: PlannedContext | undefined): Readonly<Record<string, string>> {
  if (context === undefined) throw new Error('A fact has no context.');
  const members = context.members.map(({ axis, member, typedValue }) => [axis, member ?? xmlSafe(typedValue ?? '')]);
  return { period: periodOf(context.period), ...Object.fromEntries(members) };
}

/** Days in this format end at the midnight that begins the next one. */
function periodOf(period: PlannedContext['period']): string {
  const midnight = (date: string): string => `${date}T00:00:00`;
  if ('instant' in period) return midnight(plusDays(period.instant, 1));
  return `${midnight(period.start)}/${midnight(plusDays(period.end, 1))}`;
}

/** A plain number has no unit in this format. */
function unitDimension(unit: PlannedUnit | undefined): string | undefined {
  if (unit === undefined) return undefined;
  if (unit.denominator !== null) return `${unit.numerator}/${unit.denominator}`;
  return unit.numerator === 'xbrli:pure' ? undefined : unit.numerator;
}

function sorted(names: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(names).sort(([a], [b]) => compareText(a, b)));
}
