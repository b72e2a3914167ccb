import { type Inventory, lotKey, type Position } from './booked.ts';
import { add, isZero, signOf } from './decimal.ts';
import type { Amount } from './directives.ts';

/** Adds a position to its lot; an empty lot is removed. */
export function addPosition(inventory: Inventory, position: Position): void {
  const key = lotKey(position.units.currency, position.cost);
  const before = inventory.get(key);
  const number = before === undefined ? position.units.number : add(before.units.number, position.units.number);
  if (isZero(number)) inventory.delete(key);
  else inventory.set(key, { units: { number, currency: position.units.currency }, cost: position.cost });
}

/** True when some lot of this currency has the opposite sign, so that the units reduce it. */
export function isReducedBy(inventory: Inventory, units: Amount): boolean {
  const sign = signOf(units.number);
  if (sign === 0) return false;
  for (const position of inventory.values()) {
    if (position.units.currency === units.currency && signOf(position.units.number) !== sign) return true;
  }
  return false;
}

/** The only currency of units in the inventory, or null when there are none or several. */
export function singleCurrency(inventory: Inventory | undefined): string | null {
  return onlyOne([...(inventory?.values() ?? [])].map((position) => position.units.currency));
}

/** The only currency of costs in the inventory, or null when there are none or several. */
export function singleCostCurrency(inventory: Inventory | undefined): string | null {
  return onlyOne([...(inventory?.values() ?? [])].flatMap(({ cost }) => (cost === null ? [] : [cost.currency])));
}

function onlyOne(currencies: readonly string[]): string | null {
  const distinct = new Set(currencies);
  const [first] = distinct;
  return distinct.size === 1 ? (first ?? null) : null;
}
