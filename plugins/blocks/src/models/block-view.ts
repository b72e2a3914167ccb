import type { ConnectionPart, ElementPart, StructurePart } from '@pacioli/taxonomy';
import type { StoredFact, StoredFactSet } from './facts.ts';
import type { Rule } from './rules.ts';

/** A structure in the form that its envelope shows. */
export type BlockStructure = StructurePart;
export type BlockElement = ElementPart;
export type BlockConnection = ConnectionPart;

/** One period of a view. */
export interface ViewColumn {
  readonly start: string;
  readonly end: string;
  readonly factSetId: string;
  /** True for a forecast month (B-24). */
  readonly isForecast: boolean;
}

/** The input of a viewer for one block. */
export interface ViewSubject {
  readonly structure: BlockStructure;
  /** The elements of all connections in order of first appearance, then other elements that have bound texts. */
  readonly elements: readonly BlockElement[];
  readonly connections: readonly BlockConnection[];
  readonly rules: readonly Rule[];
  readonly factSet: StoredFactSet | undefined;
  /** Ascending by end, then start (B-24). */
  readonly columns: readonly ViewColumn[];
  /** The facts that belong in the columns (B-22). */
  readonly facts: readonly StoredFact[];
}

// The lists below are mutable because the wire models are.

export interface RenderingRow {
  readonly element_id: string;
  readonly element_name: string;
  readonly element_qname: string | null;
  readonly classification: string | null;
  readonly balance_type: string | null;
  readonly item_type: string | null;
  /** One value for each column; empty for a text row and in a text block (T-7). */
  readonly values: (number | null)[];
  readonly text_value: string | null;
  readonly is_subtotal: boolean;
  readonly depth: number;
}

export interface RenderingPeriod {
  readonly start: string;
  readonly end: string;
  readonly label: string | null;
  readonly forecast: boolean | null;
}

export interface RenderingValidation {
  readonly passed: boolean;
  readonly status: string;
  readonly checks: string[];
  readonly failures: string[];
  readonly warnings: string[];
}

export interface Rendering {
  readonly rows: RenderingRow[];
  readonly periods: RenderingPeriod[];
  readonly validation: RenderingValidation | null;
  readonly unmapped_count: number;
}

export interface ChartPanel {
  readonly label: string | null;
  readonly item_type: string | null;
  readonly kind: string;
  readonly series: { readonly key: string; readonly element_id: string; readonly label: string }[];
}

/** The `view` of an envelope, with wire names. */
export interface BlockView {
  readonly rendering: Rendering | null;
  readonly chart: { readonly panels: ChartPanel[] } | null;
}
