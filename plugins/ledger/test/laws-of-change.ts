import { expect } from 'vitest';
import { isPosted, postedSums, type Seen, type SeenEntry } from './books-seen.ts';

/** All that never changes of an entry that has landed (ledger L-53); the name of a schedule that goes is kept with it (L-190). */
function lasting(entry: SeenEntry): object {
  const changing = ['status', 'version', 'updated_at', 'metadata'];
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !changing.includes(name)));
}

/** Ledger L-53, L-198: what has landed is there for ever as it was, except that it may be reversed. */
export function expectPostedEntriesStay(before: Seen, after: Seen): void {
  const byId = new Map(after.entries.map((entry) => [entry.id, entry]));
  for (const entry of before.entries.filter(isPosted)) {
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
  const now = postedSums(after);
  for (const [account, { debit, credit }] of postedSums(before)) {
    const sum = now.get(account);
    expect([account, (sum?.debit ?? 0n) >= debit, (sum?.credit ?? 0n) >= credit]).toEqual([account, true, true]);
  }
}

/** Ledger L-53, L-216: what was replaced stays known. */
export function expectHistoryGrows(before: Seen, after: Seen): void {
  const now = new Set(after.history);
  expect(before.history.filter((version) => !now.has(version))).toEqual([]);
}

/** Ledger L-5a: the first posted entry sets the functional currency, drafts never do, and it stays. */
export function expectCurrencyStays(before: Seen, after: Seen): void {
  if (before.functionalCurrency !== null) {
    expect(after.functionalCurrency).toBe(before.functionalCurrency);
    return;
  }
  const posted = after.entries.filter(isPosted);
  if (posted.length === 0) expect(after.functionalCurrency).toBeNull();
  // Several may be posted by one close; those with the first day decide.
  const first = posted.map(({ posting_date }) => posting_date).sort()[0];
  const currencies = posted.filter(({ posting_date }) => posting_date === first).map(({ currency }) => currency);
  if (first !== undefined) expect(currencies).toContain(after.functionalCurrency);
}

/** Every law about two looks at the same books, one after the other. */
export function expectLawsOfChange(before: Seen, after: Seen): void {
  expectPostedEntriesStay(before, after);
  expectLegalSteps(before, after);
  expectTurnoverGrows(before, after);
  expectHistoryGrows(before, after);
  expectCurrencyStays(before, after);
}

/** Sums by account, without the accounts that are even. */
function netSums(sums: ReturnType<typeof postedSums>): ReadonlyMap<string, bigint> {
  const nets = [...sums].map(([account, { debit, credit }]) => [account, debit - credit] as const);
  return new Map(nets.filter(([, net]) => net !== 0n).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Ledger L-199: a close books the drafts of its month and nothing else; other drafts wait as they were. */
export function expectCloseBooksItsDrafts(before: Seen, after: Seen, month: string): void {
  const posting = (entry: SeenEntry) => !isPosted(entry) && entry.posting_date.startsWith(month);
  const entries = before.entries.map((entry) => (posting(entry) ? { ...entry, status: 'posted' as const } : entry));
  expect(netSums(postedSums(after))).toEqual(netSums(postedSums({ ...before, entries })));
  const content = (seen: Seen) => seen.entries.filter((entry) => !isPosted(entry));
  expect(content(after)).toEqual(content({ ...before, entries }));
}

/** Ledger L-209: a close moves the pointer to its month, a reopening to the month before or to nothing. */
export function expectPointerMovesByOneMonth(before: Seen, after: Seen): void {
  const [from = null, to = null] = [before.calendar?.closed_through, after.calendar?.closed_through];
  if (from === to || from === null || to === null) return;
  const index = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5));
  expect([from, to, Math.abs(index(to) - index(from))]).toEqual([from, to, 1]);
}
