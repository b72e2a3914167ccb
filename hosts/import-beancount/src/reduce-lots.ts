import type { BookingState, Cost, Inventory, Position } from './booked.ts';
import {
  absolute,
  add,
  compare,
  type Decimal,
  equals,
  isZero,
  minimum,
  negate,
  signOf,
  subtract,
  zero,
} from './decimal.ts';
import { type Amount, type BookingMethod, type CostSpec, missing } from './directives.ts';
import { addPosition, isReducedBy } from './inventory.ts';
import { BookingFailure, unitCost, type WorkingPosting } from './working-posting.ts';

/**
 * Matches each posting at cost that reduces its account with lots; one posting may become several. Augmenting postings
 * keep their specification, dated with the transaction.
 */
export function reduceLots(postings: readonly WorkingPosting[], date: string, state: BookingState): WorkingPosting[] {
  // Postings of one transaction must not use the same lot twice; the actual inventories change only at the end.
  const local = new Map<string, Inventory>();
  return postings.flatMap((posting) => {
    const { spec, units, source } = posting;
    if (spec === null || units.number === missing || units.currency === missing) return [posting];
    const inventory = local.get(source.account) ?? new Map(state.inventories.get(source.account));
    local.set(source.account, inventory);
    const amount = { number: units.number, currency: units.currency };
    const method = state.methods.get(source.account) ?? state.defaultMethod;
    if (method === 'NONE' || !isReducedBy(inventory, amount)) {
      return [{ ...posting, spec: { ...spec, date: spec.date ?? date } }];
    }
    const matches = [...inventory.values()].filter((position) => isMatch(position, spec, amount));
    if (matches.length === 0) {
      throw new BookingFailure(
        source.line,
        `${source.account} holds no lot of ${amount.currency} with this cost; check it.`,
      );
    }
    const taken = takeFrom(matches, amount, method, source.line);
    for (const position of taken) addPosition(inventory, position);
    return taken.map((position) => ({ ...posting, units: position.units, spec: null, lot: position.cost }));
  });
}

function isMatch(position: Position, spec: CostSpec, units: Amount): boolean {
  const { cost } = position;
  if (cost === null || position.units.currency !== units.currency) return false;
  const number = unitCost(spec, units.number);
  if (number !== null && !equals(number, cost.number)) return false;
  if (spec.currency !== missing && spec.currency !== cost.currency) return false;
  if (spec.date !== null && spec.date !== cost.date) return false;
  return spec.label === null || spec.label === '' || spec.label === cost.label;
}

function takeFrom(matches: readonly Position[], units: Amount, method: BookingMethod, line: number): Position[] {
  const [only] = matches;
  switch (method) {
    case 'FIFO':
      return takeInOrder(byDate(matches, 1), units, line);
    case 'LIFO':
      return takeInOrder(byDate(matches, -1), units, line);
    case 'STRICT':
      if (matches.length === 1 && only !== undefined) return takeInOrder([only], units, line);
      return takeAll(matches, units, line);
    default:
      throw new BookingFailure(line, `booking method ${method} is not supported; use STRICT, FIFO, LIFO or NONE.`);
  }
}

function byDate(matches: readonly Position[], direction: 1 | -1): Position[] {
  const dateOf = (cost: Cost | null): string => cost?.date ?? '';
  // Like Python's reversed sort, which Beancount uses, this one keeps equal elements in their order.
  return matches.toSorted((left, right) => {
    const before = dateOf(left.cost);
    const after = dateOf(right.cost);
    return before === after ? 0 : before < after ? -direction : direction;
  });
}

/** Under STRICT, several matching lots are allowed only if the posting reduces all of them completely. */
function takeAll(matches: readonly Position[], units: Amount, line: number): Position[] {
  const held = matches.reduce<Decimal>((sum, match) => add(sum, match.units.number), zero);
  if (!equals(held, negate(units.number))) {
    throw new BookingFailure(
      line,
      `${matches.length} lots of ${units.currency} match this posting; give its cost, date or label to name one.`,
    );
  }
  return matches.map(({ units: lot, cost }) => ({ units: { ...lot, number: negate(lot.number) }, cost }));
}

function takeInOrder(matches: readonly Position[], units: Amount, line: number): Position[] {
  const sign = signOf(units.number);
  const taken: Position[] = [];
  let remaining = absolute(units.number);
  for (const match of matches) {
    if (isZero(remaining)) break;
    if (signOf(match.units.number) === sign) continue;
    const size = minimum(absolute(match.units.number), remaining);
    taken.push({ units: { number: sign < 0 ? negate(size) : size, currency: units.currency }, cost: match.cost });
    remaining = subtract(remaining, size);
  }
  if (compare(remaining, zero) > 0) {
    throw new BookingFailure(line, `there is not enough ${units.currency} in the matching lots; check the number.`);
  }
  return taken;
}
