/** @module-tag sessions */
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aging, type Side } from '../src/index.ts';
import { type Books, entry, type Leg, type Loose, openBooks, startLedger } from './books.ts';

let service: TestService;
let user: TestClient;
let book: Books;
beforeAll(async () => {
  ({ service, user } = await startLedger());
  book = await openBooks(user);
});
afterAll(async () => {
  await service.close();
});

const sale = (cents: number): readonly Leg[] => [
  ['1100', cents, 0],
  ['4000', 0, cents],
];

/** Records a posted invoice with further metadata. */
async function invoice(date: string, cents: number, more: object = {}): Promise<string> {
  const body = entry(book, date, sale(cents), { event_type: 'invoice_issued', amount: cents }) as Loose;
  const answer = await book.operation('create-event-block', { ...body, metadata: { ...body.metadata, ...more } });
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  return answer.body.result.id;
}

const aged = async (asOf: string, side: Side = 'receivable') => {
  const rows = await service.store.transaction({ graphId: book.graph }, (tx) =>
    service.service.services.resolve(aging).aging(tx, side, asOf),
  );
  return Object.fromEntries(rows.map(({ bucket, total, events }) => [bucket, [Number(total), events]]));
};

describe('aging', () => {
  it('groups open receivables by days past due, as of any date (ledger L-102)', async () => {
    const first = await invoice('2026-03-01', 100, { due_date: '2026-03-10' });
    await invoice('2026-03-02', 20, { qb_due_date: '2026-04-15' });
    await invoice('2026-03-03', 3);
    await invoice('2026-03-04', 4_000, { due_date: 'soon' });
    const paid = entry(
      book,
      '2026-03-20',
      [
        ['1000', 60, 0],
        ['1100', 0, 60],
      ],
      { event_type: 'payment_received', event_category: 'treasury', amount: 60, discharges_event_id: first },
    );
    expect((await book.operation('create-event-block', paid)).status).toBe(200);
    expect(await aged('2026-02-28')).toEqual({});
    expect(await aged('2026-03-10')).toEqual({ current: [4_123, 4] });
    expect(await aged('2026-03-19')).toEqual({ current: [4_023, 3], '1-30': [100, 1] });
    expect(await aged('2026-03-20')).toEqual({ current: [4_023, 3], '1-30': [40, 1] });
    expect(await aged('2026-05-09')).toEqual({ '1-30': [20, 1], '31-60': [4_043, 3] });
    expect(await aged('2026-12-31')).toEqual({ 'over-90': [4_063, 4] });
    expect(await aged('2026-12-31', 'payable')).toEqual({});
    // Nothing of the first invoice is open any more, but it was on earlier days.
    const rest = entry(
      book,
      '2026-03-25',
      [
        ['1000', 40, 0],
        ['1100', 0, 40],
      ],
      { event_type: 'payment_received', event_category: 'treasury', amount: 40, discharges_event_id: first },
    );
    expect((await book.operation('create-event-block', rest)).status).toBe(200);
    expect(await aged('2026-03-19')).toEqual({ current: [4_023, 3], '1-30': [100, 1] });
    expect(await aged('2026-03-24')).toEqual({ current: [4_023, 3], '1-30': [40, 1] });
    expect(await aged('2026-03-25')).toEqual({ current: [4_023, 3] });
  });
});
