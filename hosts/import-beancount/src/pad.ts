import type { BookedPosting, BookedTransaction } from './booked.ts';
import {
  absolute,
  add,
  compare,
  type Decimal,
  formatDecimal,
  multiply,
  negate,
  parseDecimal,
  subtract,
  unitOfScale,
  zero,
} from './decimal.ts';
import type { Amount, Balance, Directive, Pad, Transaction } from './directives.ts';
import type { BookingOptions } from './journal-options.ts';
import type { JournalProblem } from './problem.ts';

/** Padding transactions by pad, and warnings about unnecessary pads. */
interface PaddedJournal {
  readonly padded: ReadonlyMap<Pad, readonly BookedTransaction[]>;
  readonly warnings: readonly JournalProblem[];
}

type Booked = ReadonlyMap<Transaction, BookedTransaction>;

/** The tolerance of an assertion: as written, else one unit of its last digit times the journal's multiplier. */
export function balanceTolerance(balance: Balance, options: BookingOptions): Decimal {
  if (balance.tolerance !== null) return balance.tolerance;
  const { scale } = balance.amount.number;
  if (scale <= 0) return zero;
  return multiply(unitOfScale(scale), multiply(options.toleranceMultiplier, parseDecimal('2')));
}

/** True for the account itself and its subaccounts. */
export function isWithin(account: string, parent: string): boolean {
  return account === parent || account.startsWith(`${parent}:`);
}

/** Creates the transactions with which each pad meets the balance assertions after it. */
export function padJournal(directives: readonly Directive[], booked: Booked, options: BookingOptions): PaddedJournal {
  const padded = new Map<Pad, BookedTransaction[]>();
  for (const directive of directives) if (directive.kind === 'pad') padded.set(directive, []);
  const accounts = new Set([...padded.keys()].map((pad) => pad.account));
  for (const account of [...accounts].toSorted()) padAccount(account, directives, booked, options, padded);
  const warnings = [...padded]
    .filter(([, transactions]) => transactions.length === 0)
    .map(([pad]) => {
      const message = `this pad of ${pad.account} was not needed: no later balance of the account differs.`;
      return { file: pad.file, line: pad.line, message };
    });
  return { padded, warnings };
}

function padAccount(
  account: string,
  directives: readonly Directive[],
  booked: Booked,
  options: BookingOptions,
  padded: Map<Pad, BookedTransaction[]>,
): void {
  const held = new Map<string, Decimal>();
  const settled = new Set<string>();
  let active: Pad | null = null;
  for (const directive of directives) {
    if (directive.kind === 'transaction') {
      for (const posting of booked.get(directive)?.postings ?? []) {
        if (isWithin(posting.account, account)) hold(held, posting.units);
      }
    } else if (directive.kind === 'pad' && directive.account === account) {
      active = directive;
      settled.clear();
    } else if (directive.kind === 'balance' && isWithin(directive.account, account)) {
      const { number, currency } = directive.amount;
      const missing = subtract(number, held.get(currency) ?? zero);
      const isOff = compare(absolute(missing), balanceTolerance(directive, options)) > 0;
      if (isOff && active !== null && !settled.has(currency)) {
        padded.get(active)?.push(padTransaction(active, directive, missing));
        hold(held, { number: missing, currency });
      }
      // A pad applies once per currency; later assertions only check.
      settled.add(currency);
    }
  }
}

function hold(held: Map<string, Decimal>, units: Amount): void {
  held.set(units.currency, add(held.get(units.currency) ?? zero, units.number));
}

function padTransaction(pad: Pad, balance: Balance, missing: Decimal): BookedTransaction {
  const { currency } = balance.amount;
  const posting = (account: string, number: Decimal): BookedPosting => ({
    line: pad.line,
    account,
    units: { number, currency },
    cost: null,
    price: null,
    isInterpolated: true,
  });
  const { file, line, date, metadata } = pad;
  const target = `${formatDecimal(balance.amount.number)} ${currency}`;
  const narration = `Padding of ${formatDecimal(missing)} ${currency} for the balance of ${target} on ${balance.date}`;
  return {
    source: { file, line, date, metadata, flag: 'P', payee: null, narration, tags: [], links: [] },
    postings: [posting(pad.account, missing), posting(pad.sourceAccount, negate(missing))],
  };
}
