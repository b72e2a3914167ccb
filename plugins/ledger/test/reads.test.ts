/** @module-tag sessions */
// Goal: the documented behavior of the ledger reads, tested through public reads only (ledger sections 3, 5.3 and 9).
import type { FixedClock, TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, done, entry, type Loose, openBooks, startLedger } from './books.ts';

let service: TestService;
let user: TestClient;
let clock: FixedClock;
beforeAll(async () => {
  ({ service, user, clock } = await startLedger());
});
afterAll(async () => {
  await service.close();
});

const trialBalance = async (book: Books, range = ''): Promise<Loose> =>
  (
    await book.query(
      `{ trialBalance${range} { totalDebits totalCredits rows { accountCode totalDebits totalCredits netBalance } } }`,
    )
  ).trialBalance;

async function openMonths(): Promise<Books> {
  const book = await openBooks(user);
  const sales: readonly [string, number][] = [
    ['2026-03-10', 1_000],
    ['2026-03-31', 200],
    ['2026-04-01', 30],
  ];
  for (const [date, cents] of sales) {
    await done(
      book,
      'create-event-block',
      entry(book, date, [
        ['1000', cents, 0],
        ['4000', 0, cents],
      ]),
    );
  }
  return book;
}

describe('trialBalance', () => {
  it('lists the movements between two dates, both included, in account code order (ledger L-39)', async () => {
    const book = await openMonths();
    expect(await trialBalance(book)).toEqual({
      totalDebits: 12.3,
      totalCredits: 12.3,
      rows: [
        { accountCode: '1000', totalDebits: 12.3, totalCredits: 0, netBalance: 12.3 },
        { accountCode: '4000', totalDebits: 0, totalCredits: 12.3, netBalance: -12.3 },
      ],
    });
    expect(await trialBalance(book, '(startDate: "2026-03-31", endDate: "2026-03-31")')).toMatchObject({
      totalDebits: 2,
    });
    expect(await trialBalance(book, '(endDate: "2026-03-31")')).toMatchObject({ totalDebits: 12 });
    expect(await trialBalance(book, '(startDate: "2026-03-31")')).toMatchObject({ totalDebits: 2.3 });
  });

  it('returns no rows and zero totals for an empty ledger (ledger L-39)', async () => {
    const book = await openBooks(user);
    expect(await trialBalance(book)).toEqual({ totalDebits: 0, totalCredits: 0, rows: [] });
  });

  it('excludes unmapped accounts in mappedTrialBalance (ledger L-43)', async () => {
    const book = await openMonths();
    const mappingId: string = (await book.query('{ mappings { structures { id } } }')).mappings.structures[0].id;
    const mapped = async (): Promise<Loose> =>
      (await book.query(`{ mappedTrialBalance(mappingId: "${mappingId}") { rows { qname netBalance } } }`))
        .mappedTrialBalance.rows;
    const whole = await mapped();
    expect(whole).toHaveLength(2);
    expect(whole).toContainEqual({ qname: 'rs-gaap:CashAndCashEquivalentsAtCarryingValue', netBalance: 12.3 });
    const { mapping } = await book.query(
      `{ mapping(mappingId: "${mappingId}") { associations { id fromElementQname } } }`,
    );
    const arc = mapping.associations.find((one: Loose) => one.fromElementQname === 'coa:4000');
    await done(book, 'delete-mapping-association', { mapping_id: mappingId, association_id: arc.id });
    expect(await mapped()).toEqual([{ qname: 'rs-gaap:CashAndCashEquivalentsAtCarryingValue', netBalance: 12.3 }]);
  });
});

describe('summary', () => {
  it('counts rows of any status, and returns the first and last transaction date (ledger L-44)', async () => {
    const book = await openMonths();
    const draft = entry(book, '2026-05-02', [
      ['1000', 7, 0],
      ['4000', 0, 7],
    ]) as Loose;
    await done(book, 'create-event-block', { ...draft, metadata: { ...draft.metadata, status: 'draft' } });
    const { summary } = await book.query(`{ summary { graphId accountCount transactionCount entryCount lineItemCount
      earliestTransactionDate latestTransactionDate connectionCount lastSyncAt } }`);
    expect(summary).toEqual({
      graphId: book.graph,
      accountCount: 46,
      transactionCount: 4,
      entryCount: 4,
      lineItemCount: 8,
      earliestTransactionDate: '2026-03-10',
      latestTransactionDate: '2026-05-02',
      connectionCount: 0,
      lastSyncAt: null,
    });
  });
});

describe('eventBlocks', () => {
  it('combines all filters and sorts the latest first; eventBlock returns null for an unknown id (ledger L-80, L-81)', async () => {
    const book = await openMonths();
    const later = entry(
      book,
      '2026-03-10',
      [
        ['1000', 5, 0],
        ['4000', 0, 5],
      ],
      { event_category: 'sales', occurred_at: '2026-03-10T23:30:00-02:00', dimension_ids: [] },
    );
    const made = await done(book, 'create-event-block', later);
    const found = async (filters: string): Promise<Loose[]> =>
      (await book.query(`{ eventBlocks${filters} { id occurredAt isReconcilingItem dimensionIds } }`)).eventBlocks;
    const all = await found('');
    expect(all.map(({ occurredAt }) => occurredAt)).toEqual([
      '2026-04-01T10:00:00.000Z',
      '2026-03-31T10:00:00.000Z',
      // A timestamp with an offset is returned in UTC.
      '2026-03-11T01:30:00.000Z',
      '2026-03-10T10:00:00.000Z',
    ]);
    expect(await found('(eventCategory: "sales", source: "manual")')).toEqual([
      { id: made.id, occurredAt: '2026-03-11T01:30:00.000Z', isReconcilingItem: false, dimensionIds: [] },
    ]);
    expect(await found('(eventCategory: "sales", source: "elsewhere")')).toEqual([]);
    expect(await found('(limit: 1, offset: 1)')).toEqual([all[1]]);
    const byId = await book.query(
      `{ one: eventBlock(id: "${made.id}") { id } none: eventBlock(id: "evt_none") { id } }`,
    );
    expect(byId).toEqual({ one: { id: made.id }, none: null });
  });
});

describe('audit fields', () => {
  it('shows who created an event and when, and when an entry was posted (ledger L-194)', async () => {
    const book = await openBooks(user);
    const legs = [
      ['1000', 9, 0],
      ['4000', 0, 9],
    ] as const;
    const draft = entry(book, '2026-03-20', legs) as Loose;
    const made = await done(book, 'create-event-block', {
      ...draft,
      metadata: { ...draft.metadata, status: 'draft' },
    });
    const read = `{ eventBlock(id: "${made.id}") { createdAt createdBy }
      journalEntries { entries { id status postedAt } } }`;
    const before = await book.query(read);
    expect(before.eventBlock).toEqual({ createdAt: made.created_at, createdBy: made.created_by });
    expect(before.journalEntries.entries).toMatchObject([{ status: 'draft', postedAt: null }]);
    clock.advance(60_000);
    await done(book, 'close-period', { period: '2026-03' });
    const after = await book.query(read);
    expect(after.eventBlock).toEqual(before.eventBlock);
    expect(after.journalEntries.entries).toMatchObject([{ status: 'posted', postedAt: '2026-04-01T12:01:00.000Z' }]);
  });
});
