import { type Store, sql, type Transaction } from '@pacioli/core';
import { expect } from 'vitest';
import { StoredVerifier } from '../src/log/stored-verifier.ts';
import type { Books, Loose } from './books.ts';
import { expectLawsOfChange } from './laws-of-change.ts';
import { type BooksSnapshot, isPosted, isRetracted, postedSums, readBooks, type SeenEntry } from './read-books.ts';

/** Minor units of an amount in major units of a currency with two digits. */
export const minorUnits = (amount: number): bigint => BigInt(Math.round(amount * 100));

/** Each entry balances and has at least two lines, each with one positive side (ledger L-45, L-196). */
export function expectBalancedEntries(seen: BooksSnapshot): void {
  for (const { id, currency, lines } of seen.entries) {
    const sides = lines.map((line) => [line.debit_amount, line.credit_amount].filter((amount) => amount > 0).length);
    expect([id, sides]).toEqual([id, lines.map(() => 1)]);
    expect([id, lines.length >= 2, lines.every((line) => line.currency === currency)]).toEqual([id, true, true]);
    const difference = lines.reduce((sum, line) => sum + BigInt(line.debit_amount) - BigInt(line.credit_amount), 0n);
    expect([id, difference]).toEqual([id, 0n]);
  }
}

/**
 * Lines repeat the date and the posted state of their entry, because balances are summed from lines alone (ledger
 * L-40).
 */
export function expectLinesFollowTheirEntry(seen: BooksSnapshot): void {
  for (const entry of seen.entries)
    for (const line of entry.lines)
      expect([line.id, line.posting_date, line.is_landed]).toEqual([line.id, entry.posting_date, isPosted(entry)]);
}

const asLegs = (entry: SeenEntry, sign: 1 | -1): readonly string[] =>
  entry.lines.map((line) => `${line.element_id} ${sign * (line.debit_amount - line.credit_amount)}`).sort();

/** An entry is reversed at most once, and an entry and its reversal add up to zero (ledger L-204). */
export function expectReversalsUndo(seen: BooksSnapshot): void {
  const reversals = seen.entries.filter((entry) => entry.reversal_of !== null);
  expect(new Set(reversals.map((entry) => entry.reversal_of)).size).toBe(reversals.length);
  const byId = new Map(seen.entries.map((entry) => [entry.id, entry]));
  for (const reversal of reversals) {
    const original = byId.get(reversal.reversal_of ?? '');
    expect([reversal.id, original === undefined]).toEqual([reversal.id, false]);
    if (original === undefined) continue;
    expect([reversal.id, asLegs(reversal, -1)]).toEqual([reversal.id, asLegs(original, 1)]);
    // An automatic reversal posts without changing the original (ledger L-184).
    const isAutomatic = reversal.provenance === 'schedule_derived';
    if (isPosted(reversal) && !isAutomatic) expect([original.id, original.status]).toEqual([original.id, 'reversed']);
  }
  const undone = new Set(reversals.filter(isPosted).map((entry) => entry.reversal_of));
  for (const entry of seen.entries.filter((each) => each.status === 'reversed'))
    expect([entry.id, undone.has(entry.id)]).toEqual([entry.id, true]);
}

/** A retracted event has neither posted entries nor drafts (ledger L-73, L-205). */
export function expectRetractedEventsLeaveNothing(seen: BooksSnapshot): void {
  const retracted = new Set(seen.events.filter(isRetracted).map((event) => event.id));
  const left = seen.entries.filter((entry) => entry.event_id !== null && retracted.has(entry.event_id));
  expect(left.map((entry) => [entry.id, entry.status, entry.event_id])).toEqual([]);
}

/** Exactly the months through closed_through are closed (ledger L-209). */
export function expectMonthsFollowThePointer(seen: BooksSnapshot): void {
  const pointer = seen.calendar?.closed_through ?? '';
  const wrong = seen.months.filter((month) => (month.status === 'closed') !== month.name <= pointer);
  expect([pointer, wrong]).toEqual([pointer, []]);
}

/** A closed month has no drafts (ledger L-158). */
export function expectNoDraftsInClosedMonths(seen: BooksSnapshot): void {
  const closed = new Set(seen.months.filter((month) => month.status === 'closed').map((month) => month.name));
  const left = seen.entries.filter((entry) => !isPosted(entry) && closed.has(entry.posting_date.slice(0, 7)));
  expect(left.map((entry) => [entry.id, entry.posting_date])).toEqual([]);
}

/** Links between an event and its successor are mutual, and every link leads to an event (ledger L-195). */
export function expectLinksHold(seen: BooksSnapshot): void {
  const byId = new Map(seen.events.map((event) => [event.id, event]));
  for (const event of seen.events) {
    for (const link of [event.discharges_event_id, event.obligated_by_event_id])
      if (link !== null) expect([event.id, byId.has(link)]).toEqual([event.id, true]);
    if (event.replaces_event_id !== null)
      expect(byId.get(event.replaces_event_id)?.replaced_by_event_id).toBe(event.id);
    if (event.status === 'superseded')
      expect(byId.get(event.replaced_by_event_id ?? '')?.replaces_event_id).toBe(event.id);
  }
}

/** Source and external id of an event are unique (ledger L-83, L-201). */
export function expectDeliveriesOnce(seen: BooksSnapshot): void {
  const keys = seen.events.flatMap(({ source, external_id }) =>
    external_id === null ? [] : [`${source} ${external_id}`],
  );
  expect(new Set(keys).size).toBe(keys.length);
}

/** A void transaction has no entries, and a posted one has a posted entry (ledger L-50, L-73). */
export function expectTransactionsFollowTheirEntries(seen: BooksSnapshot): void {
  for (const transaction of seen.transactions) {
    const entries = seen.entries.filter((entry) => entry.transaction_id === transaction.id);
    const statuses = entries.map((entry) => entry.status);
    if (transaction.status === 'void') expect([transaction.id, statuses]).toEqual([transaction.id, []]);
    if (transaction.status === 'posted')
      expect([transaction.id, entries.some(isPosted)]).toEqual([transaction.id, true]);
    if (transaction.status === 'pending')
      expect([transaction.id, entries.length === 0 || statuses.includes('draft')]).toEqual([transaction.id, true]);
  }
}

/** Each month of a schedule has at most one live obligation and at most one live entry (ledger L-182, L-183, L-207). */
export function expectSchedulesBookOnce(seen: BooksSnapshot): void {
  const due = seen.events.filter((event) => event.event_type === 'schedule_entry_due');
  for (const { structure_id: id, months } of seen.schedules) {
    let sum = 0;
    for (const { period, amount, accumulated } of months) {
      sum += amount;
      expect([id, period, accumulated]).toEqual([id, period, sum]);
      const own = due.filter(
        ({ metadata }) => metadata['schedule_id'] === id && String(metadata['posting_date']).startsWith(period),
      );
      expect([id, period, own.length > 0]).toEqual([id, period, true]);
      const alive = own.filter((event) => !isRetracted(event)).map((event) => event.status);
      expect([id, period, alive.length <= 1, alive]).toEqual([id, period, true, alive]);
      const booked = seen.entries.filter(
        (entry) =>
          entry.source_structure_id === id &&
          entry.posting_date.startsWith(period) &&
          entry.reversal_of === null &&
          entry.status !== 'reversed',
      );
      expect([id, period, booked.length <= 1, booked.length]).toEqual([id, period, true, booked.length]);
    }
  }
}

/** Checks every law that one state of the stored books can show. */
export function expectStoredLaws(seen: BooksSnapshot): void {
  expectBalancedEntries(seen);
  expectLinesFollowTheirEntry(seen);
  expectReversalsUndo(seen);
  expectRetractedEventsLeaveNothing(seen);
  expectMonthsFollowThePointer(seen);
  expectNoDraftsInClosedMonths(seen);
  expectLinksHold(seen);
  expectDeliveriesOnce(seen);
  expectTransactionsFollowTheirEntries(seen);
  expectSchedulesBookOnce(seen);
}

/** Date ranges that matter to these books: all, single months, and ranges that start and end in mid-month. */
function rangesOf(seen: BooksSnapshot): readonly (readonly [string, string])[] {
  const days = [...new Set(seen.entries.map((entry) => entry.posting_date))].sort();
  const [first = '2026-03-01', last = first] = [days[0], days.at(-1)];
  const middle = days[Math.floor(days.length / 2)] ?? first;
  return [
    ['0001-01-01', '9999-12-31'],
    [first, last],
    [first, middle],
    [middle, last],
    [middle, middle],
  ];
}

/**
 * The expected check of the trial balance with its failures: lines in foreign currencies are left out (ledger L-5a).
 */
function foreignLines(seen: BooksSnapshot, from: string, to: string): readonly [boolean, readonly string[]] {
  const functional = seen.functionalCurrency ?? 'USD';
  const lines = seen.entries
    .filter((entry) => isPosted(entry) && entry.posting_date >= from && entry.posting_date <= to)
    .flatMap((entry) => entry.lines.filter(({ currency }) => currency !== functional));
  if (lines.length === 0) return [true, []];
  const currencies = [...new Set(lines.map(({ currency }) => currency))].sort();
  const list = currencies.map((each) => `${each} ${lines.filter(({ currency }) => currency === each).length}`);
  const what = `${lines.length} posted lines are not in ${functional} and left out: ${list.join(', ')}`;
  return [false, [`foreign_currency_lines: ${what}`]];
}

/** The trial balance of any range sums the posted entries, and its debits equal its credits (ledger L-40, L-197). */
export async function expectTrialBalancesZero(book: Pick<Books, 'query'>, seen: BooksSnapshot): Promise<void> {
  const ranges = rangesOf(seen);
  const rows =
    '{ rows { accountId totalDebits totalCredits netBalance } totalDebits totalCredits validation { passed failures } }';
  const functional = seen.functionalCurrency ?? 'USD';
  const own = { entries: seen.entries.filter(({ currency }) => currency === functional) };
  const fields = ranges.map(
    ([from, to], index) => `r${index}: trialBalance(startDate: "${from}", endDate: "${to}") ${rows}`,
  );
  const answer = await book.query(`{ ${fields.join(' ')} }`);
  for (const [index, [from, to]] of ranges.entries()) {
    const balance: Loose = answer[`r${index}`];
    const served = new Map<string, object>(
      balance.rows.map((row: Loose) => [
        row.accountId,
        { debit: minorUnits(row.totalDebits), credit: minorUnits(row.totalCredits) },
      ]),
    );
    expect([from, to, served]).toEqual([from, to, postedSums(own, from, to)]);
    const { validation } = balance;
    expect([from, to, validation.passed, validation.failures]).toEqual([from, to, ...foreignLines(seen, from, to)]);
    const net = balance.rows.reduce((sum: bigint, row: Loose) => sum + minorUnits(row.netBalance), 0n);
    expect([from, to, net, balance.totalDebits]).toEqual([from, to, 0n, balance.totalCredits]);
  }
}

/** The signed totals of the reporting lines and of the unmapped accounts add up to zero (ledger L-211). */
export async function expectRollupsZero(book: Pick<Books, 'query'>): Promise<void> {
  const { accountRollups, trialBalance } = await book.query(`{
    accountRollups { groups { total balanceType accounts { elementId netBalance } } }
    trialBalance { rows { accountId netBalance } } }`);
  const signed = accountRollups.groups.map(
    (group: Loose) => minorUnits(group.total) * (group.balanceType === 'debit' ? 1n : -1n),
  );
  const rows = accountRollups.groups.flatMap((group: Loose) => group.accounts);
  const mapped = new Set(rows.map((row: Loose) => row.elementId));
  expect(mapped.size).toBe(rows.length);
  const others = trialBalance.rows.filter((row: Loose) => !mapped.has(row.accountId));
  const all: readonly bigint[] = [...signed, ...others.map((row: Loose) => minorUnits(row.netBalance))];
  expect(all.reduce((sum, cents) => sum + cents, 0n)).toBe(0n);
}

/** Checks the laws with the ledger's own verifier, over all rows at once. */
export async function expectVerified(store: Store, graphId: string): Promise<void> {
  const receivables = async (tx: Transaction) => {
    const rows = await tx.query(
      sql<{ id: string }>`SELECT id FROM taxonomy_element WHERE sub_classification = 'receivable'`,
    );
    return rows.map(({ id }) => id);
  };
  const verify = (tx: Transaction) => new StoredVerifier(receivables).verify(tx);
  // One snapshot: rows that a worker seals between two statements would look like rows that somebody added.
  expect(await store.transaction({ graphId }, verify, { readOnly: true })).toEqual([]);
}

/**
 * Checks all laws of one state of the books, and those of change since an earlier state if given. Returns the state.
 */
export async function expectLaws(
  service: { readonly store: Store },
  book: Pick<Books, 'graph' | 'query'>,
  before?: BooksSnapshot,
): Promise<BooksSnapshot> {
  const seen = await readBooks(service.store, book.graph);
  expectStoredLaws(seen);
  await expectVerified(service.store, book.graph);
  if (before !== undefined) expectLawsOfChange(before, seen);
  await expectTrialBalancesZero(book, seen);
  await expectRollupsZero(book);
  return seen;
}
