import type { CuratedGaap, FrameworkElement } from '../vocabulary/index.ts';

type Elements = ReadonlyMap<string, FrameworkElement>;

const netChangeInCash =
  'rs-gaap:CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseIncludingExchangeRateEffect';

/** The indirect cash flow: the homes of balance sheet changes are its leaves (taxonomy-data 5). */
const cashFlowNetwork = 'CF-indirect';
const operatingSection = 'operating';
const sectionTotals: Readonly<Record<string, string>> = {
  [operatingSection]: 'rs-gaap:NetCashProvidedByUsedInOperatingActivities',
  investing: 'rs-gaap:NetCashProvidedByUsedInInvestingActivities',
  financing: 'rs-gaap:NetCashProvidedByUsedInFinancingActivities',
};

/** A line of the cash flow that is no total. */
interface CashFlowLeaf {
  /** Product of the calculation weights up to the net change in cash (reporting S-12a). */
  readonly sign: number;
  readonly section: string | undefined;
}

/** Contradictions in the tables that the cash flow and the equity statement are made with (taxonomy-data 5). */
export function cashFlowProblems(gaap: CuratedGaap, elements: Elements): readonly string[] {
  const leaves = cashFlowLeaves(gaap);
  return [
    ...derivationProblems(gaap, elements, leaves),
    ...pairProblems(gaap, leaves),
    ...noncashProblems(gaap, elements, leaves),
    ...equityProblems(gaap, elements),
  ];
}

function cashFlowLeaves(gaap: CuratedGaap): ReadonlyMap<string, CashFlowLeaf> {
  const arcs = gaap.calculation.filter(({ structure }) => structure === cashFlowNetwork);
  const totals = new Set(arcs.map(({ total }) => total));
  const parentOf = new Map(arcs.map((arc) => [arc.item, arc]));
  const leaves = new Map<string, CashFlowLeaf>();
  for (const { item } of arcs) {
    if (totals.has(item)) continue;
    let sign = 1;
    let section: string | undefined;
    const passed = new Set<string>();
    let name = item;
    for (let arc = parentOf.get(name); arc !== undefined && !passed.has(name); arc = parentOf.get(name)) {
      passed.add(name);
      sign *= arc.weight;
      name = arc.total;
      section ??= Object.keys(sectionTotals).find((key) => sectionTotals[key] === name);
    }
    if (name === netChangeInCash) leaves.set(item, { sign, section });
  }
  return leaves;
}

function derivationProblems(
  gaap: CuratedGaap,
  elements: Elements,
  leaves: ReadonlyMap<string, CashFlowLeaf>,
): readonly string[] {
  return gaap.cashFlowDerivation.flatMap(({ balanceSheetConcept, cashFlowConcept, section, weight }) => {
    const problems: string[] = [];
    const [source, leaf] = [elements.get(balanceSheetConcept), leaves.get(cashFlowConcept)];
    if (source?.period === 'duration') problems.push('starts from a duration');
    if (elements.get(cashFlowConcept)?.period === 'instant') problems.push('leads to an instant');
    if (leaf === undefined) {
      problems.push('leads to no leaf of the cash flow');
    } else {
      if (leaf.section !== section) problems.push(`is of the section ${section} and leads into ${leaf.section}`);
      // Value of the leaf in its own sign = weight × natural change of the balance.
      const expected = source?.balance === 'credit' ? leaf.sign : -leaf.sign;
      if (weight !== expected) problems.push(`has the weight ${weight}, and the sides of its ends give ${expected}`);
    }
    return problems.map((problem) => `The derivation ${balanceSheetConcept} → ${cashFlowConcept} ${problem}.`);
  });
}

/** A balance has one leaf, or one leaf for outflows and one for inflows in the same section. */
function pairProblems(gaap: CuratedGaap, leaves: ReadonlyMap<string, CashFlowLeaf>): readonly string[] {
  const rows = new Map<string, CuratedGaap['cashFlowDerivation'][number][]>();
  for (const row of gaap.cashFlowDerivation) {
    rows.set(row.balanceSheetConcept, [...(rows.get(row.balanceSheetConcept) ?? []), row]);
  }
  return [...rows].flatMap(([concept, own]) => {
    if (own.length === 1) return [];
    const signs = new Set(own.map(({ cashFlowConcept }) => leaves.get(cashFlowConcept)?.sign));
    const isPair = own.length === 2 && signs.size === 2 && new Set(own.map(({ section }) => section)).size === 1;
    return isPair ? [] : [`${concept} must have one derivation, or one for inflows and one for outflows.`];
  });
}

function noncashProblems(
  gaap: CuratedGaap,
  elements: Elements,
  leaves: ReadonlyMap<string, CashFlowLeaf>,
): readonly string[] {
  const families = new Set(gaap.cashFlowDerivation.map(({ balanceSheetConcept }) => balanceSheetConcept));
  return gaap.noncashItems.flatMap(({ incomeConcept, cashFlowConcept, absorbedBy }) => {
    const problems: string[] = [];
    const [income, adjustment] = [elements.get(incomeConcept), elements.get(cashFlowConcept)];
    if (income?.period === 'instant') problems.push('starts from an instant');
    if (leaves.get(cashFlowConcept)?.section !== operatingSection) problems.push('leads to no operating leaf');
    // The adjustment has the value of the income item, so that one element never has two values in a report.
    if (income?.balance !== adjustment?.balance) problems.push('joins concepts of different sides');
    const unknown = absorbedBy.filter((name) => !families.has(name));
    if (unknown.length > 0) problems.push(`is absorbed by ${unknown.join(', ')}, which has no derivation`);
    return problems.map((problem) => `The non-cash item ${incomeConcept} → ${cashFlowConcept} ${problem}.`);
  });
}

function equityProblems(gaap: CuratedGaap, elements: Elements): readonly string[] {
  return gaap.equityChanges.flatMap(({ form, equityConcept, increase, decrease }) => {
    const problems: string[] = [];
    const network = `EQ-rollforward-${form}`;
    const lines = new Set(
      gaap.rollForward.filter(({ structure }) => structure === network).map(({ changeConcept }) => changeConcept),
    );
    if (elements.get(equityConcept)?.period === 'duration') problems.push('starts from a duration');
    const lost = [...new Set([increase, decrease])].filter((name) => !lines.has(name));
    if (lost.length > 0) problems.push(`names ${lost.join(', ')}, which ${network} does not show`);
    return problems.map((problem) => `The equity change of ${equityConcept} (${form}) ${problem}.`);
  });
}
