import type { BookedTransaction } from './booked.ts';
import { absolute, add, compare, type Decimal, plain, subtract, zero } from './decimal.ts';
import type { Balance, Directive, Pad, Transaction } from './directives.ts';
import type { BookingOptions } from './journal-options.ts';
import { balanceTolerance, isWithin } from './pad.ts';

/** A balance assertion that the booked transactions do not meet. */
export interface BalanceFailure {
  readonly file: string;
  readonly line: number;
  readonly date: string;
  readonly account: string;
  readonly currency: string;
  readonly expected: string;
  readonly actual: string;
}

/** Checks every balance assertion against the account and its subaccounts at the start of its day. */
export function checkBalances(
  directives: readonly Directive[],
  booked: ReadonlyMap<Transaction, BookedTransaction>,
  padded: ReadonlyMap<Pad, readonly BookedTransaction[]>,
  options: BookingOptions,
): { readonly checked: number; readonly failures: readonly BalanceFailure[] } {
  const held = new Map<string, Map<string, Decimal>>();
  const failures: BalanceFailure[] = [];
  let checked = 0;
  for (const directive of directives) {
    if (directive.kind === 'transaction') hold(held, booked.get(directive));
    else if (directive.kind === 'pad') for (const transaction of padded.get(directive) ?? []) hold(held, transaction);
    else if (directive.kind === 'balance') {
      checked += 1;
      const failure = check(directive, held, options);
      if (failure !== null) failures.push(failure);
    }
  }
  return { checked, failures };
}

function hold(held: Map<string, Map<string, Decimal>>, transaction: BookedTransaction | undefined): void {
  for (const { account, units } of transaction?.postings ?? []) {
    const amounts = held.get(account) ?? new Map<string, Decimal>();
    held.set(account, amounts);
    amounts.set(units.currency, add(amounts.get(units.currency) ?? zero, units.number));
  }
}

function check(
  balance: Balance,
  held: ReadonlyMap<string, ReadonlyMap<string, Decimal>>,
  options: BookingOptions,
): BalanceFailure | null {
  const { number, currency } = balance.amount;
  let actual = zero;
  for (const [account, amounts] of held) {
    if (isWithin(account, balance.account)) actual = add(actual, amounts.get(currency) ?? zero);
  }
  if (compare(absolute(subtract(actual, number)), balanceTolerance(balance, options)) <= 0) return null;
  const { file, line, date, account } = balance;
  return { file, line, date, account, currency, expected: plain(number), actual: plain(actual) };
}
