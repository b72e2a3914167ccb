/** @module-tag sessions */
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { periodBalances } from '../src/index.ts';
import { type Books, entry, type Leg, openBooks } from './books.ts';
import { recorded, startCloseService } from './close-books.ts';

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startCloseService());
});
afterAll(async () => {
  await service.close();
});

const history: readonly (readonly [date: string, legs: readonly Leg[]])[] = [
  [
    '2024-12-31',
    [
      ['1000', 90_000, 0],
      ['3000', 0, 90_000],
    ],
  ],
  [
    '2025-06-30',
    [
      ['1000', 5_000, 0],
      ['4000', 0, 5_000],
    ],
  ],
  [
    '2025-12-31',
    [
      ['6100', 1_200, 0],
      ['1000', 0, 1_200],
    ],
  ],
  [
    '2026-01-15',
    [
      ['6100', 700, 0],
      ['1000', 0, 700],
    ],
  ],
  [
    '2026-03-31',
    [
      ['1000', 2_000, 0],
      ['4000', 0, 2_000],
    ],
  ],
];

/** The rows of a range as numbers, by account code. */
async function between(book: Books, from: string, to: string): Promise<Record<string, readonly number[]>> {
  const { accounts } = await book.query('{ accounts(limit: 200) { accounts { id code } } }');
  const codes = new Map<string, string>(
    accounts.accounts.map((account: { id: string; code: string }) => [account.id, account.code]),
  );
  const rows = await service.store.transaction({ graphId: book.graph }, (tx) =>
    service.service.services.resolve(periodBalances).between(tx, from, to),
  );
  return Object.fromEntries(
    rows.map(({ accountId, opening, debit, credit, closing }) => [
      codes.get(accountId ?? '') ?? 'none',
      [opening, debit, credit, closing].map(Number),
    ]),
  );
}

describe('period balances of a range', () => {
  it('carries opening balances, resets revenue and expenses each year, and keeps earlier years in equity (ledger L-41)', async () => {
    const book = await openBooks(user);
    for (const [date, legs] of history) await recorded(book, entry(book, date, legs));
    expect(await between(book, '2026-02-01', '2026-03-31')).toEqual({
      '1000': [93_100, 2_000, 0, 95_100],
      '3000': [-90_000, 0, 0, -90_000],
      '3200': [-3_800, 0, 0, -3_800],
      '4000': [0, 0, 2_000, -2_000],
      '6100': [700, 0, 0, 700],
    });
    const atEnd = await service.store.transaction({ graphId: book.graph }, (tx) =>
      service.service.services.resolve(periodBalances).asOf(tx, '2025-12-31'),
    );
    expect(new Map(atEnd.map(({ accountId, balance }) => [accountId, balance]))).toEqual(
      new Map([
        [book.id('1000'), 93_800n],
        [book.id('3000'), -90_000n],
        [book.id('4000'), -5_000n],
        [book.id('6100'), 1_200n],
      ]),
    );
    await expect(between(book, '2026-03-31', '2026-03-01')).rejects.toThrow('to: 2026-03-01 is before from');
    await expect(between(book, '2026-02-30', '2026-03-01')).rejects.toThrow('is not a calendar date');
  });
});
