import type { Transaction } from '@pacioli/core';

export const validationModes = ['residual_as_default', 'strict', 'warn_only'] as const;
export type ValidationMode = (typeof validationModes)[number];

/** A filter on the lines of the source that explain a change: those whose flow tag is one of the values. */
export interface AttributionFilter {
  readonly target_qname: string;
  readonly target_element_id: string;
  readonly predicate: {
    readonly kind: 'line_item_metadata_field';
    /** The key of a line's metadata to read when the line has no `flow_element_id`. */
    readonly field: string;
    readonly values: readonly string[];
  };
}

/** A roll-forward as it is stored; the mechanics of its block. */
export interface RollforwardDefinition {
  readonly kind: 'rollforward';
  readonly bs_source_element_id: string;
  readonly bs_source_qname: string;
  readonly default_change_tag_element_id: string | null;
  readonly default_change_tag_qname: string | null;
  readonly attribution_filters: readonly AttributionFilter[];
  readonly validation_mode: ValidationMode;
}

/** The roll-forward definition in the metadata of a structure; undefined for other structures. */
export function rollforwardOf(metadata: Readonly<Record<string, unknown>>): RollforwardDefinition | undefined {
  const kept = metadata['rollforward'];
  const isDefinition = typeof kept === 'object' && kept !== null && 'kind' in kept && kept.kind === 'rollforward';
  // Only blocks of this kind are written with a definition under the key.
  return isDefinition ? (kept as RollforwardDefinition) : undefined;
}

/** Sums of the lines of the source, debit-positive minor units. */
export interface RollforwardSums {
  readonly delta: bigint;
  /** For each filter in order; undefined when it matched no line. */
  readonly matched: readonly (bigint | undefined)[];
}

/** One part of the change; the element is null when no element represents it. */
export interface RollforwardFact {
  readonly elementId: string | null;
  readonly qname: string;
  /** Debit-positive minor units. */
  readonly amount: bigint;
}

export interface Rollforward {
  readonly delta: bigint;
  readonly matched: bigint;
  readonly residual: bigint;
  readonly facts: readonly RollforwardFact[];
  /**
   * Sentences about amounts that are unexplained or left out; null when there are none, or when they are reported as a
   * fact.
   */
  readonly diagnostic: string | null;
}

/** Splits the change of the source into flows (reporting B-36, B-37). A strict one with a residual has a diagnostic. */
export function rollForward(definition: RollforwardDefinition, sums: RollforwardSums): Rollforward {
  const facts = definition.attribution_filters.flatMap((filter, index): readonly RollforwardFact[] => {
    const amount = sums.matched[index];
    return amount === undefined ? [] : [{ elementId: filter.target_element_id, qname: filter.target_qname, amount }];
  });
  const matched = facts.reduce((sum, fact) => sum + fact.amount, 0n);
  const residual = sums.delta - matched;
  const totals = { delta: sums.delta, matched, residual };
  if (residual === 0n) return { ...totals, facts, diagnostic: null };
  if (definition.validation_mode !== 'residual_as_default') {
    const diagnostic = `${definition.bs_source_qname} changed by ${sums.delta}, of which ${matched} is explained; the residual is ${residual}.`;
    return { ...totals, facts, diagnostic };
  }
  const rest: RollforwardFact = {
    elementId: definition.default_change_tag_element_id,
    qname: definition.default_change_tag_qname ?? `${definition.bs_source_qname}#residual`,
    amount: residual,
  };
  return { ...totals, facts: [...facts, rest], diagnostic: null };
}

/** Explains changes of balances, for reports (reporting B-36). */
export interface RollforwardReads {
  /**
   * Splits the change between two days, both inclusive, by the flows of the block. 404 for an unknown block; 422 when a
   * strict block leaves a residual (reporting B-37).
   */
  evaluate(
    tx: Transaction,
    request: { readonly structureId: string; readonly periodStart: string; readonly periodEnd: string },
  ): Promise<Rollforward>;
}
