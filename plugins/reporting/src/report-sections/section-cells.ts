import { isBetter, presentationRows, startOf } from '../fact-grids/index.ts';
import type { FactMember, SectionContent, SectionElement, SectionFact } from './section-reader.ts';

/** A period of a section, as a column of its table. */
export interface SectionColumn {
  readonly key: string;
  readonly start: string | null;
  readonly end: string;
  readonly type: string;
  readonly duration: string | null;
}

/** The number of an element in a period, for one combination of members or, with the empty key, for none. */
export interface Cell {
  readonly element: string;
  readonly period: string;
  readonly memberKey: string;
  readonly fact: SectionFact;
}

/** A row of a section before columns and members are chosen. */
export interface SectionRow {
  readonly element: SectionElement;
  /** The elements above it, from the top. */
  readonly path: readonly string[];
  readonly preferredLabel: string | null;
}

/** `YYYY-MM-DD` of a balance, `start..end` of a movement (V-15). */
function periodKey(fact: SectionFact): string {
  const start = startOf(fact);
  return start === null ? fact.end_date : `${start}..${fact.end_date}`;
}

/** The periods of the numbers of a section, newest first, balances before movements. */
export function columnsOf(facts: readonly SectionFact[]): readonly SectionColumn[] {
  const found = new Map<string, SectionColumn>();
  for (const fact of facts) {
    if (fact.fact_type !== 'Numeric') continue;
    const key = periodKey(fact);
    found.set(key, {
      key,
      start: startOf(fact),
      end: fact.end_date,
      type: fact.period_type,
      duration: fact.duration_type,
    });
  }
  return [...found.values()].sort((a, b) => (a.end === b.end ? (a.key < b.key ? -1 : 1) : a.end < b.end ? 1 : -1));
}

/** The numbers of a section; of two for the same place the more precise (V-6). */
export function cellsOf(content: SectionContent): readonly Cell[] {
  const keys = memberKeys(content);
  const chosen = new Map<string, Cell>();
  for (const fact of content.facts) {
    if (fact.fact_type !== 'Numeric' || fact.value === null) continue;
    const cell = { element: fact.element, period: periodKey(fact), memberKey: keys.get(fact.id) ?? '', fact };
    const place = JSON.stringify([cell.element, cell.period, cell.memberKey]);
    const known = chosen.get(place);
    if (known === undefined || isBetter(fact, known.fact)) chosen.set(place, cell);
  }
  return [...chosen.values()];
}

/** The members of each fact in the order of their axes, joined; a typed one with its axis (V-15). */
function memberKeys({ members, elements }: SectionContent): ReadonlyMap<string, string> {
  const byFact = new Map<string, FactMember[]>();
  for (const member of members) byFact.set(member.fact, [...(byFact.get(member.fact) ?? []), member]);
  const nameOf = (id: string): string => elements.get(id)?.qname ?? id;
  const textOf = ({ axis, member, is_typed: isTyped }: FactMember): string =>
    isTyped ? `${nameOf(axis)}=${member}` : nameOf(member);
  return new Map([...byFact].map(([fact, found]) => [fact, found.map(textOf).join(' | ')]));
}

/** The axes of a section with the members that have facts, most reported first (V-14). */
export function axesOf({ members, elements }: SectionContent) {
  const axes = new Map<string, { readonly isTyped: boolean; readonly counts: Map<string, number> }>();
  for (const { axis, member, is_typed: isTyped } of members) {
    const known = axes.get(axis) ?? { isTyped, counts: new Map<string, number>() };
    known.counts.set(member, (known.counts.get(member) ?? 0) + 1);
    axes.set(axis, known);
  }
  return [...axes].map(([axis, { isTyped, counts }]) => ({
    axis: elements.get(axis)?.qname ?? axis,
    label: elements.get(axis)?.label ?? axis,
    members: [...counts]
      .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
      .map(([member, facts]) => ({
        member: elements.get(member)?.qname ?? member,
        label: elements.get(member)?.label ?? member,
        facts,
      })),
    ...(isTyped ? { typed: true } : {}),
  }));
}

/**
 * The elements of a section in print order: those with facts and the headings above them. Facts of elements that the
 * presentation does not have follow at its end.
 */
export function rowsOf(content: SectionContent): readonly SectionRow[] {
  const reported = new Set(content.facts.map(({ element }) => element));
  const places = presentationRows(content.presentation, (element) => reported.has(element));
  const placed = new Set(places.map(({ element }) => element));
  const rest = [...reported].filter((element) => !placed.has(element)).sort();
  return [...places, ...rest.map((element) => ({ element, path: [], preferredLabel: null }))].map((place) => ({
    element: content.elements.get(place.element) ?? unnamed(place.element),
    path: place.path,
    preferredLabel: place.preferredLabel,
  }));
}

function unnamed(id: string): SectionElement {
  return { id, qname: id, label: null, is_abstract: false };
}
