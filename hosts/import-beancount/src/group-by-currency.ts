import type { BookingState } from './booked.ts';
import { type IncompleteAmount, type Missing, missing, type ParsedPosting } from './directives.ts';
import { singleCostCurrency, singleCurrency } from './inventory.ts';
import { BookingFailure, type WorkingPosting } from './working-posting.ts';

/** The postings of a transaction that balance among themselves in one currency. */
export interface CurrencyGroup {
  readonly currency: string;
  readonly postings: readonly WorkingPosting[];
}

/** The currencies of a posting as far as known; null where the posting has no such part. */
interface Reference {
  readonly index: number;
  readonly units: string | Missing | null;
  readonly cost: string | Missing | null;
  readonly price: string | Missing | null;
}

/** Groups the postings by the currency in which they balance, and infers unwritten currencies. */
export function groupByCurrency(postings: readonly ParsedPosting[], state: BookingState): CurrencyGroup[] {
  const groups = new Map<string, Reference[]>();
  const firstIndex = new Map<string, number>();
  const put = (currency: string, reference: Reference): void => {
    if (!firstIndex.has(currency)) firstIndex.set(currency, reference.index);
    groups.set(currency, [...(groups.get(currency) ?? []), reference]);
  };
  const automatic: Reference[] = [];
  const unknown: Reference[] = [];
  for (const [index, posting] of postings.entries()) {
    const reference = referenceOf(posting, index);
    const bucket = bucketOf(reference);
    if (posting.units === missing && reference.price === null) automatic.push(reference);
    else if (bucket !== null) put(bucket, reference);
    else unknown.push(reference);
  }
  const onlyGroup = groups.size === 1 ? [...groups.keys()][0] : undefined;
  for (const reference of unknown) {
    const isAlone = unknown.length === 1 && onlyGroup !== undefined;
    const inventory = state.inventories.get(postingAt(postings, reference.index).account);
    const found = isAlone
      ? fillFromGroup(reference, onlyGroup)
      : fill(reference, singleCurrency(inventory), singleCostCurrency(inventory));
    const bucket = bucketOf(found);
    if (bucket === null) {
      throw new BookingFailure(postingAt(postings, reference.index).line, 'write the currency of this posting.');
    }
    put(bucket, found);
  }
  addAutomatic(automatic, groups, put, postings);
  return [...groups]
    .toSorted(([left], [right]) => (firstIndex.get(left) ?? 0) - (firstIndex.get(right) ?? 0))
    .map(([currency, references]) => ({ currency, postings: resolve(references, postings, state) }));
}

function postingAt(postings: readonly ParsedPosting[], index: number): ParsedPosting {
  const posting = postings[index];
  if (posting === undefined) throw new RangeError(`no posting ${index}`);
  return posting;
}

function referenceOf(posting: ParsedPosting, index: number): Reference {
  let cost = posting.cost?.currency ?? null;
  let price = posting.price?.currency ?? null;
  // Cost and price of one posting share a currency, so one determines the other.
  if (cost === missing && price !== null) cost = price;
  if (price === missing && cost !== null) price = cost;
  return { index, units: posting.units === missing ? null : posting.units.currency, cost, price };
}

function known(currency: string | Missing | null): string | null {
  return currency === missing ? null : currency;
}

function bucketOf(reference: Reference): string | null {
  const held = known(reference.cost) ?? known(reference.price);
  if (held !== null) return held;
  return reference.cost === null && reference.price === null ? known(reference.units) : null;
}

function fill(reference: Reference, units: string | null, held: string | null): Reference {
  const take = (current: string | Missing | null, found: string | null): string | Missing | null =>
    current === missing ? (found ?? missing) : current;
  return {
    index: reference.index,
    units: take(reference.units, units),
    cost: take(reference.cost, held),
    price: take(reference.price, held),
  };
}

/** A single posting of unknown currency has the only currency of the others. */
function fillFromGroup(reference: Reference, currency: string): Reference {
  const isBare = reference.cost === null && reference.price === null;
  return isBare ? { ...reference, units: currency } : fill(reference, null, currency);
}

/** A posting without an amount takes the remainder of every currency. */
function addAutomatic(
  automatic: readonly Reference[],
  groups: ReadonlyMap<string, readonly Reference[]>,
  put: (currency: string, reference: Reference) => void,
  postings: readonly ParsedPosting[],
): void {
  const [first, second] = automatic;
  if (first === undefined) return;
  if (second !== undefined) {
    const { line } = postingAt(postings, second.index);
    throw new BookingFailure(line, 'only one posting of a transaction may be without an amount; write this one.');
  }
  for (const currency of [...groups.keys()])
    put(currency, { index: first.index, units: currency, cost: null, price: null });
}

function resolve(
  references: readonly Reference[],
  postings: readonly ParsedPosting[],
  state: BookingState,
): WorkingPosting[] {
  return references
    .toSorted((left, right) => left.index - right.index)
    .map((reference) => {
      const posting = postingAt(postings, reference.index);
      const currency = known(reference.units) ?? singleCurrency(state.inventories.get(posting.account));
      const required = (found: string | null, what: string): string => {
        if (found !== null) return found;
        throw new BookingFailure(posting.line, `the currency of the ${what} cannot be found; write it.`);
      };
      const units = {
        number: posting.units === missing ? missing : posting.units.number,
        currency: required(currency, 'units'),
      };
      const spec = posting.cost && { ...posting.cost, currency: required(known(reference.cost), 'cost') };
      const price: IncompleteAmount | null = posting.price && {
        number: posting.price.number,
        currency: required(known(reference.price), 'price'),
      };
      return { source: posting, units, spec, lot: null, price };
    });
}
