export type BalanceType = 'debit' | 'credit';
export type PeriodType = 'instant' | 'duration';

/** A concept or heading of a shipped framework. */
export interface FrameworkElement {
  readonly qname: string;
  readonly localName: string;
  readonly label: string;
  readonly itemType: string | null;
  /** Null where the concept has no side: totals of cash flows, shares, texts, headings. */
  readonly balance: BalanceType | null;
  readonly period: PeriodType;
  readonly isAbstract: boolean;
  readonly isMonetary: boolean;
  /** The element of financial statements (taxonomy T-10), `metric` for derived subtotals. */
  readonly trait: string | null;
  readonly liquidity: string | null;
  readonly activity: string | null;
  /** True for a name that the public taxonomy lacks: no `us-gaap:` alias (taxonomy LB-20). */
  readonly isExtension: boolean;
  readonly nameVerified: boolean;
  readonly balanceChecked: boolean;
}

export interface FrameworkStructure {
  readonly key: string;
  readonly name: string;
  readonly blockType: string;
  readonly conceptArrangement: string;
  readonly roleUri: string;
}

/** All qnames below carry the framework's prefix. */
export interface PresentationArc {
  readonly structure: string;
  readonly parent: string;
  readonly child: string;
  readonly order: number;
}

export interface CalculationArc {
  readonly structure: string;
  readonly total: string;
  readonly item: string;
  readonly weight: number;
  readonly order: number;
}

export interface RollForwardArc {
  readonly structure: string;
  readonly balanceConcept: string;
  readonly changeConcept: string;
  readonly sign: number;
  readonly order: number;
}

export interface ReportingStyle {
  readonly code: string;
  readonly name: string;
  readonly balanceSheet: string;
  readonly incomeStatement: string;
  readonly cashFlowStatement: string;
  readonly equityStatement: string;
  readonly comprehensiveIncome: string;
  readonly retainedEarnings: string;
  readonly defaultFor: string | null;
}

export interface CrosswalkRow {
  readonly fac: string;
  readonly usGaap: string;
  readonly priority: number;
}

export interface CashFlowDerivation {
  readonly balanceSheetConcept: string;
  readonly cashFlowConcept: string;
  readonly section: string;
  readonly weight: number;
}

/**
 * An income item without a cash effect: its adjustment line, and the balances whose change contains the other side
 * (taxonomy-data 5.2).
 */
export interface NoncashItem {
  readonly incomeConcept: string;
  readonly cashFlowConcept: string;
  /** Names of concept families, each by one of its balance sheet concepts, in order. */
  readonly absorbedBy: readonly string[];
}

/** The lines of the equity statement that show how an equity concept changed, by legal form (taxonomy-data 5.3). */
export interface EquityChange {
  readonly form: string;
  readonly equityConcept: string;
  readonly increase: string;
  readonly decrease: string;
}

/** A concept of an earlier release, with its replacement (taxonomy LB-5). */
export interface RetiredConcept {
  readonly qname: string;
  readonly replacedBy: string;
}

/** A shipped metric; its formula is written over local names of metrics and of concepts (reporting M-2). */
export interface FrameworkMetric {
  readonly element: FrameworkElement;
  readonly formula: string;
}

/** A shipped driver of forecasts; local names of the driven line, and of drivers and concepts in its formula. */
export interface FrameworkDriver {
  readonly element: FrameworkElement;
  readonly drives: string;
  /** The value of the driven line in a month; `X[t-1]` is the value of the month before (reporting R-9). */
  readonly formula: string;
}

export interface CatchAll {
  readonly trait: string;
  readonly liquidity: string | null;
  readonly concept: string;
}

export interface Synonym {
  readonly words: readonly string[];
  readonly trait: string;
  readonly concept: string;
  readonly baseScore: number;
  readonly isExact: boolean;
}

/** An abbreviation in account names and its expansion; with a trait, only for accounts of a compatible trait. */
export interface Abbreviation {
  readonly short: readonly string[];
  readonly words: readonly string[];
  readonly trait: string | null;
}

/** The share, 0 to 1, of the shipped chart templates that use the concept. */
export interface ConceptPrior {
  readonly concept: string;
  readonly share: number;
}

export interface Identity {
  readonly id: string;
  readonly left: string;
  readonly operator: string;
  readonly right: string;
  readonly appliesWhen: string;
}

export interface Imputation {
  readonly order: number;
  readonly target: string;
  readonly requires: readonly string[];
  readonly formula: string;
}

export interface Trait {
  readonly category: string;
  readonly identifier: string;
}

/** The fundamental accounting concepts; names in identities and imputation are local names. */
export interface FundamentalConcepts {
  readonly elements: readonly FrameworkElement[];
  readonly identities: readonly Identity[];
  readonly imputation: readonly Imputation[];
}

/** The curated US GAAP selection. */
export interface CuratedGaap {
  readonly elements: readonly FrameworkElement[];
  readonly structures: readonly FrameworkStructure[];
  readonly presentation: readonly PresentationArc[];
  readonly calculation: readonly CalculationArc[];
  readonly rollForward: readonly RollForwardArc[];
  readonly styles: readonly ReportingStyle[];
  readonly crosswalk: readonly CrosswalkRow[];
  readonly cashFlowDerivation: readonly CashFlowDerivation[];
  readonly noncashItems: readonly NoncashItem[];
  readonly equityChanges: readonly EquityChange[];
  /** In the order of their presentation. */
  readonly metrics: readonly FrameworkMetric[];
  /** In the order of their presentation. */
  readonly drivers: readonly FrameworkDriver[];
  readonly retired: readonly RetiredConcept[];
  readonly catchAlls: readonly CatchAll[];
  readonly synonyms: readonly Synonym[];
  readonly abbreviations: readonly Abbreviation[];
  readonly priors: readonly ConceptPrior[];
}

export interface Frameworks {
  readonly traits: readonly Trait[];
  readonly fac: FundamentalConcepts;
  readonly gaap: CuratedGaap;
}
