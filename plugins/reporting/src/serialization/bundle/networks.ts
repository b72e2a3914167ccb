import type { PreferredLabel } from '../../statement-facts/index.ts';
import { type BundleArc, compareText } from './bundle.ts';

/** A relation of a structure as its taxonomy has it. */
export interface SourceArc {
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  readonly order: number;
  readonly weight: number | null;
  /** Of presentations: the role that its author prefers. */
  readonly preferredLabel?: PreferredLabel | null;
}

/** A structure and its concepts, as far as its arcs depend on them. Concepts are named by qname. */
export interface NetworkSource {
  readonly blockType: string;
  readonly arcs: readonly SourceArc[];
  /** The concepts with facts in the structure. */
  readonly reported: ReadonlySet<string>;
  isAbstract(qname: string): boolean;
  /** The signs of the changes that explain a balance, by balance, in a roll-forward of the library. */
  readonly rollForwards: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/**
 * The arcs of a structure that lead to reported concepts, in print order, with the labels that tell totals, opening and
 * closing balances and amounts with a reversed sign (reporting X-28, S-30).
 */
export function networkArcs(source: NetworkSource): readonly BundleArc[] {
  const presentation = distinct(source.arcs.filter(({ kind }) => kind === 'presentation'));
  const shown = unrolled(reportedBranches(presentation, source.reported), source);
  const calculation = distinct(source.arcs.filter(({ kind }) => kind === 'calculation'));
  const signs = signsOf(source, calculation);
  const parents = new Set(shown.map(({ from }) => from));
  const presented = printOrder(shown).map((arc): BundleArc => {
    const written = arc.mark ?? arc.preferredLabel ?? null;
    const isTotal = parents.has(arc.to) && !source.isAbstract(arc.to);
    const isNegated = (signs.get(arc.to) ?? 1) < 0;
    const { from, to, order } = arc;
    return {
      kind: 'presentation',
      from,
      to,
      order,
      weight: null,
      preferredLabel: written ?? role(isTotal, isNegated),
    };
  });
  const summed = calculation
    .filter(({ from, to }) => source.reported.has(from) && source.reported.has(to))
    .sort((a, b) => compareText(a.from, b.from) || a.order - b.order || compareText(a.to, b.to))
    .map(({ from, to, order, weight }): BundleArc => {
      return { kind: 'calculation', from, to, order, weight: weight ?? 1, preferredLabel: null };
    });
  return [...presented, ...summed];
}

function role(isTotal: boolean, isNegated: boolean): PreferredLabel | null {
  if (isTotal) return isNegated ? 'negatedTotal' : 'total';
  return isNegated ? 'negated' : null;
}

/** The first arc of each pair of concepts, for each label that its author prefers (reporting S-24). */
function distinct(arcs: readonly SourceArc[]): readonly SourceArc[] {
  const seen = new Set<string>();
  return [...arcs]
    .sort((a, b) => a.order - b.order || compareText(a.to, b.to))
    .filter(({ from, to, preferredLabel }) => {
      const key = `${from} ${to} ${preferredLabel ?? ''}`;
      const isNew = from !== to && !seen.has(key);
      seen.add(key);
      return isNew;
    });
}

/** The arcs on the way from the roots to a reported concept. */
function reportedBranches(arcs: readonly SourceArc[], reported: ReadonlySet<string>): readonly SourceArc[] {
  const parentsOf = new Map<string, string[]>();
  for (const { from, to } of arcs) parentsOf.set(to, [...(parentsOf.get(to) ?? []), from]);
  const kept = new Set(reported);
  // A set keeps its order and is extended while it is read.
  for (const qname of kept) for (const parent of parentsOf.get(qname) ?? []) kept.add(parent);
  return arcs.filter(({ to }) => kept.has(to));
}

interface MarkedArc extends SourceArc {
  readonly mark: 'periodStart' | 'periodEnd' | null;
}

/** Presents a balance before and after the changes that explain it, instead of above them. */
function unrolled(arcs: readonly SourceArc[], source: NetworkSource): readonly MarkedArc[] {
  const parents = new Set(arcs.map(({ from }) => from));
  const balances = new Set(arcs.map(({ to }) => to).filter((to) => parents.has(to) && source.rollForwards.has(to)));
  return arcs.flatMap((arc): readonly MarkedArc[] => {
    if (balances.has(arc.from)) return [];
    if (!balances.has(arc.to)) return [{ ...arc, mark: null }];
    const changes = arcs.filter(({ from }) => from === arc.to);
    // Between the places of the balance and of its next sibling.
    const place = (index: number): number => arc.order + index / (changes.length + 2);
    return [
      { ...arc, mark: 'periodStart' },
      ...changes.map((change, index) => ({ ...change, from: arc.from, order: place(index + 1), mark: null })),
      { ...arc, order: place(changes.length + 1), mark: 'periodEnd' },
    ];
  });
}

/** The signs that turn stored values into the effects that the statement shows (reporting S-12a, S-30). */
function signsOf(source: NetworkSource, calculation: readonly SourceArc[]): ReadonlyMap<string, number> {
  const signs = new Map<string, number>();
  if (source.blockType === 'equity_statement') {
    for (const changes of source.rollForwards.values()) for (const [qname, sign] of changes) signs.set(qname, sign);
  }
  if (source.blockType !== 'cash_flow_statement') return signs;
  const parts = new Set(calculation.map(({ to }) => to));
  const known = new Map(calculation.filter(({ from }) => !parts.has(from)).map(({ from }) => [from, 1]));
  // A map keeps its order and is extended while it is read.
  for (const [total, sign] of known) {
    for (const { from, to, weight } of calculation) {
      if (from === total && !known.has(to)) known.set(to, (weight ?? 1) < 0 ? -sign : sign);
    }
  }
  return known;
}

/** Depth first from the roots, each parent's children by order, numbered from 1. */
function printOrder(arcs: readonly MarkedArc[]): readonly MarkedArc[] {
  const children = new Map<string, MarkedArc[]>();
  for (const arc of arcs) children.set(arc.from, [...(children.get(arc.from) ?? []), arc]);
  const below = new Set(arcs.map(({ to }) => to));
  const ordered: MarkedArc[] = [];
  const visited = new Set<string>();
  const descend = (parent: string): void => {
    if (visited.has(parent)) return;
    visited.add(parent);
    const own = (children.get(parent) ?? []).toSorted((a, b) => a.order - b.order || compareText(a.to, b.to));
    for (const [index, arc] of own.entries()) {
      ordered.push({ ...arc, order: index + 1 });
      descend(arc.to);
    }
  };
  for (const root of [...children.keys()].filter((qname) => !below.has(qname)).sort(compareText)) descend(root);
  return ordered;
}
