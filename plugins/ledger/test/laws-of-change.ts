import { expect } from 'vitest';
import { type BooksSnapshot, isPosted, postedSums, type SeenEntry } from './read-books.ts';

/**
 * The fields of a posted entry that never change (ledger L-53); the name of a deleted schedule is added to the metadata
 * (L-190).
 */
function lasting(entry: SeenEntry): object {
  const changing = ['status', 'version', 'updated_at', 'metadata'];
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !changing.includes(name)));
}

/** A posted entry never changes or disappears, except that it may be reversed (ledger L-53, L-198). */
export function expectPostedEntriesStay(before: BooksSnapshot, after: BooksSnapshot): void {
  const byId = new Map(after.entries.map((entry) => [entry.id, entry]));
  for (const entry of before.entries.filter(isPosted)) {
    const now = byId.get(entry.id);
    expect(now === undefined ? entry.id : lasting(now)).toEqual(lasting(entry));
    if (entry.status === 'reversed') expect([entry.id, now?.status]).toEqual([entry.id, 'reversed']);
    expect([entry.id, now?.status === 'draft']).toEqual([entry.id, false]);
  }
}

/**
 * The statuses that an event may change to in one step, by callers or by the promotion of an obligation (ledger 5.3,
 * L-185).
 */
const steps: Readonly<Record<string, readonly string[]>> = {
  captured: ['classified', 'committed', 'voided', 'superseded'],
  classified: ['committed', 'pending', 'fulfilled', 'voided', 'superseded'],
  committed: ['pending', 'fulfilled', 'voided', 'superseded'],
  pending: ['fulfilled', 'voided', 'superseded'],
  fulfilled: ['voided', 'superseded'],
};

/** True for a legal step; only a promotion moves an obligation from pending to classified. */
export const isLegalStep = (from: string, to: string, eventType = ''): boolean =>
  (steps[from] ?? []).includes(to) || (eventType === 'schedule_entry_due' && from === 'pending' && to === 'classified');

function reachable(from: string, eventType: string): ReadonlySet<string> {
  const found = new Set([from]);
  for (const status of found)
    for (const next of [...Object.keys(steps), 'voided', 'superseded'])
      if (isLegalStep(status, next, eventType)) found.add(next);
  return found;
}

/** The status of every event can be reached by legal steps, and no event disappears (ledger L-208). */
export function expectLegalSteps(before: BooksSnapshot, after: BooksSnapshot): void {
  const byId = new Map(after.events.map((event) => [event.id, event]));
  for (const { id, status, event_type } of before.events) {
    const now = byId.get(id)?.status ?? 'gone';
    expect([id, status, now, reachable(status, event_type).has(now)]).toEqual([id, status, now, true]);
  }
}

/** The total debits and credits of an account never shrink (ledger L-212). */
export function expectTurnoverGrows(before: BooksSnapshot, after: BooksSnapshot): void {
  const now = postedSums(after);
  for (const [account, { debit, credit }] of postedSums(before)) {
    const sum = now.get(account);
    expect([account, (sum?.debit ?? 0n) >= debit, (sum?.credit ?? 0n) >= credit]).toEqual([account, true, true]);
  }
}

/** The history of replaced versions is append-only (ledger L-53, L-216). */
export function expectHistoryGrows(before: BooksSnapshot, after: BooksSnapshot): void {
  const now = new Set(after.history);
  expect(before.history.filter((version) => !now.has(version))).toEqual([]);
}

/** The first posted entry sets the functional currency, drafts never do, and it never changes (ledger L-5a). */
export function expectCurrencyStays(before: BooksSnapshot, after: BooksSnapshot): void {
  if (before.functionalCurrency !== null) {
    expect(after.functionalCurrency).toBe(before.functionalCurrency);
    return;
  }
  const posted = after.entries.filter(isPosted);
  if (posted.length === 0) expect(after.functionalCurrency).toBeNull();
  // One close may post several; those with the earliest date decide.
  const first = posted.map(({ posting_date }) => posting_date).sort()[0];
  const currencies = posted.filter(({ posting_date }) => posting_date === first).map(({ currency }) => currency);
  if (first !== undefined) expect(currencies).toContain(after.functionalCurrency);
}

/** Checks every law about two states of the same books, the earlier one first. */
export function expectLawsOfChange(before: BooksSnapshot, after: BooksSnapshot): void {
  expectPostedEntriesStay(before, after);
  expectLegalSteps(before, after);
  expectTurnoverGrows(before, after);
  expectHistoryGrows(before, after);
  expectCurrencyStays(before, after);
}

/** Net balances by account, without zero balances. */
function netSums(sums: ReturnType<typeof postedSums>): ReadonlyMap<string, bigint> {
  const nets = [...sums].map(([account, { debit, credit }]) => [account, debit - credit] as const);
  return new Map(nets.filter(([, net]) => net !== 0n).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A close posts the drafts of its month and leaves all other drafts unchanged (ledger L-199). */
export function expectCloseBooksItsDrafts(before: BooksSnapshot, after: BooksSnapshot, month: string): void {
  const posting = (entry: SeenEntry) => !isPosted(entry) && entry.posting_date.startsWith(month);
  const entries = before.entries.map((entry) => (posting(entry) ? { ...entry, status: 'posted' as const } : entry));
  expect(netSums(postedSums(after))).toEqual(netSums(postedSums({ ...before, entries })));
  const content = (seen: BooksSnapshot) => seen.entries.filter((entry) => !isPosted(entry));
  expect(content(after)).toEqual(content({ ...before, entries }));
}

/** A close moves closed_through to its month; a reopening moves it to the month before, or to null (ledger L-209). */
export function expectPointerMovesByOneMonth(before: BooksSnapshot, after: BooksSnapshot): void {
  const [from = null, to = null] = [before.calendar?.closed_through, after.calendar?.closed_through];
  if (from === to || from === null || to === null) return;
  const index = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5));
  expect([from, to, Math.abs(index(to) - index(from))]).toEqual([from, to, 1]);
}
