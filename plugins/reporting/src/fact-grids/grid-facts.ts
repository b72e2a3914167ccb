import { decimal } from '@pacioli/blocks';
import type { ViewAxis } from './grid-request.ts';

/** A fact with its aspects, as the statement of a grid returns it. */
export interface GridFact {
  readonly id: string;
  readonly element_id: string;
  readonly qname: string;
  readonly element_name: string | null;
  readonly start_date: string | null;
  readonly end_date: string;
  readonly period_type: string;
  readonly duration_type: string | null;
  /** The exact number as text; null for a text. */
  readonly number: string | null;
  readonly decimals: string | null;
  readonly unit: string | null;
  readonly entity_id: string;
  readonly ticker: string | null;
  readonly cik: string | null;
  readonly entity_name: string | null;
  /** When the report of the fact was generated; null for facts without a report. */
  readonly reported_at: string | null;
}

/** INF is exact and more precise than any integer; an unknown precision is the least (reporting F-5). */
function precisionOf(decimals: string | null): number {
  if (decimals === 'INF') return Number.POSITIVE_INFINITY;
  return decimals !== null && /^-?\d+$/.test(decimals) ? Number(decimals) : Number.NEGATIVE_INFINITY;
}

/** The start of a duration. A balance has none, although one in a column of a report keeps that of the column (F-3). */
export function startOf({ period_type, start_date }: Pick<GridFact, 'period_type' | 'start_date'>): string | null {
  return period_type === 'instant' ? null : start_date;
}

/** True if the first of two facts for the same aspects is to be shown (V-6). */
export function isBetter(
  one: Pick<GridFact, 'decimals' | 'reported_at' | 'id'>,
  other: Pick<GridFact, 'decimals' | 'reported_at' | 'id'>,
): boolean {
  const [a, b] = [precisionOf(one.decimals), precisionOf(other.decimals)];
  if (a !== b) return a > b;
  const [newer, older] = [one.reported_at ?? '', other.reported_at ?? ''];
  return newer === older ? one.id > other.id : newer > older;
}

/** One fact for each element, period, unit and entity, newest periods first (V-6). */
export function distinctFacts(facts: readonly GridFact[]): readonly GridFact[] {
  const chosen = new Map<string, GridFact>();
  for (const fact of facts) {
    const key = JSON.stringify([fact.element_id, startOf(fact), fact.end_date, fact.unit, fact.entity_id]);
    const known = chosen.get(key);
    if (known === undefined || isBetter(fact, known)) chosen.set(key, fact);
  }
  return [...chosen.values()].sort(
    (a, b) =>
      compareText(b.end_date, a.end_date) ||
      compareText(a.qname, b.qname) ||
      compareText(a.entity_name ?? '', b.entity_name ?? '') ||
      compareText(startOf(a) ?? '', startOf(b) ?? '') ||
      compareText(a.id, b.id),
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The facts that all axes of a view select (V-6). */
export function selectedFacts(facts: readonly GridFact[], axes: readonly ViewAxis[]): readonly GridFact[] {
  return facts.filter((fact) =>
    axes.every(({ type, selected_members: selected, include_null_dimension: withNull }) => {
      if (selected === undefined || selected === null) return true;
      const members = membersOn(type, fact);
      return members.length === 0 ? withNull === true : members.some((member) => selected.includes(member));
    }),
  );
}

/** The names by which a view may select a fact on an axis. */
function membersOn(type: ViewAxis['type'], fact: GridFact): readonly string[] {
  const names: Readonly<Record<ViewAxis['type'], readonly (string | null)[]>> = {
    element: [fact.qname],
    period: [fact.end_date],
    entity: [fact.entity_id, fact.ticker, fact.cik, fact.entity_name],
  };
  return names[type].filter((name) => name !== null);
}

/** The elements, periods and entities of facts (V-9). */
export function dimensionsOf(facts: readonly GridFact[]) {
  const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort();
  const entityOf = ({ ticker, entity_name: name, entity_id: id }: GridFact): string => ticker ?? name ?? id;
  return [
    { name: 'Element', type: 'element' as const, members: distinct(facts.map(({ qname }) => qname)) },
    { name: 'Period', type: 'period' as const, members: distinct(facts.map((fact) => fact.end_date)).reverse() },
    { name: 'Entity', type: 'entity' as const, members: distinct(facts.map(entityOf)) },
  ];
}

interface ElementSummary {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly total?: number | null;
  readonly average?: number | null;
}

/**
 * The numbers of each element. Only movements in one unit are added, and of windows of one company that end on the same
 * day only the narrowest, so that a quarter does not count again in its year (V-8). Sums are exact.
 */
export function summaryOf(facts: readonly GridFact[]): Readonly<Record<string, ElementSummary>> {
  const byElement = new Map<string, GridFact[]>();
  for (const fact of facts) {
    if (fact.number !== null) byElement.set(fact.qname, [...(byElement.get(fact.qname) ?? []), fact]);
  }
  return Object.fromEntries([...byElement].map(([qname, found]) => [qname, summaryOfElement(found)]));
}

function summaryOfElement(facts: readonly GridFact[]): ElementSummary {
  const numbers = facts.map(({ number }) => Number(number));
  const range = { count: facts.length, min: Math.min(...numbers), max: Math.max(...numbers) };
  const isAdded = facts.every(({ period_type }) => period_type === 'duration');
  if (!isAdded || new Set(facts.map(({ unit }) => unit)).size > 1) return range;
  const narrowest = new Map<string, GridFact>();
  for (const fact of facts) {
    const key = `${fact.entity_id} ${fact.end_date}`;
    const known = narrowest.get(key);
    if (known === undefined || (fact.start_date ?? '') > (known.start_date ?? '')) narrowest.set(key, fact);
  }
  const total = [...narrowest.values()].reduce((sum, { number }) => sum.plus(decimal(number ?? '0')), decimal('0'));
  return { ...range, total: total.toNumber(), average: total.div(narrowest.size).toNumber() };
}
