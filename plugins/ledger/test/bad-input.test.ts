/** @module-tag sessions */
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, entry, type Loose, openBooks, startLedger } from './books.ts';

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startLedger());
});
afterAll(async () => {
  await service.close();
});

describe('invalid input', () => {
  let book: Books;
  beforeAll(async () => {
    book = await openBooks(user);
    await book.operation(
      'create-event-block',
      entry(
        book,
        '2026-03-31',
        [
          ['1000', 100, 0],
          ['4000', 0, 100],
        ],
        { external_id: 'there' },
      ),
    );
  });

  const good = (): Loose =>
    entry(book, '2026-03-31', [
      ['1000', 100, 0],
      ['4000', 0, 100],
    ]);
  const withLines = (lineItems: unknown) => () => ({
    ...good(),
    metadata: { ...good()['metadata'], line_items: lineItems },
  });
  const legs = (debit: unknown, credit: unknown) => withLinesOf(debit, credit);
  function withLinesOf(debit: unknown, credit: unknown) {
    return () => ({
      ...good(),
      metadata: {
        ...good()['metadata'],
        line_items: [
          { element_id: book.id('1000'), debit_amount: debit },
          { element_id: book.id('4000'), credit_amount: credit },
        ],
      },
    });
  }

  const cases: readonly (readonly [string, () => object, number, RegExp])[] = [
    [
      'an unbalanced entry (ledger L-46)',
      legs(100, 99),
      422,
      /does not balance: total_debit=100 total_credit=99 \(difference=1\)/,
    ],
    ['an empty entry', withLines([]), 422, /at least 2/],
    ['one line', () => withLines([{ element_id: book.id('1000'), debit_amount: 1 }])(), 422, /at least 2/],
    ['a line without an amount (ledger L-45)', legs(0, 0), 422, /Line item 0: must have a non-zero/],
    ['a negative amount (ledger L-45)', legs(-5, -5), 422, /non-negative/],
    ['a fraction of a cent (ledger L-2)', legs(12.5, 12.5), 422, /whole number of minor units/],
    ['an amount as text (ledger L-2)', legs('1200', '1200'), 422, /whole number of minor units/],
    [
      'an amount beyond 2^53−1 (ledger L-2)',
      legs(9007199254740992, 9007199254740992),
      422,
      /whole number of minor units/,
    ],
    [
      'an unknown account (ledger L-47)',
      () => ({
        ...good(),
        metadata: {
          ...good()['metadata'],
          line_items: [
            { element_id: 'elem_none', debit_amount: 1 },
            { element_id: book.id('4000'), credit_amount: 1 },
          ],
        },
      }),
      422,
      /Element\(s\) not found: \[elem_none\]/,
    ],
    [
      'a line without an account (ledger L-45)',
      () => ({
        ...good(),
        metadata: {
          ...good()['metadata'],
          line_items: [{ debit_amount: 1 }, { element_id: book.id('4000'), credit_amount: 1 }],
        },
      }),
      422,
      /Line item 0: missing element_id/,
    ],
    ['an unknown currency (ledger L-5)', () => ({ ...good(), currency: 'usd' }), 422, /not an ISO 4217 code/],
    [
      'a date that does not exist',
      () => ({ ...good(), metadata: { ...good()['metadata'], posting_date: '2026-02-30' } }),
      422,
      /posting_date/,
    ],
    [
      'both metadata shapes (ledger L-87)',
      () => ({ ...good(), metadata: { ...good()['metadata'], entries: [] } }),
      422,
      /not both and not neither/,
    ],
    [
      'a category of another class (ledger L-66)',
      () => ({ ...good(), event_category: 'control' }),
      422,
      /is not valid for event_class/,
    ],
    [
      'a reserved type (ledger L-67)',
      () => ({ ...good(), event_type: 'balance_observed' }),
      422,
      /written only by its own operation/,
    ],
    [
      'an unknown source (ledger L-84)',
      () => ({ ...good(), source: 'somewhere' }),
      422,
      /Unknown event source 'somewhere'/,
    ],
    [
      'protected metadata (ledger L-76)',
      () => ({ ...good(), metadata: { ...good()['metadata'], qb_external_id: 'x' } }),
      422,
      /system-maintained/,
    ],
    [
      'a type without a handler (ledger L-86)',
      () => ({ ...good(), event_type: 'moon_landing' }),
      404,
      /No active handler found for event_type='moon_landing'/,
    ],
    [
      'an unknown transaction (ledger L-50)',
      () => ({ ...good(), metadata: { ...good()['metadata'], transaction_id: 'txn_none' } }),
      422,
      /transaction 'txn_none' was not found/,
    ],
    ['an unknown agent (ledger L-69)', () => ({ ...good(), agent_id: 'agt_none' }), 422, /agent_id/],
    [
      'an unknown resource (ledger L-69)',
      () => ({ ...good(), resource_element_id: 'elem_none' }),
      422,
      /resource_element_id: 'elem_none' was not found/,
    ],
    ['a repeated external id (ledger L-83)', () => ({ ...good(), external_id: 'there' }), 409, /already ingested/],
    ['a body that is not an event', () => ({}), 422, /event_type: Field required/],
  ];

  it.each(cases)('rejects %s and changes nothing', async (_name, body, status, message) => {
    const before = await book.query(
      '{ summary { transactionCount entryCount lineItemCount } eventBlocks(limit: 1000) { id } trialBalance { totalDebits } }',
    );
    const refused = await book.operation('create-event-block', body());
    expect(refused.status).toBe(status);
    expect(refused.body.detail).toMatch(message);
    expect(
      await book.query(
        '{ summary { transactionCount entryCount lineItemCount } eventBlocks(limit: 1000) { id } trialBalance { totalDebits } }',
      ),
    ).toEqual(before);
  });

  it('rejects a date in a closed month or before the first period row, and accepts one in an open month without a row (ledger L-17, L-18, L-151)', async () => {
    const graph = await user.createGraph('Closed', ['ledger']);
    const post = (name: string, body: object) => user.post(`/extensions/ledger/${graph}/operations/${name}`, body);
    await post('initialize-chart-of-accounts', { template: 'services' });
    const { accounts } = (await user.graphql(graph, '{ accounts(limit: 200) { accounts { id code } } }')).body.data
      .accounts;
    const idOf = (code: string): string => accounts.find((account: { code: string }) => account.code === code).id;
    const own: Books = { ...book, id: idOf };
    const record = (date: string) =>
      post(
        'create-event-block',
        entry(own, date, [
          ['1000', 1, 0],
          ['4000', 0, 1],
        ]),
      );
    expect((await record('2019-05-05')).status).toBe(200); // Nothing is closed before there is a calendar.
    await post('initialize', { closed_through: '2026-01', earliest_data_period: '2025-12' });
    const refused = await record('2026-01-15');
    expect(refused.status).toBe(422);
    expect(refused.body.detail).toBe(
      "Cannot write to closed period '2026-01' (posting_date=2026-01-15). Reopen the period first if an adjustment is needed.",
    );
    expect((await record('2025-06-15')).body.detail).toContain("closed period '2025-06'");
    expect((await record('2026-02-15')).status).toBe(200);
    expect((await record('2026-09-15')).status).toBe(200);
    const calendar = (await user.graphql(graph, '{ fiscalCalendar { periods { name status } } }')).body.data
      .fiscalCalendar;
    expect(calendar.periods.at(-1)).toEqual({ name: '2026-09', status: 'open' });
    expect((await user.graphql(graph, '{ trialBalance { totalDebits } }')).body.data.trialBalance.totalDebits).toBe(
      0.03,
    );
  });

  it('rejects posting to accounts of another graph (ledger L-1)', async () => {
    const other = await openBooks(user);
    const refused = await other.operation('create-event-block', good());
    expect(refused.body.detail).toMatch(/Element\(s\) not found/);
  });

  it('rejects texts and dates that cannot be stored, in writes and in reads', async () => {
    expect((await book.operation('create-event-block', { ...good(), description: 'a\u0000b' })).status).toBe(422);
    expect((await book.operation('create-event-block', { ...good(), occurred_at: 'yesterday' })).status).toBe(422);
    const read = await user.graphql(book.graph, '{ eventBlocks(source: "a\\u0000b") { id } summary { entryCount } }');
    expect(read.status).toBe(200);
    expect(read.body.errors[0].extensions.code).toBe('INVALID_ARGUMENT');
    const date = await user.graphql(book.graph, '{ trialBalance(startDate: "2026-02-30") { totalDebits } }');
    expect(date.body.errors[0].extensions.code).toBe('INVALID_ARGUMENT');
  });

  it.each([
    'trialBalance(RANGE) { totalDebits }',
    'accountRollups(RANGE) { totalMapped }',
    'mappedTrialBalance(mappingId: "x", RANGE) { rows { netBalance } }',
    'journalEntries(RANGE) { entries { id } }',
    'transactions(RANGE) { transactions { id } }',
  ])('rejects a range that ends before it starts: %s (ledger L-39)', async (field) => {
    const ask = async (start: string, end: string) =>
      (await user.graphql(book.graph, `{ ${field.replace('RANGE', `startDate: "${start}", endDate: "${end}"`)} }`))
        .body;
    const { errors } = await ask('2026-05-01', '2026-04-30');
    expect(errors[0]).toMatchObject({
      message: "startDate: '2026-05-01' is after the endDate '2026-04-30'.",
      extensions: { code: 'INVALID_ARGUMENT' },
    });
    expect((await ask('2026-04-30', '2026-04-30')).errors).toBeUndefined();
  });

  it('rejects reads and writes by a user who is not a member of the graph (ledger L-7)', async () => {
    const stranger = await service.newUser('Stranger');
    expect((await stranger.post(`/extensions/ledger/${book.graph}/operations/create-event-block`, good())).status).toBe(
      403,
    );
    expect((await stranger.graphql(book.graph, '{ summary { entryCount } }')).status).toBe(403);
  });
});
