import type { TestClient, TestService } from '@pacioli/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, counts, entry, type Leg, openBooks, startLedger } from './books.ts';

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startLedger());
});
afterAll(async () => {
  await service.close();
});

/** Books made by chance: each is some forty requests, so a few say much. */
const books_max = 5;

const codes = ['1000', '1100', '2000', '3000', '4000', '5000', '6000', '6300'] as const;

interface Posting {
  readonly day: number;
  readonly status: 'draft' | 'posted';
  readonly legs: readonly Leg[];
  /** The number of the posted entry to undo instead, counted among those that are left. */
  readonly undo: number | null;
}

const legs = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...codes), fc.integer({ min: 1, max: 10 ** 12 })), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.constantFrom(...codes),
  )
  .map(([debits, code]): readonly Leg[] => [
    ...debits.map(([debited, cents]): Leg => [debited, cents, 0]),
    [code, 0, debits.reduce((sum, [, cents]) => sum + cents, 0)],
  ]);
const posting: fc.Arbitrary<Posting> = fc.record({
  day: fc.integer({ min: 1, max: 31 }),
  status: fc.constantFrom('posted', 'posted', 'draft'),
  legs,
  undo: fc.option(fc.nat(3), { freq: 3 }),
});

interface Row {
  readonly accountCode: string;
  readonly totalDebits: number;
  readonly totalCredits: number;
}

/** Cents of an amount in major units. */
const cents = (amount: number) => BigInt(Math.round(amount * 100));

async function balances(book: Books, range: string): Promise<ReadonlyMap<string, bigint>> {
  const { trialBalance } = await book.query(
    `{ trialBalance${range} { rows { accountCode totalDebits totalCredits } } }`,
  );
  const rows: readonly Row[] = trialBalance.rows;
  return new Map(rows.map((row) => [row.accountCode, cents(row.totalDebits) - cents(row.totalCredits)]));
}

const sum = (values: Iterable<bigint>) => [...values].reduce((total, value) => total + value, 0n);

/** What an account must be worth: the model that the books are compared with. */
type Model = Map<string, bigint>;

function addTo(model: Model, lines: readonly Leg[], sign: bigint): void {
  for (const [code, debit, credit] of lines)
    model.set(code, (model.get(code) ?? 0n) + sign * (BigInt(debit) - BigInt(credit)));
}

async function play(book: Books, postings: readonly Posting[]): Promise<{ model: Model; bodies: readonly object[] }> {
  const model: Model = new Map();
  const bodies: object[] = [];
  const standing: { readonly id: string; readonly legs: readonly Leg[] }[] = [];
  for (const [index, { day, status, legs: lines, undo }] of postings.entries()) {
    const date = `2026-03-${String(day).padStart(2, '0')}`;
    const undone = undo === null ? undefined : standing.splice(undo, 1)[0];
    const body = undone
      ? {
          ...entry(book, date, [], { external_id: `e${index}`, event_type: 'journal_entry_reversed' }),
          metadata: { entry_id: undone.id, posting_date: date },
        }
      : {
          ...entry(book, date, lines, { external_id: `e${index}` }),
          metadata: { ...(entry(book, date, lines) as { metadata: object }).metadata, status },
        };
    bodies.push(body);
    const answer = await book.operation('create-event-block', body);
    expect(answer.status).toBe(200);
    if (undone !== undefined) addTo(model, undone.legs, -1n);
    else if (status === 'posted') {
      addTo(model, lines, 1n);
      const { journalEntries } = await book.query(
        '{ journalEntries(limit: 1000) { entries { id triggeredByEventId } } }',
      );
      const written = journalEntries.entries.find(
        (each: { triggeredByEventId: string }) => each.triggeredByEventId === answer.body.result.id,
      );
      standing.push({ id: written.id, legs: lines });
    }
  }
  return { model, bodies };
}

describe('books made by chance', () => {
  it('are what was posted, sum to zero over any dates, and gain nothing from a second delivery (ledger L-196, L-197, L-201, L-204)', async () => {
    const scenario = fc.tuple(
      fc.array(posting, { minLength: 3, maxLength: 12 }),
      fc.integer({ min: 1, max: 31 }),
      fc.integer({ min: 1, max: 31 }),
    );
    await fc.assert(
      fc.asyncProperty(scenario, async ([postings, one, other]) => {
        const book = await openBooks(user);
        const { model, bodies } = await play(book, postings);
        const all = await balances(book, '');
        for (const [code, value] of all) expect([code, value]).toEqual([code, model.get(code) ?? 0n]);
        expect([...model].filter(([code, value]) => value !== 0n && !all.has(code))).toEqual([]);

        const [first, last] = [one, other]
          .sort((a, b) => a - b)
          .map((day) => `2026-03-${String(day).padStart(2, '0')}`);
        expect(sum((await balances(book, `(startDate: "${first}", endDate: "${last}")`)).values())).toBe(0n);
        const { journalEntries } = await book.query(
          '{ journalEntries(limit: 1000) { entries { balanced lineItems { debitAmount creditAmount } } } }',
        );
        for (const { balanced, lineItems } of journalEntries.entries) {
          expect(balanced).toBe(true);
          for (const line of lineItems) expect(line.debitAmount > 0).not.toBe(line.creditAmount > 0);
        }

        const before = await book.query(counts);
        for (const body of bodies) expect((await book.operation('create-event-block', body)).status).toBe(409);
        expect(await book.query(counts)).toEqual(before);
        expect(await balances(book, '')).toEqual(all);
      }),
      { numRuns: books_max },
    );
  });

  it('come out the same when the same events are delivered to an empty graph (ledger L-203)', async () => {
    const [book, again] = [await openBooks(user), await openBooks(user)];
    const events: readonly Leg[][] = codes.map((code, index): Leg[] => [
      [code, 100 + index, 0],
      ['3000', 0, 100 + index],
    ]);
    for (const lines of events)
      expect((await book.operation('create-event-block', entry(book, '2026-03-05', lines))).status).toBe(200);
    for (const lines of [...events].reverse())
      expect((await again.operation('create-event-block', entry(again, '2026-03-05', lines))).status).toBe(200);
    expect(await balances(again, '')).toEqual(await balances(book, ''));
  });
});
