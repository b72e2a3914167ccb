import { decimal } from '@pacioli/blocks';
import { isCurrency, minorDigits } from '@pacioli/ledger';
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

/** A number of a JSON body as it is stored; undefined beyond ±(2^53 − 1), where such numbers skip whole ones (M-10). */
export function observedNumber(value: number): Decimal | undefined {
  return Math.abs(value) > Number.MAX_SAFE_INTEGER ? undefined : storedNumber(decimal(value));
}

type Measured = Pick<ElementPart, 'itemType' | 'isMonetary'>;

/** The unit of a metric by its item type; amounts are in the currency of the books (M-11). */
export function unitOf(element: Measured, currency: string): string {
  if (isAmount(element)) return currency;
  return element.itemType === 'days' ? 'days' : 'pure';
}

/** True if a number in this unit can be an operand: amounts of other currencies are never mixed in (M-5). */
export function isInUnitOf(element: Measured, unit: string | null, currency: string): boolean {
  return isAmount(element) || (unit !== null && isCurrency(unit)) ? unit === currency : true;
}

/** The item types whose values are rounded quotients. */
const quotients: ReadonlySet<string | null> = new Set(['ratio', 'percent', 'multiple']);

/**
 * The precision of a stored number: the minor digits of an amount that has no smaller part, 0 of another whole number
 * that is no quotient, otherwise 6 places (F-5, M-11).
 */
export function decimalsOf(element: Measured, value: Decimal, currency: string): string {
  if (quotients.has(element.itemType)) return `${decimalPlaces}`;
  const digits = isAmount(element) ? minorDigits(currency) : 0;
  return value.round(digits, halfEven).eq(value) ? `${digits}` : `${decimalPlaces}`;
}

function isAmount({ itemType, isMonetary }: Measured): boolean {
  return itemType === 'monetary' || (itemType === null && isMonetary);
}
