import type { PreferredLabel } from '../../statement-facts/index.ts';

/**
 * A report as all formats write it (reporting G-8): plain data without ids of the store that a reader could not resolve.
 * Concepts are named by `prefix:LocalName`, unique within the bundle and safe in XML and in IRIs.
 */
export interface ReportBundle {
  /** The address below which the service names its own resources, without a slash at its end (reporting 13.2). */
  readonly base: string;
  readonly report: BundleReport;
  readonly entity: BundleEntity;
  /** The namespaces of the concepts, by prefix. */
  readonly frameworks: readonly BundleFramework[];
  readonly columns: readonly BundleColumn[];
  /** By qname. */
  readonly concepts: readonly BundleConcept[];
  /** In display order (reporting P-24). */
  readonly structures: readonly BundleStructure[];
  /** By id; one for each value of an element, entity, period, unit and members, whatever the number of statements. */
  readonly facts: readonly BundleFact[];
  readonly factSets: readonly BundleFactSet[];
  readonly rules: readonly BundleRule[];
  readonly results: readonly BundleResult[];
  /** Set by `withForecast` alone, for documents for people; no stored bundle and no export has one (reporting X-41). */
  readonly forecast?: BundleForecast;
}

/** The months of a scenario after a report, as columns of some of its statements (reporting G-7b). */
export interface BundleForecast {
  readonly name: string;
  /** A column of several months has the sums of movements, and the balances of its last day. */
  readonly monthsPerColumn: 1 | 3 | 12;
  readonly columns: readonly BundleColumn[];
  /** The statements that have these columns. */
  readonly structureIds: readonly string[];
  /** `YYYY-MM`, in order: months between the report and the last column that no column has. */
  readonly missingMonths: readonly string[];
  /** `YYYY-MM`, in order: months of the columns that have actual statements by now. */
  readonly closedMonths: readonly string[];
}

export interface BundleReport {
  readonly id: string;
  readonly generation: number;
  readonly name: string;
  readonly style: string | null;
  readonly filingStatus: 'draft' | 'filed';
  /** An instant in UTC; null unless the report is filed. */
  readonly filedAt: string | null;
  /** The report that this one restates. */
  readonly supersedes: { readonly id: string; readonly generation: number } | null;
}

export interface BundleEntity {
  readonly id: string;
  readonly name: string;
  /** The scheme of the identifier: of this service, of the LEI or of the SEC (reporting X-34). */
  readonly scheme: string;
  readonly identifier: string;
}

export interface BundleFramework {
  readonly prefix: string;
  /** Null for concepts without a namespace of their own (reporting X-2). */
  readonly namespace: string | null;
}

export interface BundleColumn {
  readonly start: string;
  readonly end: string;
  readonly label: string;
}

export type BundleElementType = 'concept' | 'abstract' | 'axis' | 'member' | 'hypercube';

export interface BundleConcept {
  readonly qname: string;
  readonly label: string;
  readonly documentation: string | null;
  readonly elementType: BundleElementType;
  readonly itemType: string | null;
  readonly balance: 'debit' | 'credit' | null;
  readonly periodType: 'instant' | 'duration';
  readonly isAbstract: boolean;
}

export interface BundleStructure {
  readonly id: string;
  readonly name: string;
  readonly blockType: string;
  readonly conceptArrangement: string | null;
  readonly arcs: readonly BundleArc[];
  /** What was checked when the statement was generated, and what the checks found. */
  readonly checks: readonly string[];
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
}

export type ArcKind = 'presentation' | 'calculation';

/** A relation between two concepts of a structure. Arcs of a kind are in print order. */
export interface BundleArc {
  readonly kind: ArcKind;
  readonly from: string;
  readonly to: string;
  readonly order: number;
  /** Of calculations only. */
  readonly weight: number | null;
  /** Of presentations only: the role of the label to show (reporting X-28). */
  readonly preferredLabel: PreferredLabel | null;
}

export type BundlePeriod = { readonly instant: string } | { readonly start: string; readonly end: string };

/** Exactly one of `value` and `text` is set. */
export interface BundleFact {
  readonly id: string;
  readonly concept: string;
  readonly entityId: string;
  readonly period: BundlePeriod;
  /** An exact decimal in units of currency, with the stored sign (reporting F-7, F-8). */
  readonly value: string | null;
  readonly unit: string | null;
  readonly decimals: string | null;
  readonly text: string | null;
  readonly contentType: string | null;
  readonly members: readonly BundleMember[];
  readonly factSetIds: readonly string[];
  /** The part of a total that is its own and not of its parts (reporting S-32); set for facts of a forecast alone. */
  readonly directAmount?: string;
}

/** Exactly one of `member` and `typedValue` is set. */
export interface BundleMember {
  readonly axis: string;
  readonly member: string | null;
  readonly typedValue: string | null;
}

export interface BundleFactSet {
  readonly id: string;
  /** Null for facts whose structure is unknown here (reporting P-25). */
  readonly structureId: string | null;
  /** Where the facts come from (reporting 1.3). */
  readonly origin: string;
  readonly startedAt: string;
  /** The user who generated the set; null on copies from another graph. */
  readonly agent: string | null;
  /** URNs of what the facts were made from. */
  readonly used: readonly string[];
}

export interface BundleRule {
  readonly id: string;
  readonly name: string;
  /** The pattern or kind of the rule. */
  readonly pattern: string;
  readonly expression: string;
  readonly severity: string;
  /** Each variable with its concept, such as `Assets rs-gaap:Assets`. */
  readonly variables: readonly string[];
}

export interface BundleResult {
  readonly id: string;
  readonly ruleId: string;
  readonly structureId: string;
  readonly factSetId: string | null;
  readonly status: string;
  readonly message: string | null;
  readonly evaluatedAt: string;
}

/** The namespaces and the local names of IRIs that only this report uses begin with it (reporting X-1). */
export function reportIri({ base, report }: Pick<ReportBundle, 'base' | 'report'>): string {
  return `${base}/report/${report.id}/${report.generation}`;
}

/** Identifies a period within a report (reporting X-1). */
export function periodKey(period: BundlePeriod): string {
  return 'instant' in period ? `i-${period.instant}` : `d-${period.start}-${period.end}`;
}

/** Compares texts by code unit, which is the same in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
