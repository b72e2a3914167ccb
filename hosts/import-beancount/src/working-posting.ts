import type { Cost } from './booked.ts';
import { absolute, add, type Decimal, divide, isZero, multiply } from './decimal.ts';
import { type CostSpec, type IncompleteAmount, missing, type ParsedPosting } from './directives.ts';

/** A posting during booking: its cost is a written specification until a lot is known. */
export interface WorkingPosting {
  readonly source: ParsedPosting;
  readonly units: IncompleteAmount;
  readonly spec: CostSpec | null;
  readonly lot: Cost | null;
  readonly price: IncompleteAmount | null;
}

/** Thrown when a transaction cannot be booked; the line is that of the posting at fault. */
export class BookingFailure extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** The unit cost from a specification and the number of units, or null while a part is missing. */
export function unitCost(spec: CostSpec, units: Decimal): Decimal | null {
  const { perUnit, total } = spec;
  if (perUnit === missing || total === missing) return null;
  if (total === null) return perUnit;
  if (isZero(units)) return null;
  const count = absolute(units);
  return divide(add(total, multiply(perUnit, count)), count);
}

/** The lot that an augmentation opens, dated with the transaction unless the specification has a date. */
export function lotOf(spec: CostSpec, units: Decimal, line: number): Cost {
  const number = unitCost(spec, units);
  if (number === null || spec.currency === missing) {
    throw new BookingFailure(line, 'the cost of this posting cannot be found; write its number and currency.');
  }
  return { number, currency: spec.currency, date: spec.date, label: spec.label };
}
