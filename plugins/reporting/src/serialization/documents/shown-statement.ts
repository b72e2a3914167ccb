import { plusDays } from '@pacioli/core/calendar';
import {
  type BundleArc,
  type BundleColumn,
  type BundleConcept,
  type BundleFact,
  type BundleStructure,
  compareText,
  factsByStructure,
  labelInRole,
  type PreferredLabel,
  periodKey,
  type ReportBundle,
} from '../bundle/index.ts';
import { isOfDays } from './statement-dates.ts';

/** A statement as people read it: rows in print order, with the signs of effects (reporting S-30). */
export interface ShownStatement {
  readonly name: string;
  readonly columns: readonly ShownColumn[];
  /** True if all amounts are of the last day of their column. */
  readonly isInstant: boolean;
  readonly rows: readonly ShownRow[];
  /** The sums of the statement, for checks by formulas. */
  readonly sums: readonly ShownSum[];
}

/** A column of a statement; those of a forecast follow the actual ones. */
export interface ShownColumn extends BundleColumn {
  readonly isForecast?: true;
}

export interface ShownRow {
  readonly kind: 'heading' | 'item' | 'total' | 'text';
  readonly concept: string;
  readonly label: string;
  readonly depth: number;
  /** True for amounts of money, which large statements show in thousands. */
  readonly isMoney: boolean;
  /** An exact decimal for each column, with the shown sign; null without a fact. Empty for headings and texts. */
  readonly values: readonly (string | null)[];
  /** Of texts. */
  readonly text: string | null;
  readonly contentType: string | null;
}

/** A total row and the rows that it sums. */
export interface ShownSum {
  /** The index of the row of the total. */
  readonly total: number;
  /** The indexes of the rows of its parts, with the factors that turn shown values into the shown total. */
  readonly parts: readonly { readonly row: number; readonly factor: number }[];
  /** For each column, what the total has of its own besides its parts, with the shown sign (reporting S-32). */
  readonly direct: readonly (string | null)[];
}

/** The statements of a report, and the facts that belong to none of them (reporting P-25). */
export function shownStatements(bundle: ReportBundle): readonly ShownStatement[] {
  const concepts = new Map(bundle.concepts.map((concept) => [concept.qname, concept]));
  const facts = factsByStructure(bundle);
  const statements = bundle.structures.map((structure) => {
    return shownStatement(structure, {
      concepts,
      columns: columnsOf(bundle, structure),
      facts: facts.get(structure.id) ?? [],
    });
  });
  const others = facts.get(null) ?? [];
  if (others.length === 0) return statements;
  return [...statements, shownStatement(otherFacts, { concepts, columns: bundle.columns, facts: others })];
}

function columnsOf({ columns, forecast }: ReportBundle, { id }: BundleStructure): readonly ShownColumn[] {
  if (forecast === undefined || !forecast.structureIds.includes(id)) return columns;
  return [...columns, ...forecast.columns.map((column) => ({ ...column, isForecast: true as const }))];
}

const otherFacts: BundleStructure = {
  id: '',
  name: 'Other facts',
  blockType: 'custom',
  conceptArrangement: null,
  arcs: [],
  checks: [],
  failures: [],
  warnings: [],
};

interface StatementParts {
  readonly concepts: ReadonlyMap<string, BundleConcept>;
  readonly columns: readonly ShownColumn[];
  readonly facts: readonly BundleFact[];
}

/** A place of the presentation. */
interface Place {
  readonly concept: string;
  readonly depth: number;
  readonly label: PreferredLabel | null;
}

function shownStatement(structure: BundleStructure, parts: StatementParts): ShownStatement {
  const presentation = structure.arcs.filter(({ kind }) => kind === 'presentation');
  const places = placesOf(presentation);
  const presented = new Set(places.map(({ concept }) => concept));
  const others = [...new Set(parts.facts.map(({ concept }) => concept))].filter((concept) => !presented.has(concept));
  const all = [...places, ...others.sort(compareText).map((concept) => ({ concept, depth: 0, label: null }))];
  const rows = all.flatMap((place) => rowsOf(place, parts)).filter(isShown);
  const shown = withoutEmptyHeadings(rows);
  const sums = sumsOf(structure, shown, parts);
  return {
    name: structure.name,
    columns: parts.columns,
    isInstant: isOfDays(structure, { places, rows: shown, concepts: parts.concepts }),
    rows: shown.map(({ place, row }, index) => {
      // A total without the role of one follows its parts on their level, such as the gross profit.
      const isTotal = place.label !== 'periodEnd' && sums.some(({ total }) => total === index);
      return isTotal ? { ...row, kind: 'total' } : row;
    }),
    sums,
  };
}

/** The places in print order: headings before their items, totals after theirs. */
function placesOf(arcs: readonly BundleArc[]): readonly Place[] {
  const children = new Map<string, BundleArc[]>();
  for (const arc of arcs) children.set(arc.from, [...(children.get(arc.from) ?? []), arc]);
  const below = new Set(arcs.map(({ to }) => to));
  const placed: Place[] = [];
  const visit = (place: Place, path: ReadonlySet<string>): void => {
    const isOpening = place.label === 'periodStart';
    const own = isOpening || path.has(place.concept) ? [] : (children.get(place.concept) ?? []);
    const isTotal = place.label === 'total' || place.label === 'negatedTotal' || place.label === 'periodEnd';
    if (!isTotal) placed.push(place);
    for (const { to, preferredLabel } of own) {
      const child = { concept: to, depth: place.depth + 1, label: preferredLabel };
      visit(child, new Set([...path, place.concept]));
    }
    if (isTotal) placed.push(place);
  };
  for (const root of [...children.keys()].filter((qname) => !below.has(qname))) {
    visit({ concept: root, depth: 0, label: null }, new Set());
  }
  return placed;
}

interface PlacedRow {
  readonly place: Place;
  readonly row: ShownRow;
}

function rowsOf(place: Place, { concepts, columns, facts }: StatementParts): readonly PlacedRow[] {
  const concept = concepts.get(place.concept);
  if (concept === undefined) return [];
  const own = facts.filter((fact) => fact.concept === place.concept);
  const { label, depth } = { label: labelInRole(concept.label, place.label), depth: place.depth };
  const base = { concept: place.concept, label, depth, isMoney: false, values: [], text: null, contentType: null };
  if (concept.isAbstract) return [{ place, row: { ...base, kind: 'heading' } }];
  const texts = own.filter(({ text }) => text !== null);
  const numbers = own.filter(({ value }) => value !== null);
  const kind = place.label === 'total' || place.label === 'negatedTotal' ? 'total' : 'item';
  const groups = [...new Set(numbers.map(memberKey))].sort(compareText);
  return [
    ...groups.map((key): PlacedRow => {
      const group = numbers.filter((fact) => memberKey(fact) === key);
      const values = columns.map((column) => shownValue(group, column, place.label));
      const members = key === '' ? '' : `: ${memberLabels(group[0], concepts)}`;
      const isMoney = group.every(({ unit }) => unit !== null && currencyPattern.test(unit));
      return { place, row: { ...base, kind, label: `${label}${members}`, isMoney, values } };
    }),
    ...texts.map(({ text, contentType }): PlacedRow => ({ place, row: { ...base, kind: 'text', text, contentType } })),
  ];
}

/** A code of ISO 4217; other units are `shares`, `pure` or quotients. */
const currencyPattern = /^[A-Z]{3}$/;

function memberKey({ members }: BundleFact): string {
  return members.length === 0 ? '' : JSON.stringify(members);
}

function memberLabels(fact: BundleFact | undefined, concepts: StatementParts['concepts']): string {
  const labels = (fact?.members ?? []).map(({ member, typedValue }) => {
    return member === null ? typedValue : (concepts.get(member)?.label ?? member);
  });
  return labels.join(', ');
}

/** The value of a column; an opening balance is that of the day before. */
function shownValue(facts: readonly BundleFact[], column: BundleColumn, role: PreferredLabel | null): string | null {
  return signed(factIn(facts, column, role)?.value, role);
}

function factIn(
  facts: readonly BundleFact[],
  { start, end }: BundleColumn,
  role: PreferredLabel | null,
): BundleFact | undefined {
  const instant = periodKey({ instant: role === 'periodStart' ? plusDays(start, -1) : end });
  const duration = periodKey({ start, end });
  return facts.find(({ period }) => [instant, duration].includes(periodKey(period)));
}

function signed(value: string | null | undefined, role: PreferredLabel | null): string | null {
  if (value === undefined || value === null) return null;
  return isNegated(role) ? negative(value) : value;
}

function isNegated(role: PreferredLabel | null): boolean {
  return role === 'negated' || role === 'negatedTotal';
}

function negative(decimal: string): string {
  if (isZero(decimal)) return decimal;
  return decimal.startsWith('-') ? decimal.slice(1) : `-${decimal}`;
}

function isZero(decimal: string): boolean {
  return /^-?0*\.?0*$/.test(decimal);
}

/** A row of zeros says nothing, as in the statements of the service. */
function isShown({ row }: PlacedRow): boolean {
  if (row.kind === 'heading' || row.kind === 'text') return true;
  return row.values.some((value) => value !== null && !isZero(value));
}

function withoutEmptyHeadings(rows: readonly PlacedRow[]): readonly PlacedRow[] {
  return rows.filter(({ row }, index) => {
    if (row.kind !== 'heading') return true;
    const next = rows.slice(index + 1).findIndex((other) => other.row.depth <= row.depth);
    const inside = next < 0 ? rows.slice(index + 1) : rows.slice(index + 1, index + 1 + next);
    return inside.some((other) => other.row.kind !== 'heading');
  });
}

/** The sums whose parts are all shown; a sum with a part that is not cannot be checked in the document. */
function sumsOf(
  structure: BundleStructure,
  rows: readonly PlacedRow[],
  { facts, columns }: Pick<StatementParts, 'facts' | 'columns'>,
): readonly ShownSum[] {
  const calculations = structure.arcs.filter(({ kind }) => kind === 'calculation');
  const indexOf = new Map<string, number>();
  for (const [index, { place, row }] of rows.entries()) {
    if (row.values.length > 0 && !indexOf.has(place.concept)) indexOf.set(place.concept, index);
  }
  const balance = (concept: string, role: PreferredLabel): number | undefined => {
    const row = rows.findIndex(({ place }) => place.concept === concept && place.label === role);
    return row < 0 ? undefined : row;
  };
  const signOf = (row: number): number => (isNegated(rows[row]?.place.label ?? null) ? -1 : 1);
  return [...new Set(calculations.map(({ from }) => from))].flatMap((total): readonly ShownSum[] => {
    // A roll-forward adds its changes to the opening balance.
    const opening = balance(total, 'periodStart');
    const row = opening === undefined ? indexOf.get(total) : balance(total, 'periodEnd');
    if (row === undefined) return [];
    const own = calculations.filter(({ from, to }) => from === total && hasAmount(facts, to));
    const parts = own.flatMap(({ to, weight }) => {
      const part = indexOf.get(to);
      return part === undefined ? [] : [{ row: part, factor: (weight ?? 1) * signOf(part) * signOf(row) }];
    });
    if (parts.length === 0 || parts.length < own.length) return [];
    const role = rows[row]?.place.label ?? null;
    const direct = columns.map((column) => directAmount(facts, { total, column, role }));
    return [{ total: row, parts: opening === undefined ? parts : [{ row: opening, factor: 1 }, ...parts], direct }];
  });
}

function directAmount(
  facts: readonly BundleFact[],
  of: { readonly total: string; readonly column: BundleColumn; readonly role: PreferredLabel | null },
): string | null {
  const own = facts.filter((fact) => fact.concept === of.total && fact.directAmount !== undefined);
  return signed(factIn(own, of.column, of.role)?.directAmount, of.role);
}

function hasAmount(facts: readonly BundleFact[], concept: string): boolean {
  return facts.some((fact) => fact.concept === concept && fact.value !== null && !isZero(fact.value));
}
