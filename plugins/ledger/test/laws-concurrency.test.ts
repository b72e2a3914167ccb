/** @module-tag sessions */
import type { Answer, TestClient, TestService } from '@pacioli/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, entry, type Leg, type Loose, openBooks, startLedger } from './books.ts';
import { lawRuns, maxLawMs } from './law-runs.ts';
import { expectLaws, expectStoredLaws } from './laws.ts';
import { bodyOf, lineItems, today } from './model-requests.ts';
import { type Step, step } from './model-steps.ts';
import { type BooksSnapshot, readBooks } from './read-books.ts';

const callers = 16;

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startLedger(`${today}T12:00:00Z`));
});
afterAll(async () => {
  await service.close();
});

const sale: readonly Leg[] = [
  ['1000', 500, 0],
  ['4000', 0, 500],
];

interface Request {
  readonly name: string;
  readonly body: Loose;
  readonly headers: Record<string, string>;
}

/** The request of a step on the books as last seen. Numbers choose among few rows, so that callers collide. */
function requestOf(book: Books, seen: BooksSnapshot, given: Step, label: string): Request {
  const few = 4;
  const event = (number: number) => seen.events.slice(-few)[number % few]?.id ?? 'evt_none';
  const journal = (number: number) => seen.entries.slice(-few)[number % few]?.id ?? 'je_none';
  const create = (body: object, headers = {}) => ({ name: 'create-event-block', body, headers });
  if (given.do === 'record') {
    const headers: Record<string, string> = given.hasKey ? { 'idempotency-key': label } : {};
    return create(bodyOf(book, given, given.hasExternalId ? label : null), headers);
  }
  if (given.do === 'preview')
    return { name: 'preview-event-block', body: bodyOf(book, given.record, null), headers: {} };
  if (given.do === 'spoil') {
    const entries = given.record.entries.map((each) => ({ ...each, legs: [...each.legs, ['1000', 1, 0] as const] }));
    return create(bodyOf(book, { ...given.record, mode: 'draft', entries }, label));
  }
  // Many callers deliver the same event, and the first one wins.
  if (given.do === 'retry') return create(entry(book, '2026-03-09', sale, { external_id: `same-${given.event % 2}` }));
  if (given.do === 'move') {
    const more = given.to === 'superseded' ? { superseded_by_id: event(given.successor) } : {};
    const body = { event_id: event(given.event), transition_to: given.to, ...more };
    return { name: 'update-event-block', body, headers: {} };
  }
  if (given.do === 'reverse') {
    const metadata = { entry_id: journal(given.entry), posting_date: given.day };
    return create({ ...entry(book, given.day, [], { event_type: 'journal_entry_reversed' }), metadata });
  }
  if (given.do === 'close' || given.do === 'reopen' || given.do === 'reclose') {
    const newest = seen.calendar?.closed_through ?? null;
    const next = seen.months.find((month) => month.status !== 'closed')?.name ?? '2026-03';
    const isClose = given.do === 'close' || newest === null;
    const body = isClose ? { period: next } : { period: newest, reason: 'generated' };
    return { name: isClose ? 'close-period' : 'reopen-period', body, headers: {} };
  }
  const entryId = journal(given.entry);
  if (given.do === 'remove') return { name: 'delete-journal-entry', body: { entry_id: entryId }, headers: {} };
  const lines = given.legs === null ? null : lineItems(book, given.legs);
  return {
    name: 'update-journal-entry',
    body: { entry_id: entryId, posting_date: given.day, line_items: lines },
    headers: {},
  };
}

/** Under concurrency a caller succeeds, or is rejected with a reason, or is asked to retry. */
function expectAnswered({ name }: Request, answer: Answer): void {
  expect([name, answer.status, [200, 404, 409, 422].includes(answer.status), answer.body.detail]).toEqual([
    name,
    answer.status,
    true,
    answer.status === 200 ? undefined : expect.any(String),
  ]);
}

/** Every acknowledged write is there once, and nothing else is. */
function expectAcknowledged(
  before: BooksSnapshot,
  after: BooksSnapshot,
  done: readonly (readonly [Request, Answer])[],
): void {
  const created = done
    .filter(([{ name }, answer]) => name === 'create-event-block' && answer.status === 200)
    .map(([, answer]): string => answer.body.result.id);
  const known = new Set(before.events.map((event) => event.id));
  const fresh = after.events.map((event) => event.id).filter((id) => !known.has(id));
  expect(fresh.sort()).toEqual([...new Set(created)].sort());
  const entries = new Map(after.entries.map((each) => [each.id, each]));
  for (const [{ name, body }, answer] of done) {
    if (answer.status !== 200) continue;
    if (name === 'delete-journal-entry') expect(entries.has(body.entry_id)).toBe(false);
    if (body.event_type === 'journal_entry_reversed')
      expect(entries.get(body.metadata.entry_id)?.status).toBe('reversed');
  }
}

describe('sixteen concurrent callers', () => {
  it('keeps the laws of the books under sixteen concurrent callers, for every reader in between as well (ledger L-196 to L-212)', {
    timeout: maxLawMs,
  }, async () => {
    const crowd = fc.array(step, { minLength: callers, maxLength: callers });
    await fc.assert(
      fc.asyncProperty(fc.array(crowd, { minLength: 1, maxLength: 4, size: 'max' }), async (crowds) => {
        const book = await openBooks(user);
        let seen = await expectLaws(service, book);
        for (const [round, steps] of crowds.entries()) {
          const before = seen;
          const requests = steps.flatMap((each, index) => {
            const request = requestOf(book, before, each, `c-${round}-${index}`);
            // A caller without an answer retries at once (ledger L-201).
            return index % 4 === 0 ? [request, request] : [request];
          });
          let isOver = false;
          const reader = async (): Promise<void> => {
            while (!isOver) expectStoredLaws(await readBooks(service.store, book.graph));
          };
          const writes = Promise.all(
            requests.map(async (request) => {
              const answer = await book.operation(request.name, request.body, request.headers);
              return [request, answer] as const;
            }),
          ).finally(() => {
            isOver = true;
          });
          const [done] = await Promise.all([writes, reader()]);
          for (const [request, answer] of done) expectAnswered(request, answer);
          seen = await expectLaws(service, book, before);
          expectAcknowledged(before, seen, done);
        }
      }),
      lawRuns(3),
    );
  });

  it('reverses an entry once under sixteen concurrent callers (ledger L-61, L-210)', async () => {
    const book = await openBooks(user);
    await book.operation('create-event-block', entry(book, '2026-03-09', sale));
    const before = await expectLaws(service, book);
    const id = before.entries[0]?.id;
    const answers = await Promise.all(
      Array.from({ length: callers }, () =>
        book.operation('create-event-block', {
          ...entry(book, '2026-03-10', [], { event_type: 'journal_entry_reversed' }),
          metadata: { entry_id: id, posting_date: '2026-03-10' },
        }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(callers - 1).fill(422)]);
    const after = await expectLaws(service, book, before);
    expect(after.entries.map((each) => each.status).sort()).toEqual(['posted', 'reversed']);
    expect(after.events).toHaveLength(2);
  });

  it('serializes concurrent edits of one draft, and keeps every replaced version in the history (ledger L-56, L-210, L-216)', async () => {
    const book = await openBooks(user);
    const draft = entry(book, '2026-03-09', sale) as Loose;
    await book.operation('create-event-block', { ...draft, metadata: { ...draft.metadata, status: 'draft' } });
    const before = await expectLaws(service, book);
    const id = before.entries[0]?.id ?? '';
    const legs = (cents: number): readonly Leg[] => [
      ['1000', cents, 0],
      ['4000', 0, cents],
    ];
    const answers = await Promise.all(
      Array.from({ length: callers }, (_, index) =>
        book.operation('update-journal-entry', { entry_id: id, line_items: lineItems(book, legs(1000 + index)) }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(callers).fill(200));
    const after = await expectLaws(service, book, before);
    const [edited] = after.entries;
    expect(edited?.version).toBe(1 + callers);
    expect(after.history).toHaveLength(callers);
    const sums = answers.map((answer) => answer.body.result.total_debit);
    expect(new Set(sums).size).toBe(callers);
    expect(sums).toContain(edited?.lines[0]?.debit_amount);
    expect(after.transactions[0]?.amount).toBe(edited?.lines[0]?.debit_amount);
  });

  it('records an event once under concurrency, by external id or by idempotency key (ledger L-83, L-201)', async () => {
    const book = await openBooks(user);
    const before = await expectLaws(service, book);
    const byId = await Promise.all(
      Array.from({ length: callers }, () =>
        book.operation('create-event-block', entry(book, '2026-03-09', sale, { external_id: 'once' })),
      ),
    );
    expect(byId.map((answer) => answer.status).sort()).toEqual([200, ...Array(callers - 1).fill(409)]);
    const body = entry(book, '2026-03-09', sale);
    const byKey = await Promise.all(
      Array.from({ length: callers }, () => book.operation('create-event-block', body, { 'idempotency-key': 'k' })),
    );
    for (const answer of byKey) expect([200, 409]).toContain(answer.status);
    const ids = byKey.filter((answer) => answer.status === 200).map((answer) => answer.body.result.id);
    expect(new Set(ids).size).toBe(1);
    const after = await expectLaws(service, book, before);
    expect(after.events).toHaveLength(2);
    expect(after.entries).toHaveLength(2);
  });

  it('supersedes events in a ring without a deadlock, and only as the rules allow (ledger L-74, L-210)', async () => {
    const book = await openBooks(user);
    const made = await Promise.all(
      Array.from({ length: callers }, (_, index) =>
        book.operation('create-event-block', {
          ...entry(book, '2026-03-09', sale, { external_id: `ring-${index}` }),
          apply_handlers: false,
        }),
      ),
    );
    const ids: readonly string[] = made.map((answer) => answer.body.result.id);
    const before = await expectLaws(service, book);
    const answers = await Promise.all(
      ids.map((eventId, index) =>
        book.operation('update-event-block', {
          event_id: eventId,
          transition_to: 'superseded',
          superseded_by_id: ids[(index + 1) % ids.length],
        }),
      ),
    );
    for (const answer of answers) expect([200, 409, 422]).toContain(answer.status);
    const after = await expectLaws(service, book, before);
    const replaced = after.events.filter((event) => event.status === 'superseded');
    expect(replaced).toHaveLength(answers.filter((answer) => answer.status === 200).length);
    expect(replaced.length).toBeGreaterThan(0);
    expect(replaced.length).toBeLessThan(callers);
  });
});
