import type { Store } from '@pacioli/core';
import { expect } from 'vitest';
import type { Books, Loose } from './books.ts';
import { isLanded, isRetracted, landedSums, type Seen, type SeenEntry, seeBooks } from './books-seen.ts';

/** Minor units of an amount in major units of a currency with two digits. */
export const minorUnits = (amount: number): bigint => BigInt(Math.round(amount * 100));

/** Ledger L-45, L-196: each entry has two lines or more, each with one positive side, and balances. */
export function expectBalancedEntries(seen: Seen): void {
  for (const { id, currency, lines } of seen.entries) {
    const sides = lines.map((line) => [line.debit_amount, line.credit_amount].filter((amount) => amount > 0).length);
    expect([id, sides]).toEqual([id, lines.map(() => 1)]);
    expect([id, lines.length >= 2, lines.every((line) => line.currency === currency)]).toEqual([id, true, true]);
    const difference = lines.reduce((sum, line) => sum + BigInt(line.debit_amount) - BigInt(line.credit_amount), 0n);
    expect([id, difference]).toEqual([id, 0n]);
  }
}

/** What balances are summed from repeats its entry: the day, and whether it has landed (ledger L-40). */
export function expectLinesFollowTheirEntry(seen: Seen): void {
  for (const entry of seen.entries)
    for (const line of entry.lines)
      expect([line.id, line.posting_date, line.is_landed]).toEqual([line.id, entry.posting_date, isLanded(entry)]);
}

const asLegs = (entry: SeenEntry, sign: 1 | -1): readonly string[] =>
  entry.lines.map((line) => `${line.element_id} ${sign * (line.debit_amount - line.credit_amount)}`).sort();

/** Ledger L-204: an entry is reversed at most once, and together they are nothing. */
export function expectReversalsUndo(seen: Seen): void {
  const reversals = seen.entries.filter((entry) => entry.reversal_of !== null);
  expect(new Set(reversals.map((entry) => entry.reversal_of)).size).toBe(reversals.length);
  const byId = new Map(seen.entries.map((entry) => [entry.id, entry]));
  for (const reversal of reversals) {
    const original = byId.get(reversal.reversal_of ?? '');
    expect([reversal.id, original === undefined]).toEqual([reversal.id, false]);
    if (original === undefined) continue;
    expect([reversal.id, asLegs(reversal, -1)]).toEqual([reversal.id, asLegs(original, 1)]);
    // The draft that reverses by itself posts without touching its original (ledger L-184).
    const isAutomatic = reversal.provenance === 'schedule_derived';
    if (isLanded(reversal) && !isAutomatic) expect([original.id, original.status]).toEqual([original.id, 'reversed']);
  }
  const undone = new Set(reversals.filter(isLanded).map((entry) => entry.reversal_of));
  for (const entry of seen.entries.filter((each) => each.status === 'reversed'))
    expect([entry.id, undone.has(entry.id)]).toEqual([entry.id, true]);
}

/** Ledger L-73, L-205: nothing in the books comes from an event that was taken back, and no draft of it waits. */
export function expectRetractedEventsLeaveNothing(seen: Seen): void {
  const retracted = new Set(seen.events.filter(isRetracted).map((event) => event.id));
  const left = seen.entries.filter((entry) => entry.event_id !== null && retracted.has(entry.event_id));
  expect(left.map((entry) => [entry.id, entry.status, entry.event_id])).toEqual([]);
}

/** Ledger L-209: the months through the pointer are closed; those after it are not. */
export function expectMonthsFollowThePointer(seen: Seen): void {
  const pointer = seen.calendar?.closed_through ?? '';
  const wrong = seen.months.filter((month) => (month.status === 'closed') !== month.name <= pointer);
  expect([pointer, wrong]).toEqual([pointer, []]);
}

/** Ledger L-158: a closed month has no drafts left, and none come to it. */
export function expectNoDraftsInClosedMonths(seen: Seen): void {
  const closed = new Set(seen.months.filter((month) => month.status === 'closed').map((month) => month.name));
  const left = seen.entries.filter((entry) => !isLanded(entry) && closed.has(entry.posting_date.slice(0, 7)));
  expect(left.map((entry) => [entry.id, entry.posting_date])).toEqual([]);
}

/** Ledger L-195: links of corrections hold both ways, and every link leads to an event. */
export function expectLinksHold(seen: Seen): void {
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

/** Ledger L-83, L-201: an event of a source is there once. */
export function expectDeliveriesOnce(seen: Seen): void {
  const keys = seen.events.flatMap(({ source, external_id }) =>
    external_id === null ? [] : [`${source} ${external_id}`],
  );
  expect(new Set(keys).size).toBe(keys.length);
}

/** A transaction is void only without entries, and posted only when an entry of it has landed (ledger L-50, L-73). */
export function expectTransactionsFollowTheirEntries(seen: Seen): void {
  for (const transaction of seen.transactions) {
    const entries = seen.entries.filter((entry) => entry.transaction_id === transaction.id);
    const statuses = entries.map((entry) => entry.status);
    if (transaction.status === 'void') expect([transaction.id, statuses]).toEqual([transaction.id, []]);
    if (transaction.status === 'posted')
      expect([transaction.id, entries.some(isLanded)]).toEqual([transaction.id, true]);
    if (transaction.status === 'pending')
      expect([transaction.id, entries.length === 0 || statuses.includes('draft')]).toEqual([transaction.id, true]);
  }
}

/** Every law that one look at the stored books can show. */
export function expectStoredLaws(seen: Seen): void {
  expectBalancedEntries(seen);
  expectLinesFollowTheirEntry(seen);
  expectReversalsUndo(seen);
  expectRetractedEventsLeaveNothing(seen);
  expectMonthsFollowThePointer(seen);
  expectNoDraftsInClosedMonths(seen);
  expectLinksHold(seen);
  expectDeliveriesOnce(seen);
  expectTransactionsFollowTheirEntries(seen);
}

/** All that never changes of an entry that has landed: everything but its status (ledger L-53). */
function lasting({ status: _status, version: _version, ...entry }: SeenEntry): object {
  const { updated_at: _at, ...rest } = entry as Omit<SeenEntry, 'status' | 'version'> & { updated_at?: string };
  return rest;
}

/** Ledger L-53, L-198: what has landed is there for ever as it was, except that it may be reversed. */
export function expectLandedEntriesStay(before: Seen, after: Seen): void {
  const byId = new Map(after.entries.map((entry) => [entry.id, entry]));
  for (const entry of before.entries.filter(isLanded)) {
    const now = byId.get(entry.id);
    expect(now === undefined ? entry.id : lasting(now)).toEqual(lasting(entry));
    if (entry.status === 'reversed') expect([entry.id, now?.status]).toEqual([entry.id, 'reversed']);
    expect([entry.id, now?.status === 'draft']).toEqual([entry.id, false]);
  }
}

/** Where an event may go in one step: a caller's steps, and those of the promotion of an obligation (ledger 5.3, L-185). */
const steps: Readonly<Record<string, readonly string[]>> = {
  captured: ['classified', 'committed', 'voided', 'superseded'],
  classified: ['committed', 'pending', 'fulfilled', 'voided', 'superseded'],
  committed: ['pending', 'fulfilled', 'voided', 'superseded'],
  pending: ['fulfilled', 'voided', 'superseded'],
  fulfilled: ['voided', 'superseded'],
};

/** Whether a step of an event is legal; the sweep alone takes an obligation out of waiting. */
export const isLegalStep = (from: string, to: string, eventType = ''): boolean =>
  (steps[from] ?? []).includes(to) || (eventType === 'schedule_entry_due' && from === 'pending' && to === 'classified');

function reachable(from: string, eventType: string): ReadonlySet<string> {
  const found = new Set([from]);
  for (const status of found)
    for (const next of [...Object.keys(steps), 'voided', 'superseded'])
      if (isLegalStep(status, next, eventType)) found.add(next);
  return found;
}

/** Ledger L-208: every event is where legal steps lead to, and none disappears. */
export function expectLegalSteps(before: Seen, after: Seen): void {
  const byId = new Map(after.events.map((event) => [event.id, event]));
  for (const { id, status, event_type } of before.events) {
    const now = byId.get(id)?.status ?? 'gone';
    expect([id, status, now, reachable(status, event_type).has(now)]).toEqual([id, status, now, true]);
  }
}

/** Ledger L-212: what was debited and credited to an account only grows. */
export function expectTurnoverGrows(before: Seen, after: Seen): void {
  const now = landedSums(after);
  for (const [account, { debit, credit }] of landedSums(before)) {
    const sum = now.get(account);
    expect([account, (sum?.debit ?? 0n) >= debit, (sum?.credit ?? 0n) >= credit]).toEqual([account, true, true]);
  }
}

/** Ledger L-53, L-216: what was replaced stays known. */
export function expectHistoryGrows(before: Seen, after: Seen): void {
  const now = new Set(after.history);
  expect(before.history.filter((version) => !now.has(version))).toEqual([]);
}

/** Every law about two looks at the same books, one after the other. */
export function expectLawsOfChange(before: Seen, after: Seen): void {
  expectLandedEntriesStay(before, after);
  expectLegalSteps(before, after);
  expectTurnoverGrows(before, after);
  expectHistoryGrows(before, after);
}

/** Sums by account, without the accounts that are even. */
function netSums(sums: ReturnType<typeof landedSums>): ReadonlyMap<string, bigint> {
  const nets = [...sums].map(([account, { debit, credit }]) => [account, debit - credit] as const);
  return new Map(nets.filter(([, net]) => net !== 0n).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Ledger L-199: a close books the drafts of its month and nothing else; other drafts wait as they were. */
export function expectCloseBooksItsDrafts(before: Seen, after: Seen, month: string): void {
  const posting = (entry: SeenEntry) => !isLanded(entry) && entry.posting_date.startsWith(month);
  const entries = before.entries.map((entry) => (posting(entry) ? { ...entry, status: 'posted' as const } : entry));
  expect(netSums(landedSums(after))).toEqual(netSums(landedSums({ ...before, entries })));
  const content = (seen: Seen) => seen.entries.filter((entry) => !isLanded(entry));
  expect(content(after)).toEqual(content({ ...before, entries }));
}

/** Ledger L-209: a close moves the pointer to its month, a reopening to the month before or to nothing. */
export function expectPointerMovesByOneMonth(before: Seen, after: Seen): void {
  const [from = null, to = null] = [before.calendar?.closed_through, after.calendar?.closed_through];
  if (from === to || from === null || to === null) return;
  const index = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5));
  expect([from, to, Math.abs(index(to) - index(from))]).toEqual([from, to, 1]);
}

/** Some ranges of days that matter to these books: all, single months, and from and to days in their midst. */
function rangesOf(seen: Seen): readonly (readonly [string, string])[] {
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

/** Ledger L-40, L-197: over any days the trial balance is the sum of what has landed, and its sum is zero. */
export async function expectTrialBalancesZero(book: Pick<Books, 'query'>, seen: Seen): Promise<void> {
  const ranges = rangesOf(seen);
  const rows = '{ rows { accountId totalDebits totalCredits netBalance } totalDebits totalCredits }';
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
    expect([from, to, served]).toEqual([from, to, landedSums(seen, from, to)]);
    const net = balance.rows.reduce((sum: bigint, row: Loose) => sum + minorUnits(row.netBalance), 0n);
    expect([from, to, net, balance.totalDebits]).toEqual([from, to, 0n, balance.totalCredits]);
  }
}

/** All laws of the books that hold at any moment; with an earlier look also those of change. Returns this look. */
export async function expectLaws(
  service: { readonly store: Store },
  book: Pick<Books, 'graph' | 'query'>,
  before?: Seen,
): Promise<Seen> {
  const seen = await seeBooks(service.store, book.graph);
  expectStoredLaws(seen);
  if (before !== undefined) expectLawsOfChange(before, seen);
  await expectTrialBalancesZero(book, seen);
  return seen;
}
