import type { CashFlowSources, NoncashItem } from '@pacioli/taxonomy';

export type Section = 'operating' | 'investing' | 'financing';

/** A line of the cash flow that is not a total. */
export interface FlowLeaf {
  readonly qname: string;
  /** Effect on cash = stored value × sign (reporting S-12a). */
  readonly sign: 1n | -1n;
  /** Null outside the three sections, such as for the effect of exchange rates. */
  readonly section: Section | null;
  /** The place in the order of taxonomy-data 5.1; after all rows for other leaves. */
  readonly position: number;
}

/**
 * Concepts with the same leaves (reporting S-12b). Two leaves are one for outflows and one for inflows; a family with
 * one leaf has it twice.
 */
export interface Family {
  readonly inflow: FlowLeaf;
  readonly outflow: FlowLeaf;
  readonly section: Section | null;
  readonly position: number;
}

/** The treatment of the lines of an account in the cash flow. */
export type Home =
  | { readonly kind: 'cash' }
  | { readonly kind: 'income'; readonly item: NoncashItem | undefined }
  /** `isGuessed` for a concept that the table lacks, which takes the line of its class. */
  | { readonly kind: 'family'; readonly family: Family; readonly isGuessed: boolean }
  | { readonly kind: 'unmapped' };

export type ConceptClass = 'current asset' | 'noncurrent asset' | 'liability' | 'equity';

/** Properties of concepts that the other statements of the style determine. */
export interface ConceptTests {
  isIncome(qname: string): boolean;
  /** True for a line of the income statement, whose amount the cash flow repeats (reporting F-7). */
  isIncomeLine(qname: string): boolean;
  classOf(qname: string): ConceptClass;
}

/** The leaves of the cash flow, and the way from an account to them. */
export interface FlowNetwork {
  readonly leaves: ReadonlyMap<string, FlowLeaf>;
  readonly noncashItems: readonly NoncashItem[];
  /** The leaf that a line names by its element; never one that repeats a line of the income statement. */
  leafOfElement(elementId: string): FlowLeaf | undefined;
  readonly leafElementIds: readonly string[];
  /** The home of an account mapped to the concept; undefined stands for an account without one. */
  homeOf(qname: string | undefined): Home;
  /** The families that a non-cash item names, in order. */
  absorbersOf(item: NoncashItem): readonly Family[];
  /** The leaf for amounts without another home (reporting S-15). */
  readonly reconciling: FlowLeaf;
  readonly otherNoncash: FlowLeaf;
}

const local = (name: string): string => `rs-gaap:${name}`;
export const netChangeInCash = local(
  'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseIncludingExchangeRateEffect',
);
export const netIncomeLeaf = local('ProfitLoss');
export const operatingTotal = local('NetCashProvidedByUsedInOperatingActivities');
export const sectionTotals: Readonly<Record<Section, string>> = {
  operating: operatingTotal,
  investing: local('NetCashProvidedByUsedInInvestingActivities'),
  financing: local('NetCashProvidedByUsedInFinancingActivities'),
};

/** The leaf of concepts that no row of taxonomy-data 5.1 covers (reporting S-12b, step 5). */
const leavesOfClasses: Readonly<Record<ConceptClass, string>> = {
  'current asset': local('IncreaseDecreaseInOtherOperatingAssets'),
  'noncurrent asset': local('PaymentsForProceedsFromOtherInvestingActivities'),
  liability: local('IncreaseDecreaseInOtherOperatingLiabilities'),
  equity: local('ProceedsFromPaymentsForOtherFinancingActivities'),
};

/** Families that no row orders come after all that have one. */
const afterAllRows = 1_000_000;

/** Builds the network of a style; pure. Homes are resolved once for each concept. */
export function flowNetwork(sources: CashFlowSources, concepts: ConceptTests): FlowNetwork {
  const leaves = leavesOf(sources);
  const leaf = (qname: string): FlowLeaf => {
    const found = leaves.get(qname);
    if (found === undefined) throw new Error(`The cash flow has no line ${qname}.`);
    return found;
  };
  const families = new Map<string, Family>();
  const familyOf = (names: readonly string[]): Family => {
    const own = names.map(leaf);
    const key = names.toSorted().join(' ');
    const known = families.get(key);
    if (known !== undefined) return known;
    const [inflow = leaf(names[0] ?? ''), outflow = inflow] = own.toSorted((a, b) => Number(b.sign - a.sign));
    const family = {
      inflow,
      outflow,
      section: inflow.section,
      position: Math.min(...own.map((each) => each.position)),
    };
    families.set(key, family);
    return family;
  };
  const tabled = (qname: string): readonly string[] => sources.homesOf(qname).map((row) => row.cashFlowConcept);
  const items = new Map(sources.noncashItems.map((item) => [item.incomeConcept, item]));
  const homes = new Map<string, Home>();
  const resolve = (qname: string): Home => {
    if (concepts.isIncome(qname)) return { kind: 'income', item: items.get(qname) };
    if (leaves.has(qname)) return { kind: 'family', family: familyOf([qname]), isGuessed: false };
    if (sources.isCash(qname)) return { kind: 'cash' };
    const rows = tabled(qname);
    if (rows.length > 0) return { kind: 'family', family: familyOf(rows), isGuessed: false };
    return { kind: 'family', family: familyOf([leavesOfClasses[concepts.classOf(qname)]]), isGuessed: true };
  };
  const byElement = new Map(
    sources.network.rows.flatMap((row) => {
      const own = leaves.get(row.qname);
      return own === undefined || concepts.isIncomeLine(row.qname) ? [] : [[row.elementId, own] as const];
    }),
  );
  return {
    leaves,
    noncashItems: sources.noncashItems,
    leafOfElement: (id) => byElement.get(id),
    leafElementIds: [...byElement.keys()],
    homeOf: (qname) => {
      if (qname === undefined) return { kind: 'unmapped' };
      const home = homes.get(qname) ?? resolve(qname);
      homes.set(qname, home);
      return home;
    },
    absorbersOf: (item) => item.absorbedBy.map((name) => familyOf(tabled(name))),
    reconciling: leaf(local('IncreaseDecreaseInOtherOperatingCapitalNet')),
    otherNoncash: leaf(local('OtherNoncashIncomeExpense')),
  };
}

/** The parts below the net change in cash that are no totals, with the product of the weights on the way down. */
function leavesOf(sources: CashFlowSources): ReadonlyMap<string, FlowLeaf> {
  const parts = new Map(sources.network.rows.map((row) => [row.qname, row.calculation]));
  const sections = new Map(Object.entries(sectionTotals).map(([section, total]) => [total, section as Section]));
  const leaves = new Map<string, FlowLeaf>();
  const descend = (qname: string, sign: 1n | -1n, above: Section | null): void => {
    const section = sections.get(qname) ?? above;
    const below = parts.get(qname) ?? [];
    if (below.length === 0) {
      const position = sources.positionOf(qname) ?? afterAllRows + leaves.size;
      leaves.set(qname, { qname, sign, section, position });
    }
    for (const part of below) descend(part.qname, part.weight < 0 ? (-sign as 1n | -1n) : sign, section);
  };
  descend(netChangeInCash, 1n, null);
  return leaves;
}
