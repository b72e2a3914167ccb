import { type BundleFact, type BundlePeriod, compareText, periodKey, type ReportBundle } from '../bundle/index.ts';
import { xhtmlOf } from '../documents/index.ts';
import type { PlannedContext, PlannedFact, PlannedUnit } from './plan.ts';
import { partsOf } from './plan-concepts.ts';

/** The contexts, units and facts of an instance. */
export interface InstancePlan {
  readonly contexts: readonly PlannedContext[];
  readonly units: readonly PlannedUnit[];
  readonly facts: readonly PlannedFact[];
}

/** Every fact once, in a context for each period and members (reporting ). Throws for two values of a fact. */
export function planInstance({ facts }: Pick<ReportBundle, 'facts'>): InstancePlan {
  const contexts = new NamedParts<PlannedContext>();
  const units = new NamedParts<PlannedUnit>();
  const factIds = new Set<string>();
  const planned = facts.map((fact): PlannedFact => {
    const { period, members, unit, decimals, value, text, concept } = fact;
    const context = contexts.add(JSON.stringify([periodKey(period), members]), contextId(fact), (id) => {
      return { id, period, members };
    });
    const own = unit === null ? null : units.add(unit, unitId(unit), (id) => ({ id, ...measuresOf(unit) }));
    return {
      id: unusedId(factIds, `f_${partsOf(concept).local}_${context}`),
      concept,
      context,
      unit: own,
      decimals,
      text: value ?? (fact.contentType === 'text/markdown' ? xhtmlOf(text ?? '') : (text ?? '')),
    };
  });
  refuseInconsistent(planned);
  const byId = (a: { readonly id: string }, b: { readonly id: string }): number => compareText(a.id, b.id);
  return { contexts: contexts.all().sort(byId), units: units.all().sort(byId), facts: planned.sort(byId) };
}

/** No reader could tell which of two values is right (reporting X-37). */
function refuseInconsistent(facts: readonly PlannedFact[]): void {
  const values = new Map<string, Map<string, string>>();
  for (const { concept, context, unit, text } of facts) {
    const own = values.get(concept) ?? new Map<string, string>();
    values.set(concept, own);
    const aspects = `${context} ${unit}`;
    const earlier = own.get(aspects);
    if (earlier !== undefined && earlier !== text) {
      throw new Error(`The report has duplicate inconsistent facts of ${concept}: ${earlier} and ${text}.`);
    }
    own.set(aspects, text);
  }
}

/** Parts that are named once for each key; a name that another key has gets a number. */
class NamedParts<Part extends { readonly id: string }> {
  readonly #byKey = new Map<string, Part>();
  readonly #ids = new Set<string>();

  add(key: string, wanted: string, make: (id: string) => Part): string {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known.id;
    const part = make(unusedId(this.#ids, wanted));
    this.#byKey.set(key, part);
    return part.id;
  }

  all(): Part[] {
    return [...this.#byKey.values()];
  }
}

function unusedId(taken: Set<string>, wanted: string): string {
  let id = wanted;
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}_${number}`;
  taken.add(id);
  return id;
}

function contextId({ period, members }: Pick<BundleFact, 'period' | 'members'>): string {
  const names = members.map(({ axis, member, typedValue }) => {
    return member === null ? `${partsOf(axis).local}${idPart(typedValue ?? '')}` : partsOf(member).local;
  });
  return [periodId(period), ...names].join('_');
}

function periodId(period: BundlePeriod): string {
  const compact = (date: string): string => date.replaceAll('-', '');
  if ('instant' in period) return `I_${compact(period.instant)}`;
  return `D_${compact(period.start)}_${compact(period.end)}`;
}

function idPart(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_.-]/g, '').slice(0, 50);
}

function unitId(unit: string): string {
  const part = idPart(unit.replaceAll('/', 'Per'));
  return /^[A-Za-z_]/.test(part) ? part : `U${part}`;
}

/** Reporting X-35; a unit that the standards do not know is a plain number. */
function measuresOf(unit: string): Omit<PlannedUnit, 'id'> {
  const [numerator = '', denominator] = unit.split('/');
  return { numerator: measureOf(numerator), denominator: denominator === undefined ? null : measureOf(denominator) };
}

function measureOf(unit: string): string {
  if (/^[A-Z]{3}$/.test(unit)) return `iso4217:${unit}`;
  return unit === 'shares' ? 'xbrli:shares' : 'xbrli:pure';
}
