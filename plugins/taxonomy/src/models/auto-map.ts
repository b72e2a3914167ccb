import { model, nullable, oneOf } from '@pacioli/core';
import { type Static, Type } from 'typebox';

const named = (title: string, more = {}) =>
  model(title, { id: Type.String(), code: nullable(Type.String()), name: Type.String(), ...more });

/** The result of a run (taxonomy AM-12). */
export const autoMapElementsResult = model('AutoMapElementsResult', {
  mapped: Type.Integer(),
  flagged: Type.Integer(),
  skipped: Type.Integer(),
  unclassified: Type.Integer(),
  unclassified_elements: Type.Array(named('UnclassifiedElement')),
  /** Arcs that the checks of a mapping rejected; counted as skipped. */
  refused_elements: Type.Array(named('RefusedElement', { reason: Type.String() })),
  coverage_percent: Type.Number(),
  passes: Type.Integer(),
  stop_reason: oneOf(['complete', 'no_progress', 'insufficient_credits', 'pass_cap_reached']),
  engine: oneOf(['deterministic', 'model', 'mixed']),
  message: Type.String(),
});

export type AutoMapResult = Static<typeof autoMapElementsResult>;
