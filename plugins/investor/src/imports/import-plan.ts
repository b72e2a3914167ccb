import type { PositionFields } from '../positions/index.ts';
import type { SecurityFields } from '../securities/index.ts';
import type { FilePosition } from './portfolio-file.ts';

/** A security to create; its issuer may still have to be found by its source graph. */
export type PlannedSecurity = Omit<SecurityFields, 'issuer_origin'>;

/** The rows that an import writes; every position has a different security. */
export interface ImportPlan {
  readonly positions: readonly PlannedPosition[];
  /** Issuers of the file that are not entities of the graph. */
  readonly unknownIssuers: readonly string[];
}

export interface PlannedPosition {
  /** The id of a security of the graph, or one to create. */
  readonly security: string | PlannedSecurity;
  readonly fields: Omit<PositionFields, 'security_id'>;
}

/** The fields of a position, with what its empty cells stand for. */
export function positionFields(
  position: FilePosition,
  defaults: { readonly quantityType: string; readonly currency: string },
): PlannedPosition['fields'] {
  return {
    quantity: position.quantity,
    quantity_type: position.quantityType ?? defaults.quantityType,
    cost_basis: position.costBasis,
    currency: position.currency ?? defaults.currency,
    current_value: position.currentValue,
    valuation_date: position.valuationDate,
    valuation_source: position.valuationSource,
    acquisition_date: position.acquisitionDate,
    notes: position.notes,
  };
}
