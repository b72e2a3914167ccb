import type { BundleConcept, BundleStructure, PreferredLabel } from '../bundle/index.ts';

/** A concept in the presentation of a statement. */
interface Place {
  readonly concept: string;
  readonly label: PreferredLabel | null;
}

interface DatedStatement {
  readonly places: readonly Place[];
  readonly rows: readonly { readonly place: Place; readonly row: { readonly values: readonly unknown[] } }[];
  readonly concepts: ReadonlyMap<string, BundleConcept>;
}

/** Statements of movements, also where their only row is a balance, such as the cash of a month without flows. */
const ofPeriods: ReadonlySet<string> = new Set([
  'income_statement',
  'comprehensive_income',
  'cash_flow_statement',
  'equity_statement',
]);

/**
 * True for a statement whose columns are days and not periods (reporting G-7a). Of one without rows, such as that of
 * empty books, its concepts tell, or without any its type.
 */
export function isOfDays({ blockType }: BundleStructure, { places, rows, concepts }: DatedStatement): boolean {
  if (ofPeriods.has(blockType)) return false;
  if (rows.length > 0) {
    return rows.every(({ place: { concept, label }, row }) => {
      return row.values.length === 0 || (concepts.get(concept)?.periodType === 'instant' && label !== 'periodStart');
    });
  }
  const own = places.flatMap(({ concept }) => concepts.get(concept) ?? []).filter(({ isAbstract }) => !isAbstract);
  return own.length > 0 ? own.every(({ periodType }) => periodType === 'instant') : blockType === 'balance_sheet';
}
