import type { PreferredLabel } from '../bundle/index.ts';

/** The content of a package, checked before it is written (reporting X-42). Concepts are named by qname. */
export interface XbrlPlan {
  /** The name of the only top folder and of the instance (reporting X-20). */
  readonly stem: string;
  /** The namespace of the report itself, which ends with a slash. */
  readonly space: string;
  readonly name: string;
  readonly generation: number;
  readonly publisher: string;
  readonly publishedOn: string;
  /** The namespaces of concepts, each with a schema of its own; that of the report is not among them. */
  readonly frameworks: readonly { readonly prefix: string; readonly namespace: string }[];
  readonly concepts: readonly PlannedConcept[];
  readonly roles: readonly PlannedRole[];
  readonly entity: { readonly scheme: string; readonly identifier: string };
  readonly contexts: readonly PlannedContext[];
  readonly units: readonly PlannedUnit[];
  readonly facts: readonly PlannedFact[];
  /** The contents that the package leaves out, as `omittedContent`. */
  readonly omitted: readonly string[];
}

export interface PlannedConcept {
  readonly qname: string;
  readonly prefix: string;
  readonly local: string;
  /** With its prefix, such as `xbrli:monetaryItemType`. */
  readonly type: string;
  readonly substitutionGroup: 'xbrli:item' | 'xbrldt:dimensionItem' | 'xbrldt:hypercubeItem';
  readonly periodType: 'instant' | 'duration';
  readonly balance: 'debit' | 'credit' | null;
  readonly isAbstract: boolean;
  /** The local name of the element that holds typed values of this axis. */
  readonly typedDomain: string | null;
  readonly labels: readonly { readonly role: PreferredLabel | 'standard' | 'documentation'; readonly text: string }[];
}

export interface PlannedRole {
  readonly id: string;
  readonly uri: string;
  readonly definition: string;
  readonly presentation: readonly PlannedArc[];
  readonly calculation: readonly PlannedArc[];
  readonly dimensions: readonly PlannedArc[];
}

export interface PlannedArc {
  readonly arcrole: string;
  readonly from: string;
  readonly to: string;
  readonly order: number;
  readonly weight?: 1 | -1;
  readonly preferredLabel?: PreferredLabel | undefined;
  /** On the arc from line items to their table. */
  readonly isHypercube?: true;
}

export interface PlannedContext {
  readonly id: string;
  readonly period: { readonly instant: string } | { readonly start: string; readonly end: string };
  readonly members: readonly {
    readonly axis: string;
    readonly member: string | null;
    readonly typedValue: string | null;
  }[];
}

export interface PlannedUnit {
  readonly id: string;
  readonly numerator: string;
  readonly denominator: string | null;
}

export interface PlannedFact {
  readonly id: string;
  readonly concept: string;
  readonly context: string;
  readonly unit: string | null;
  readonly decimals: string | null;
  readonly text: string;
}
