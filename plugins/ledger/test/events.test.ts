/** @module-tag sessions */
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { counts, entry, type Leg, openBooks, startLedger } from './books.ts';

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startLedger());
});
afterAll(async () => {
  await service.close();
});

describe('create-event-block with journal entries', () => {
  it('writes a transaction, an entry and its lines, and shows them in every read (ledger L-48 to L-50, L-64, L-65)', async () => {
    const book = await openBooks(user);
    const recorded = await book.operation(
      'create-event-block',
      entry(
        book,
        '2026-03-31',
        [
          ['6000', 520_000, 0],
          ['1000', 0, 418_000],
          ['2200', 0, 102_000],
        ],
        { external_id: 'payroll-1', amount: -520_000 },
      ),
    );
    expect(recorded.status).toBe(200);
    expect(recorded.body.result).toMatchObject({
      status: 'fulfilled',
      event_type: 'journal_entry_recorded',
      external_id: 'payroll-1',
      amount: -520_000,
      currency: 'USD',
    });
    const data = await book.query(`{
      transactions { transactions { id amount date status type } pagination { total } }
      journalEntries { entries { transactionId totalDebit totalCredit balanced status triggeredByEventId lineItems { accountCode accountName debitAmount creditAmount lineOrder } } }
      trialBalance { totalDebits totalCredits rows { accountCode totalDebits totalCredits netBalance } }
      summary { transactionCount entryCount lineItemCount accountCount earliestTransactionDate }
      eventBlocks { id status externalId metadata } }`);
    expect(data['transactions'].transactions[0]).toMatchObject({
      amount: 5200,
      date: '2026-03-31',
      status: 'posted',
      type: 'journal_entry_recorded',
    });
    expect(data['journalEntries'].entries[0]).toMatchObject({
      totalDebit: 5200,
      balanced: true,
      status: 'posted',
      triggeredByEventId: recorded.body.result.id,
    });
    expect(
      data['journalEntries'].entries[0].lineItems.map((line: { accountCode: string; lineOrder: number }) => [
        line.accountCode,
        line.lineOrder,
      ]),
    ).toEqual([
      ['6000', 1],
      ['1000', 2],
      ['2200', 3],
    ]);
    expect(data['trialBalance']).toEqual({
      totalDebits: 5200,
      totalCredits: 5200,
      rows: [
        { accountCode: '1000', totalDebits: 0, totalCredits: 4180, netBalance: -4180 },
        { accountCode: '2200', totalDebits: 0, totalCredits: 1020, netBalance: -1020 },
        { accountCode: '6000', totalDebits: 5200, totalCredits: 0, netBalance: 5200 },
      ],
    });
    expect(data['summary']).toEqual({
      transactionCount: 1,
      entryCount: 1,
      lineItemCount: 3,
      accountCount: 46,
      earliestTransactionDate: '2026-03-31',
    });
    const detail = await book.query(
      `{ transaction(transactionId: "${data['transactions'].transactions[0].id}") { amount entries { memo lineItems { debitAmount } } } }`,
    );
    expect(detail['transaction']).toMatchObject({ amount: 5200, entries: [{ memo: 'test' }] });
    expect((await book.query('{ transaction(transactionId: "txn_none") { id } }'))['transaction']).toBeNull();
  });

  it('reproduces the posted month of the consultancy (ledger 13.1 rows 3 to 7)', async () => {
    const book = await openBooks(user);
    const month: readonly (readonly [string, readonly Leg[]])[] = [
      [
        '2026-03-01',
        [
          ['1000', 4_000_000, 0],
          ['3000', 0, 4_000_000],
        ],
      ],
      [
        '2026-03-02',
        [
          ['6100', 240_000, 0],
          ['1000', 0, 240_000],
        ],
      ],
      [
        '2026-03-05',
        [
          ['1100', 1_250_000, 0],
          ['4000', 0, 1_250_000],
        ],
      ],
      [
        '2026-03-08',
        [
          ['1300', 360_000, 0],
          ['1000', 0, 360_000],
        ],
      ],
      [
        '2026-03-20',
        [
          ['1000', 750_000, 0],
          ['1100', 0, 750_000],
        ],
      ],
      [
        '2026-03-25',
        [
          ['5000', 185_000, 0],
          ['2000', 0, 185_000],
        ],
      ],
      [
        '2026-03-31',
        [
          ['6000', 520_000, 0],
          ['1000', 0, 418_000],
          ['2200', 0, 102_000],
        ],
      ],
      [
        '2026-03-31',
        [
          ['6300', 30_000, 0],
          ['1300', 0, 30_000],
        ],
      ],
    ];
    for (const [date, legs] of month)
      expect((await book.operation('create-event-block', entry(book, date, legs))).status).toBe(200);
    const { trialBalance } = await book.query(
      '{ trialBalance { totalDebits totalCredits rows { accountCode totalDebits totalCredits netBalance } } }',
    );
    expect(trialBalance.totalDebits).toBe(73_350);
    expect(
      trialBalance.rows.map((row: Record<string, unknown>) => [
        row['accountCode'],
        row['totalDebits'],
        row['totalCredits'],
        row['netBalance'],
      ]),
    ).toEqual([
      ['1000', 47_500, 10_180, 37_320],
      ['1100', 12_500, 7_500, 5_000],
      ['1300', 3_600, 300, 3_300],
      ['2000', 0, 1_850, -1_850],
      ['2200', 0, 1_020, -1_020],
      ['3000', 0, 40_000, -40_000],
      ['4000', 0, 12_500, -12_500],
      ['5000', 1_850, 0, 1_850],
      ['6000', 5_200, 0, 5_200],
      ['6100', 2_400, 0, 2_400],
      ['6300', 300, 0, 300],
    ]);
    const { mappings } = await book.query('{ mappings { structures { id } } }');
    const { mappedTrialBalance } = await book.query(
      `{ mappedTrialBalance(mappingId: "${mappings.structures[0].id}") { rows { qname netBalance } } }`,
    );
    expect(mappedTrialBalance.rows).toContainEqual({
      qname: 'rs-gaap:CashAndCashEquivalentsAtCarryingValue',
      netBalance: 37_320,
    });
    expect(
      mappedTrialBalance.rows.reduce(
        (sum: number, row: { netBalance: number }) => sum + Math.round(row.netBalance * 100),
        0,
      ),
    ).toBe(0);
    const april = await book.query('{ trialBalance(startDate: "2026-04-01") { rows { accountCode } totalDebits } }');
    expect(april['trialBalance']).toEqual({ rows: [], totalDebits: 0 });
  });

  it('excludes drafts from all balances (ledger L-40)', async () => {
    const book = await openBooks(user);
    const draft = entry(book, '2026-03-31', [
      ['1000', 5, 0],
      ['4000', 0, 5],
    ]);
    const made = await book.operation('create-event-block', {
      ...draft,
      metadata: { ...(draft as { metadata: object }).metadata, status: 'draft' },
    });
    expect(made.body.result.status).toBe('classified');
    const data = await book.query(
      '{ trialBalance { rows { accountCode } } journalEntries(status: "draft") { pagination { total } } transactions { transactions { status } } }',
    );
    expect(data).toMatchObject({
      trialBalance: { rows: [] },
      journalEntries: { pagination: { total: 1 } },
      transactions: { transactions: [{ status: 'pending' }] },
    });
  });

  it('accepts several entries in one transaction (ledger L-51, L-87)', async () => {
    const book = await openBooks(user);
    const lines = (cents: number) => [
      { element_id: book.id('1000'), debit_amount: cents },
      { element_id: book.id('4000'), credit_amount: cents },
    ];
    const made = await book.operation('create-event-block', {
      ...entry(book, '2026-03-31', []),
      metadata: {
        status: 'posted',
        entries: [
          { posting_date: '2026-03-30', memo: 'a', line_items: lines(1) },
          { posting_date: '2026-04-01', memo: 'b', line_items: lines(2) },
        ],
      },
    });
    expect(made.status).toBe(200);
    expect((await book.query(counts))['summary']).toEqual({ transactionCount: 1, entryCount: 2, lineItemCount: 4 });
  });

  it('only captures the event without apply_handlers (ledger L-85)', async () => {
    const book = await openBooks(user);
    const captured = await book.operation('create-event-block', {
      ...entry(book, '1999-01-01', []),
      apply_handlers: false,
      metadata: { note: 'kept' },
    });
    expect(captured.body.result).toMatchObject({ status: 'captured', metadata: { note: 'kept' } });
    expect((await book.query(counts))['summary']).toEqual({ transactionCount: 0, entryCount: 0, lineItemCount: 0 });
    const { eventBlock } = await book.query(`{ eventBlock(id: "${captured.body.result.id}") { status metadata } }`);
    expect(eventBlock).toEqual({ status: 'captured', metadata: { note: 'kept' } });
  });

  it('accepts amounts beyond 32 bits (ledger L-4a)', async () => {
    const book = await openBooks(user);
    const big = await book.operation(
      'create-event-block',
      entry(
        book,
        '2026-03-31',
        [
          ['1000', 3_000_000_000, 0],
          ['3000', 0, 3_000_000_000],
        ],
        { amount: 3_000_000_000 },
      ),
    );
    const { eventBlock } = await book.query(`{ eventBlock(id: "${big.body.result.id}") { amount } }`);
    expect(eventBlock.amount).toBe(3_000_000_000);
  });

  it('records an event once per source and external id, also when callers race (ledger L-83, L-201)', async () => {
    const book = await openBooks(user);
    const body = entry(
      book,
      '2026-03-31',
      [
        ['1000', 7, 0],
        ['4000', 0, 7],
      ],
      { external_id: 'same' },
    );
    const answers = await Promise.all(Array.from({ length: 8 }, () => book.operation('create-event-block', body)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    const refused = answers.filter((answer) => answer.status === 409);
    expect(refused).toHaveLength(7);
    expect(new Set(refused.map((answer) => answer.body.detail))).toEqual(
      new Set(['Event already ingested for this source and external_id']),
    );
    const later = await book.operation('create-event-block', body);
    expect(later.headers.get('x-existing-event-id')).toBe(
      answers.find((answer) => answer.status === 200)?.body.result.id,
    );
    expect((await book.query(counts))['summary'].transactionCount).toBe(1);
  });
});
