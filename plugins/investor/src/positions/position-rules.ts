import { invalidInput } from '@pacioli/core';
import { plusDays } from '@pacioli/core/calendar';
import { normalizedText, quantityText } from '../values/index.ts';
import type { PositionFields, PositionRow } from './stored-positions.ts';

/** A position to add, as the caller sends it. */
export interface NewPosition {
  readonly security_id: string;
  readonly quantity: number;
  readonly quantity_type?: string;
  readonly cost_basis?: number;
  readonly currency?: string;
  readonly current_value?: number | null;
  readonly valuation_date?: string | null;
  readonly valuation_source?: string | null;
  readonly acquisition_date?: string | null;
  readonly notes?: string | null;
}

/** Changes of a position: an absent field stays; null clears a field that may be empty, and leaves the others (I-30). */
export interface PositionPatch {
  readonly id: string;
  readonly quantity?: number | null;
  readonly quantity_type?: string | null;
  readonly cost_basis?: number | null;
  readonly current_value?: number | null;
  readonly valuation_date?: string | null;
  readonly valuation_source?: string | null;
  readonly acquisition_date?: string | null;
  readonly notes?: string | null;
}

export interface Disposal {
  readonly id: string;
  readonly disposition_reason?: string | null;
}

/** The fields of a new position with their defaults; `field` names it in messages (P-4, P-5). */
export function positionOf(given: NewPosition, { field, today }: { field: string; today: string }): PositionFields {
  requirePastDates(given, { field, today });
  return {
    security_id: given.security_id,
    quantity: quantityText(given.quantity, `${field}.quantity`),
    quantity_type: given.quantity_type ?? 'shares',
    cost_basis: given.cost_basis ?? 0,
    currency: (given.currency ?? 'USD').toUpperCase(),
    current_value: given.current_value ?? null,
    valuation_date: given.valuation_date ?? null,
    valuation_source: normalizedText(given.valuation_source),
    acquisition_date: given.acquisition_date ?? null,
    notes: normalizedText(given.notes),
  };
}

/** The fields of a position after a patch. */
export function patchedPosition(present: PositionRow, patch: PositionPatch): PositionFields {
  return {
    security_id: present.security_id,
    currency: present.currency,
    quantity: patch.quantity == null ? present.quantity : quantityText(patch.quantity, 'quantity'),
    quantity_type: patch.quantity_type ?? present.quantity_type,
    cost_basis: patch.cost_basis ?? present.cost_basis,
    current_value: changed(patch.current_value, present.current_value),
    valuation_date: changed(patch.valuation_date, present.valuation_date),
    valuation_source: changed(textOf(patch.valuation_source), present.valuation_source),
    acquisition_date: changed(patch.acquisition_date, present.acquisition_date),
    notes: changed(textOf(patch.notes), present.notes),
  };
}

const changed = <Value>(given: Value | undefined, present: Value): Value => (given === undefined ? present : given);

const textOf = (text: string | null | undefined) => (text === undefined ? undefined : normalizedText(text));

/** Requires that dates are at most one day ahead, which is today somewhere on the earth (P-6). */
export function requirePastDates(
  position: { readonly acquisition_date?: string | null; readonly valuation_date?: string | null },
  { field, today }: { readonly field: string; readonly today: string },
): void {
  const latest = plusDays(today, 1);
  for (const name of ['acquisition_date', 'valuation_date'] as const) {
    const date = position[name];
    if (date != null && date > latest)
      throw invalidInput(`${field}.${name}: must not be more than one day in the future; ${date} is after ${latest}.`);
  }
}

/** Requires that no position is named twice in the changes and disposals of a call (P-13). */
export function requireNamedOnce(patches: readonly PositionPatch[], disposals: readonly Disposal[]): void {
  const seen = new Set<string>();
  for (const { id } of [...patches, ...disposals]) {
    if (seen.has(id)) throw invalidInput(`Position ${id} appears more than once in the deltas.`);
    seen.add(id);
  }
}

/** True if the patch changes what is fixed once a position is no longer held (P-15). */
export function changesHolding(patch: PositionPatch): boolean {
  return patch.quantity != null || patch.quantity_type != null || patch.cost_basis != null;
}
