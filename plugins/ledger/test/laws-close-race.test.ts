/** @module-tag sessions */
import type { TestClient, TestService } from '@pacioli/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, entry, type Leg, type Loose, openBooks, startLedger } from './books.ts';
import { lawRuns, maxLawMs } from './law-runs.ts';
import { expectLaws } from './laws.ts';

const callers = 16;

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startLedger('2026-06-15T12:00:00Z'));
});
afterAll(async () => {
  await service.close();
});

const sale: readonly Leg[] = [
  ['1000', 500, 0],
  ['4000', 0, 500],
];

/** A sale on the day, draft or posted. */
function sold(book: Books, day: string, status: 'draft' | 'posted'): object {
  const body = entry(book, day, sale) as Loose; // `entry` returns an object with metadata.
  return { ...body, metadata: { ...body.metadata, status } };
}

const post = fc.record({
  day: fc.constantFrom('2026-02-20', '2026-03-01', '2026-03-31', '2026-03-31', '2026-04-01'),
  status: fc.constantFrom('draft' as const, 'posted' as const),
});

describe('close-period while others write into the month', () => {
  it('posts each accepted entry or rejects its caller, and exactly one close succeeds (ledger L-150, L-155, L-199, L-209, L-210)', {
    timeout: maxLawMs,
  }, async () => {
    const crowd = fc.array(fc.oneof({ weight: 5, arbitrary: post }, { weight: 1, arbitrary: fc.constant(null) }), {
      minLength: callers - 1,
      maxLength: callers - 1,
    });
    await fc.assert(
      fc.asyncProperty(crowd, async (posts) => {
        const book = await openBooks(user);
        // A draft from before the race.
        await book.operation('create-event-block', sold(book, '2026-03-15', 'draft'));
        const before = await expectLaws(service, book);
        const close = () => book.operation('close-period', { period: '2026-03' });
        const answers = await Promise.all(
          [...posts, null].map(async (each) => {
            const name = each === null ? 'close' : each.day;
            const answer = await (each === null
              ? close()
              : book.operation('create-event-block', sold(book, each.day, each.status)));
            expect([name, answer.status, [200, 409, 422].includes(answer.status)]).toEqual([name, answer.status, true]);
            return { name, answer };
          }),
        );
        const after = await expectLaws(service, book, before);
        const closes = answers.filter(({ name, answer }) => name === 'close' && answer.status === 200);
        const isClosed = after.calendar?.closed_through === '2026-03';
        expect(closes).toHaveLength(isClosed ? 1 : 0);
        const events = new Set(after.events.map((event) => event.id));
        const written = answers.filter(({ name, answer }) => name !== 'close' && answer.status === 200);
        expect(written.filter(({ answer }) => !events.has(answer.body.result.id))).toEqual([]);
        expect(after.events).toHaveLength(1 + written.length);
        // A write after the race finds the month closed.
        if (!isClosed) return;
        const late = await book.operation('create-event-block', sold(book, '2026-03-31', 'draft'));
        expect([late.status, late.body.detail]).toEqual([422, expect.stringContaining("closed period '2026-03'")]);
      }),
      lawRuns(6),
    );
  });

  it('gives the result of some sequence of closes and reopenings, however many run at once (ledger L-200, L-209, L-210)', async () => {
    const book = await openBooks(user);
    let seen = await expectLaws(service, book);
    for (let round = 0; round < 3; round += 1) {
      const wasClosed = seen.calendar?.closed_through === '2026-03';
      const answers = await Promise.all(
        Array.from({ length: callers }, (_, index) => {
          if (index % 3 === 0) return book.operation('close-period', { period: '2026-03' });
          if (index % 3 === 1) return book.operation('reopen-period', { period: '2026-03', reason: 'generated' });
          return book.operation('create-event-block', sold(book, '2026-03-20', 'draft'));
        }),
      );
      for (const answer of answers) expect([200, 409, 422]).toContain(answer.status);
      seen = await expectLaws(service, book, seen);
      const done = (place: number) =>
        answers.filter((each, index) => index % 3 === place && each.status === 200).length;
      // Closes and reopenings must alternate.
      const isClosed = seen.calendar?.closed_through === '2026-03';
      expect(Number(wasClosed) + done(0) - done(1)).toBe(Number(isClosed));
    }
  });
});
