import { type Decimal, multiply, plain } from './decimal.ts';
import type { Amount, BookingMethod, Transaction } from './directives.ts';

/** The lot of a position. */
export interface Cost {
  readonly number: Decimal;
  readonly currency: string;
  readonly date: string | null;
  readonly label: string | null;
}

/** A posting with every number known. */
export interface BookedPosting {
  readonly line: number;
  readonly account: string;
  readonly units: Amount;
  readonly cost: Cost | null;
  readonly price: Amount | null;
  /** True when its numbers were inferred from the other postings, so that they do not determine the tolerance. */
  readonly isInterpolated: boolean;
}

export interface BookedTransaction {
  readonly source: Omit<Transaction, 'postings' | 'kind'>;
  readonly postings: readonly BookedPosting[];
}

/** The state of the accounts before the transaction that is being booked. */
export interface BookingState {
  readonly inventories: Map<string, Inventory>;
  readonly methods: ReadonlyMap<string, BookingMethod>;
  readonly defaultMethod: BookingMethod;
}

/** The amount that a posting adds to the balance of its transaction: at cost, else at price, else its units. */
export function weightOf(posting: Pick<BookedPosting, 'units' | 'cost' | 'price'>): Amount {
  const { units, cost, price } = posting;
  if (cost !== null) return { number: multiply(cost.number, units.number), currency: cost.currency };
  if (price !== null) return { number: multiply(price.number, units.number), currency: price.currency };
  return units;
}

export interface Position {
  readonly units: Amount;
  readonly cost: Cost | null;
}

/** The positions of one account by lot, in the order of acquisition. */
export type Inventory = Map<string, Position>;

/** Two positions are one lot when currency, cost, date and label are equal. */
export function lotKey(currency: string, cost: Cost | null): string {
  return JSON.stringify([currency, cost && [plain(cost.number), cost.currency, cost.date, cost.label]]);
}
