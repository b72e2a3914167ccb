import { type BookedPosting, type BookedTransaction, type BookingState, type Inventory, weightOf } from './booked.ts';
import { absolute, add, compare, type Decimal, plain, zero } from './decimal.ts';
import { type BookingMethod, missing, type ParsedPosting, type Transaction } from './directives.ts';
import { groupByCurrency } from './group-by-currency.ts';
import { interpolateGroup } from './interpolate.ts';
import { addPosition } from './inventory.ts';
import type { BookingOptions } from './journal-options.ts';
import type { Journal } from './load-journal.ts';
import type { JournalProblem } from './problem.ts';
import { reduceLots } from './reduce-lots.ts';
import { inferTolerances, toleranceOf, type WrittenNumbers } from './tolerances.ts';
import { BookingFailure } from './working-posting.ts';

/** A transaction that is not imported, with the reason. */
interface RefusedTransaction {
  readonly reason: 'not_booked' | 'unbalanced';
  readonly problem: JournalProblem;
}

interface BookedJournal {
  readonly booked: ReadonlyMap<Transaction, BookedTransaction>;
  readonly refused: readonly RefusedTransaction[];
}

/** Books every transaction of a journal in order: infers missing numbers and the lots that sales reduce. */
export function bookJournal(journal: Journal, options: BookingOptions): BookedJournal {
  const methods = new Map<string, BookingMethod>();
  for (const directive of journal.directives) {
    if (directive.kind === 'open' && directive.booking !== null) methods.set(directive.account, directive.booking);
  }
  const state: BookingState = { inventories: new Map(), methods, defaultMethod: options.bookingMethod };
  const booked = new Map<Transaction, BookedTransaction>();
  const refused: RefusedTransaction[] = [];
  for (const directive of journal.directives) {
    if (directive.kind !== 'transaction') continue;
    try {
      const postings = bookPostings(directive, state, options);
      addToInventories(state.inventories, postings);
      const imbalance = imbalanceOf(postings, options);
      if (imbalance === null) booked.set(directive, { source: directive, postings });
      else
        refused.push({
          reason: 'unbalanced',
          problem: { file: directive.file, line: directive.line, message: imbalance },
        });
    } catch (error) {
      if (!(error instanceof BookingFailure)) throw error;
      const problem = { file: directive.file, line: error.line, message: error.message };
      refused.push({ reason: 'not_booked', problem });
    }
  }
  return { booked, refused };
}

function bookPostings(transaction: Transaction, state: BookingState, options: BookingOptions): BookedPosting[] {
  const groups = groupByCurrency(transaction.postings, state);
  const tolerances = inferTolerances(transaction.postings.flatMap(writtenNumbersOf), options);
  return groups.flatMap((group) => {
    const postings = reduceLots(group.postings, transaction.date, state);
    return interpolateGroup({ currency: group.currency, postings }, tolerances);
  });
}

function writtenNumbersOf({ units, cost, price }: ParsedPosting): WrittenNumbers[] {
  if (units === missing || units.number === missing || units.currency === missing) return [];
  const numbers = [cost?.total, cost?.perUnit].filter((number) => number !== missing && number != null);
  const hasPrice = price !== null && price.number !== missing && price.currency !== missing;
  return [
    {
      units: { number: units.number, currency: units.currency },
      cost: cost === null || cost.currency === missing ? null : { numbers, currency: cost.currency },
      price: hasPrice ? { number: price.number, currency: price.currency } : null,
    },
  ];
}

/** Adds booked postings to the running inventories of their accounts. */
function addToInventories(inventories: Map<string, Inventory>, postings: readonly BookedPosting[]): void {
  for (const posting of postings) {
    const inventory: Inventory = inventories.get(posting.account) ?? new Map();
    inventories.set(posting.account, inventory);
    addPosition(inventory, posting);
  }
}

/** Returns a message when the weights of a transaction do not sum to zero within its tolerance, else null. */
function imbalanceOf(postings: readonly BookedPosting[], options: BookingOptions): string | null {
  const sums = new Map<string, Decimal>();
  for (const posting of postings) {
    const { number, currency } = weightOf(posting);
    sums.set(currency, add(sums.get(currency) ?? zero, number));
  }
  const written = postings.flatMap((posting): WrittenNumbers[] => {
    if (posting.isInterpolated) return [];
    const cost = posting.cost && { numbers: [posting.cost.number], currency: posting.cost.currency };
    return [{ units: posting.units, cost, price: posting.price }];
  });
  const tolerances = inferTolerances(written, options);
  for (const [currency, sum] of sums) {
    if (compare(absolute(sum), toleranceOf(tolerances, currency)) > 0) {
      return `the postings sum to ${plain(sum)} ${currency} instead of zero; correct an amount.`;
    }
  }
  return null;
}
