import { groupBy } from '../values/index.ts';
import type {
  CalculationArc,
  CashFlowDerivation,
  CuratedGaap,
  EquityChange,
  NoncashItem,
} from '../vocabulary/index.ts';
import type { StatementStructure } from './statement-structure.ts';

/** The lines of the cash flow and of the equity statement that a concept of a style moves (taxonomy-data 5). */
export interface CashFlowSources {
  /** The indirect network, to whose leaves the homes lead, whatever network the style presents. */
  readonly network: StatementStructure;
  /** True for cash, restricted cash and details of them (reporting S-12). */
  isCash(qname: string): boolean;
  /**
   * The rows of taxonomy-data 5.1 of the concept, or those of the nearest total above it that has some; none for cash
   * and for concepts without such a total.
   */
  homesOf(qname: string): readonly CashFlowDerivation[];
  /** The position in taxonomy-data 5.1 of the first row that leads to the leaf; undefined if none does. */
  positionOf(leaf: string): number | undefined;
  /** In the order of taxonomy-data 5.2. */
  readonly noncashItems: readonly NoncashItem[];
  /** The rows of taxonomy-data 5.3 for the legal form of the style. */
  readonly equityChanges: readonly EquityChange[];
  /** The row of the concept, or that of the nearest total above it; undefined without one. */
  equityChangeOf(qname: string): EquityChange | undefined;
}

const cashNetwork = 'D-Cash';

/** Builds the tables of each style; the walks above a concept are shared by the styles of one balance sheet. */
export function cashFlowSources(
  gaap: CuratedGaap,
  network: StatementStructure,
): (style: { readonly code: string; readonly balanceSheet: string }) => CashFlowSources {
  const cash = new Set(gaap.calculation.filter(({ structure }) => structure === cashNetwork).map(({ item }) => item));
  const rows = groupBy(gaap.cashFlowDerivation, ({ balanceSheetConcept }) => balanceSheetConcept);
  const positions = new Map<string, number>();
  for (const [index, { cashFlowConcept }] of gaap.cashFlowDerivation.entries()) {
    if (!positions.has(cashFlowConcept)) positions.set(cashFlowConcept, index);
  }
  return ({ code, balanceSheet }) => {
    const nearest = nearestAbove(gaap, balanceSheet);
    const home = (qname: string): string | undefined => nearest(qname, (name) => cash.has(name) || rows.has(name));
    const form = code.split('-')[1];
    const equityChanges = gaap.equityChanges.filter((row) => row.form === form);
    const byConcept = new Map(equityChanges.map((row) => [row.equityConcept, row]));
    return {
      network,
      isCash: (qname) => cash.has(home(qname) ?? ''),
      homesOf: (qname) => rows.get(home(qname) ?? '') ?? [],
      positionOf: (leaf) => positions.get(leaf),
      noncashItems: gaap.noncashItems,
      equityChanges,
      equityChangeOf: (qname) => byConcept.get(nearest(qname, (name) => byConcept.has(name)) ?? ''),
    };
  };
}

type Nearest = (qname: string, isWanted: (name: string) => boolean) => string | undefined;

/**
 * Finds the nearest wanted concept at or above a concept: first within the balance sheet and its details, then also
 * through the disclosures, by name (taxonomy M-9).
 */
function nearestAbove(gaap: CuratedGaap, balanceSheet: string): Nearest {
  const own = new Set([balanceSheet, `${balanceSheet.replace(/-(PART|LLC)$/, '')}-detail`]);
  const disclosures = new Map(
    gaap.structures
      .filter(({ blockType }) => blockType === 'regulatory_disclosure')
      .map(({ key, name }) => [key, name]),
  );
  const nameOf = ({ structure }: CalculationArc): string => disclosures.get(structure) ?? '';
  const ownArcs = gaap.calculation.filter(({ structure }) => own.has(structure));
  const disclosureArcs = gaap.calculation
    .filter(({ structure }) => disclosures.has(structure))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0));
  const steps = [ownArcs, [...ownArcs, ...disclosureArcs]].map((arcs) => groupBy(arcs, ({ item }) => item));
  return (qname, isWanted) => {
    for (const above of steps) {
      const found = breadthFirst(qname, above, isWanted);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

function breadthFirst(
  start: string,
  above: ReadonlyMap<string, readonly CalculationArc[]>,
  isWanted: (name: string) => boolean,
): string | undefined {
  const reached = new Set([start]);
  // A set keeps its order and is extended while it is read.
  for (const name of reached) {
    if (isWanted(name)) return name;
    for (const { total } of above.get(name) ?? []) reached.add(total);
  }
  return undefined;
}
