import { createHash } from 'node:crypto';
import { bookJournal } from './book.ts';
import { type BookedTransaction, weightOf } from './booked.ts';
import { type BalanceFailure, checkBalances } from './check-balances.ts';
import { toMinorUnits } from './decimal.ts';
import type { Directive, Metadata } from './directives.ts';
import { type AccountTrait, type BookingOptions, equityRoot, readBookingOptions, traitOf } from './journal-options.ts';
import type { Journal } from './load-journal.ts';
import { padJournal } from './pad.ts';
import { JournalError, type JournalProblem } from './problem.ts';
import { countReason, emptySkips, type SkipCounts } from './skip-reasons.ts';

/** Ledger amounts are cents. */
const minorDigits = 2;
const defaultCurrency = 'USD';
/** Last part of the name of the rounding account, which is below the journal's equity root. */
export const roundingAccountName = 'Rounding';

/** One line of an entry. Positive amounts are debits, in minor units. */
export interface PlannedLeg {
  readonly account: string;
  readonly amountMinor: bigint;
  /** True for the line with the rounding remainder, which is not a posting of the journal. */
  readonly is_rounding: boolean;
}

/** One transaction of the journal as a ledger entry: its legs are nonzero and sum to zero. */
export interface PlannedEntry {
  readonly date: string;
  readonly flag: string;
  readonly payee: string | null;
  readonly narration: string;
  readonly tags: readonly string[];
  readonly links: readonly string[];
  readonly metadata: Metadata;
  readonly file: string;
  readonly line: number;
  readonly external_id: string;
  readonly legs: readonly PlannedLeg[];
}

export interface PlannedAccount {
  readonly name: string;
  readonly trait: AccountTrait;
}

/** Everything that an import will write, and everything that it will skip. */
export interface ImportPlan {
  readonly currency: string;
  readonly accounts: readonly PlannedAccount[];
  readonly entries: readonly PlannedEntry[];
  readonly skipped: SkipCounts;
  readonly refused: readonly JournalProblem[];
  readonly warnings: readonly JournalProblem[];
  readonly balances_checked: number;
  readonly balance_failures: readonly BalanceFailure[];
}

/** Converts a journal to ledger entries in one currency (default: the journal's operating currency, then USD). */
export function planImport(journal: Journal, choices: { readonly currency?: string | undefined } = {}): ImportPlan {
  const options = readBookingOptions(journal.options);
  const currency = choices.currency ?? options.operatingCurrencies[0] ?? defaultCurrency;
  checkRoots(journal.directives, options);
  const { booked, refused } = bookJournal(journal, options);
  const { padded, warnings } = padJournal(journal.directives, booked, options);
  const balances = checkBalances(journal.directives, booked, padded, options);
  const transactions = journal.directives.flatMap((directive): readonly BookedTransaction[] => {
    if (directive.kind === 'pad') return padded.get(directive) ?? [];
    const transaction = directive.kind === 'transaction' ? booked.get(directive) : undefined;
    return transaction === undefined ? [] : [transaction];
  });
  const skipped = emptySkips();
  for (const { reason } of refused) countReason(skipped, reason);
  const rounding = roundingAccount(transactions, options);
  const hashes = new Map<string, number>();
  const entries = transactions.flatMap((transaction) => {
    const legs = planLegs(transaction, currency, rounding, skipped);
    const isTooLarge = legs.some((leg) => !Number.isSafeInteger(Number(leg.amountMinor)));
    if (legs.length > 0 && !isTooLarge) return [entryOf(transaction, legs, currency, hashes)];
    countReason(skipped, isTooLarge ? 'too_large' : 'no_legs_left');
    return [];
  });
  return {
    currency,
    accounts: planAccounts(journal.directives, entries, currency, options),
    entries,
    skipped,
    refused: refused.map(({ problem }) => problem),
    warnings: [...journal.warnings, ...warnings],
    balances_checked: balances.checked,
    balance_failures: balances.failures,
  };
}

/** Throws for a journal with accounts under none of the five root names. */
function checkRoots(directives: readonly Directive[], options: BookingOptions): void {
  const problems: JournalProblem[] = [];
  const check = (account: string, { file, line }: { readonly file: string; readonly line: number }): void => {
    if (traitOf(account, options.roots) !== null) return;
    const roots = [...options.roots.keys()].join(', ');
    problems.push({ file, line, message: `account ${account} must begin with one of ${roots}; rename it.` });
  };
  for (const directive of directives) {
    if (directive.kind === 'transaction') {
      for (const { account, line } of directive.postings) check(account, { file: directive.file, line });
    } else if (directive.kind === 'open' || directive.kind === 'pad' || directive.kind === 'balance') {
      check(directive.account, directive);
      if (directive.kind === 'pad') check(directive.sourceAccount, directive);
    }
  }
  if (problems.length > 0) throw new JournalError(problems);
}

/** Returns a rounding account that the journal does not use, so that no balance of its accounts changes. */
function roundingAccount(transactions: readonly BookedTransaction[], options: BookingOptions): string {
  const used = new Set(transactions.flatMap(({ postings }) => postings.map((posting) => posting.account)));
  let name = `${equityRoot(options.roots)}:${roundingAccountName}`;
  while (used.has(name)) name = `${name}:Import`;
  return name;
}

function planLegs(
  transaction: BookedTransaction,
  currency: string,
  rounding: string,
  skipped: SkipCounts,
): PlannedLeg[] {
  const legs: PlannedLeg[] = [];
  let remainder = 0n;
  for (const posting of transaction.postings) {
    const weight = weightOf(posting);
    if (weight.currency !== currency) {
      countReason(skipped, posting.units.currency === currency ? 'priced_in_other_unit' : 'other_unit');
      continue;
    }
    const amount = toMinorUnits(weight.number, minorDigits);
    if (amount === 0n) {
      countReason(skipped, 'zero_amount');
      continue;
    }
    remainder -= amount;
    legs.push({ account: posting.account, amountMinor: amount, is_rounding: false });
  }
  if (remainder !== 0n) legs.push({ account: rounding, amountMinor: remainder, is_rounding: true });
  return legs;
}

function entryOf(
  transaction: BookedTransaction,
  legs: readonly PlannedLeg[],
  currency: string,
  hashes: Map<string, number>,
): PlannedEntry {
  const { date, flag, payee, narration, tags, links, metadata, file, line } = transaction.source;
  const content = [date, payee, narration, currency, legs.map((leg) => [leg.account, leg.amountMinor.toString()])];
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 40);
  // Equal transactions are distinguished by their order in the journal, so that each is written once.
  const ordinal = (hashes.get(hash) ?? 0) + 1;
  hashes.set(hash, ordinal);
  const externalId = `journal-${hash}-${ordinal}`;
  return { date, flag, payee, narration, tags, links, metadata, file, line, external_id: externalId, legs };
}

/** Accounts that receive a line, and open accounts that may hold the currency. */
function planAccounts(
  directives: readonly Directive[],
  entries: readonly PlannedEntry[],
  currency: string,
  options: BookingOptions,
): PlannedAccount[] {
  const names = new Set(entries.flatMap((entry) => entry.legs.map((leg) => leg.account)));
  for (const directive of directives) {
    if (directive.kind !== 'open') continue;
    if (directive.currencies.length === 0 || directive.currencies.includes(currency)) names.add(directive.account);
  }
  return [...names].toSorted().map((name) => {
    const trait = traitOf(name, options.roots);
    // checkRoots has rejected all others.
    if (trait === null) throw new RangeError(`account ${name} begins with none of the five root names`);
    return { name, trait };
  });
}
