import { groupBy } from '../values/index.ts';
import type { BalanceType, CuratedGaap, PeriodType, PresentationArc } from '../vocabulary/index.ts';
import type { LibraryElementRow, LibraryStructureRow } from './library.ts';

/** One contribution to a total. */
export interface StatementContribution {
  readonly elementId: string;
  readonly qname: string;
  readonly weight: number;
}

/** One line of a statement, in print order: headings first, items before their total. */
export interface StatementRow {
  readonly elementId: string;
  readonly qname: string;
  readonly label: string;
  /** 0 for the root; a total stands at the depth of its own place, its items one deeper. */
  readonly depth: number;
  readonly parentQname: string | null;
  readonly isAbstract: boolean;
  /** True for a line that sums the lines presented below it. */
  readonly isTotal: boolean;
  /** Null where the concept has no side, such as the totals of cash flows. */
  readonly balance: BalanceType | null;
  readonly period: PeriodType;
  readonly itemType: string | null;
  readonly trait: string | null;
  readonly liquidity: string | null;
  readonly order: number;
  /** What the line is the sum of in this statement; empty for leaves. It may name lines that are not below it. */
  readonly calculation: readonly StatementContribution[];
  /** The changes that explain an opening and a closing balance, in roll-forward statements. */
  readonly rollForward: readonly StatementContribution[];
}

/** A statement network of the library with its lines in print order. */
export interface StatementStructure {
  readonly structureId: string;
  readonly key: string;
  readonly name: string;
  readonly blockType: string;
  readonly conceptArrangement: string | null;
  readonly roleUri: string;
  readonly rows: readonly StatementRow[];
}

/** Lays out one network of the library; throws when it names something that is not defined. */
export function statementStructure(
  key: string,
  gaap: CuratedGaap,
  elements: ReadonlyMap<string, LibraryElementRow>,
  structures: ReadonlyMap<string, LibraryStructureRow>,
): StatementStructure {
  const structure = structures.get(key);
  if (structure === undefined) throw new Error(`The structure ${key} is not defined.`);
  const arcs = gaap.presentation.filter((arc) => arc.structure === key);
  const childNames = new Set(arcs.map(({ child }) => child));
  const roots = [...new Set(arcs.map(({ parent }) => parent).filter((name) => !childNames.has(name)))];
  const layout: Layout = {
    children: groupBy(
      [...arcs].sort((a, b) => a.order - b.order || (a.child < b.child ? -1 : 1)),
      ({ parent }) => parent,
    ),
    calculation: contributions(key, gaap, elements),
    rollForward: rollForwards(key, gaap, elements),
    elements,
  };
  return {
    structureId: structure.id,
    key,
    name: structure.name,
    blockType: structure.blockType,
    conceptArrangement: structure.conceptArrangement,
    roleUri: structure.roleUri,
    rows: roots.flatMap((qname) => rowsBelow({ qname, depth: 0, parentQname: null, order: 0 }, layout)),
  };
}

interface Layout {
  readonly children: ReadonlyMap<string, readonly PresentationArc[]>;
  readonly calculation: ReadonlyMap<string, readonly StatementContribution[]>;
  readonly rollForward: ReadonlyMap<string, readonly StatementContribution[]>;
  readonly elements: ReadonlyMap<string, LibraryElementRow>;
}

type Place = Pick<StatementRow, 'qname' | 'depth' | 'parentQname' | 'order'>;

/** The checker proved that the network has no cycle, so the recursion ends; statements are at most ten levels deep. */
function rowsBelow(place: Place, layout: Layout): readonly StatementRow[] {
  const children = layout.children.get(place.qname) ?? [];
  const row = statementRow(place, children.length > 0, layout);
  const below = children.flatMap(({ child, order }) =>
    rowsBelow({ qname: child, depth: place.depth + 1, parentQname: place.qname, order }, layout),
  );
  return row.isTotal ? [...below, row] : [row, ...below];
}

function statementRow(place: Place, hasChildren: boolean, layout: Layout): StatementRow {
  const element = elementOf(place.qname, layout.elements);
  const rollForward = layout.rollForward.get(place.qname) ?? [];
  return {
    ...place,
    elementId: element.id,
    label: element.name,
    isAbstract: element.isAbstract,
    isTotal: hasChildren && !element.isAbstract && rollForward.length === 0,
    balance: element.balanceType,
    period: element.periodType,
    itemType: element.itemType,
    trait: element.trait,
    liquidity: element.liquidity,
    calculation: layout.calculation.get(place.qname) ?? [],
    rollForward,
  };
}

function contributions(key: string, gaap: CuratedGaap, elements: ReadonlyMap<string, LibraryElementRow>) {
  const arcs = gaap.calculation.filter(({ structure }) => structure === key).sort((a, b) => a.order - b.order);
  return grouped(
    arcs.map(({ total, item, weight }) => ({ owner: total, part: item, weight })),
    elements,
  );
}

function rollForwards(key: string, gaap: CuratedGaap, elements: ReadonlyMap<string, LibraryElementRow>) {
  const arcs = gaap.rollForward.filter(({ structure }) => structure === key).sort((a, b) => a.order - b.order);
  const parts = arcs.map((arc) => ({ owner: arc.balanceConcept, part: arc.changeConcept, weight: arc.sign }));
  return grouped(parts, elements);
}

function grouped(
  arcs: readonly { readonly owner: string; readonly part: string; readonly weight: number }[],
  elements: ReadonlyMap<string, LibraryElementRow>,
): ReadonlyMap<string, readonly StatementContribution[]> {
  const groups = new Map<string, StatementContribution[]>();
  for (const { owner, part, weight } of arcs) {
    const contribution = { elementId: elementOf(part, elements).id, qname: part, weight };
    const group = groups.get(owner);
    if (group === undefined) groups.set(owner, [contribution]);
    else group.push(contribution);
  }
  return groups;
}

function elementOf(qname: string, elements: ReadonlyMap<string, LibraryElementRow>): LibraryElementRow {
  const element = elements.get(qname);
  if (element === undefined) throw new Error(`The element ${qname} is not defined.`);
  return element;
}
