import { decimal } from '@pacioli/blocks';
import type { ElementPart } from '@pacioli/taxonomy';

/** An exact decimal. */
export type Decimal = ReturnType<typeof decimal>;

const decimalPlaces = 6;
const halfEven = 2;
/** Facts are stored with 18 digits before the decimal point (B-0.7). */
const firstTooLarge = decimal('1e18');

/** Rounds to 6 places, half to even (F-5); undefined if a fact cannot hold the number. */
export function storedNumber(value: Decimal): Decimal | undefined {
  const rounded = value.round(decimalPlaces, halfEven);
  return rounded.abs().gte(firstTooLarge) ? undefined : rounded;
}

/** The unit of a metric by its item type (M-11). */
export function unitOf({ itemType, isMonetary }: Pick<ElementPart, 'itemType' | 'isMonetary'>): string {
  if (itemType === 'monetary' || (itemType === null && isMonetary)) return 'USD';
  return itemType === 'days' ? 'days' : 'pure';
}

/** The precision of a computed value: cents of an amount that has no smaller part, otherwise 6 places (F-5). */
export function decimalsOf(value: Decimal, unit: string): string {
  return unit === 'USD' && value.round(2, halfEven).eq(value) ? '2' : `${decimalPlaces}`;
}
