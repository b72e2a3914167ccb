/** @module-tag sessions */
import { type RawBuilder, sql } from '@pacioli/core';
import type { Answer, TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, counts, entry, type Loose, openBooks, startLedger } from './books.ts';

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

const good = (more: object = {}): Loose =>
  entry(
    book,
    '2026-03-31',
    [
      ['1000', 100, 0],
      ['4000', 0, 100],
    ],
    more,
  );
const withMetadata = (more: object): Loose => ({ ...good(), metadata: { ...good().metadata, ...more } });
const record = (body: object) => book.operation('create-event-block', body);
const rows = async (of = book) => of.query(`{ eventBlocks(limit: 1000) { id } ${counts.slice(1)}`);
const toNoAccount = (more: object = {}): Loose => ({
  ...withMetadata({
    line_items: [
      { element_id: 'elem_x', debit_amount: 1 },
      { element_id: book.id('4000'), credit_amount: 1 },
    ],
  }),
  ...more,
});
const expectToldSo = (again: Answer, eventId: string) => {
  expect(again.status).toBe(409);
  expect(again.body.detail).toBe('Event already ingested for this source and external_id');
  expect(again.headers.get('x-existing-event-id')).toBe(eventId);
};

describe('create-event-block with invalid values', () => {
  const cases: readonly (readonly [string, () => object, RegExp])[] = [
    ['a year without a calendar', () => withMetadata({ posting_date: '0000-05-05' }), /posting_date: a calendar date/],
    ['a year beyond the books', () => withMetadata({ posting_date: '9999-12-31' }), /between 1900 and 2099/],
    ['a date a century ago (ledger L-17)', () => withMetadata({ posting_date: '1926-03-31' }), /600 months before the/],
    [
      'a date at the end of the century (ledger L-17)',
      () => withMetadata({ posting_date: '2099-12-31' }),
      /600 months a/,
    ],
    ['a leap second', () => good({ occurred_at: '2016-12-31T23:59:60Z' }), /occurred_at: .* is not an instant/],
    [
      'a time in the year 0',
      () => good({ effective_at: '0000-01-01T00:00:00Z' }),
      /effective_at: Must be a date and time/,
    ],
    ['an external id that is too long', () => good({ external_id: 'x'.repeat(501) }), /at most 500 characters/],
    [
      'an unknown connection (ledger L-82)',
      () => withMetadata({ connection_id: 'conn_x' }),
      /'conn_x' is not a connection/,
    ],
    [
      'the anchor of a schedule (ledger L-67)',
      () => good({ event_type: 'schedule_created' }),
      /only by its own operation/,
    ],
    [
      'an unknown resource (ledger L-69)',
      () => good({ resource_element_id: 'elem_x' }),
      /resource_element_id: 'elem_x' was not found/,
    ],
    ['an unknown account (ledger L-47)', () => toNoAccount(), /Element\(s\) not found: \[elem_x\]/],
    [
      'an unknown dimension (ledger L-69)',
      () => good({ dimension_ids: ['dim_x'] }),
      /dimension_ids: 'dim_x' was not found/,
    ],
    [
      'an unknown discharged event (ledger L-69)',
      () => good({ discharges_event_id: 'evt_x' }),
      /discharges_event_id: 'evt_x' was not found/,
    ],
    [
      'an unknown obligation (ledger L-69)',
      () => good({ obligated_by_event_id: 'evt_x', apply_handlers: false }),
      /obligated_by_event_id: 'evt_x' was not found/,
    ],
  ];

  it.each(cases)('rejects %s and changes nothing', async (_name, body, message) => {
    const before = await rows();
    const refused = await record(body());
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringMatching(message)]);
    expect(await rows()).toEqual(before);
  });

  it('rejects entries whose total exceeds what JSON carries exactly, so that every read still works (ledger L-2)', async () => {
    const own = await openBooks(user);
    const lines = [
      { element_id: own.id('1000'), debit_amount: Number.MAX_SAFE_INTEGER },
      { element_id: own.id('4000'), credit_amount: Number.MAX_SAFE_INTEGER },
    ];
    const one = { posting_date: '2026-03-30', memo: 'a', line_items: lines };
    const record = (body: object) => own.operation('create-event-block', body);
    const refused = await record({ ...good(), metadata: { status: 'posted', entries: [one, one] } });
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('total of the entries')]);
    expect((await record({ ...good(), metadata: { status: 'draft', entries: [one] } })).status).toBe(200);
    const { transactions } = await own.query('{ transactions { transactions { amount } } }');
    expect(transactions.transactions).toContainEqual({ amount: 90071992547409.91 });
  });
});

describe('links between events', () => {
  it('requires links between events to name events of the graph (ledger L-69, 13.1 row 5)', async () => {
    const invoice = await record(good({ event_type: 'invoice_issued', event_category: 'sales' }));
    const paid = await record(
      good({
        event_type: 'payment_received',
        event_category: 'sales',
        discharges_event_id: invoice.body.result.id,
        resource_element_id: book.id('1000'),
      }),
    );
    expect(paid.body.result).toMatchObject({
      status: 'fulfilled',
      discharges_event_id: invoice.body.result.id,
      resource_element_id: book.id('1000'),
    });
    const other = await openBooks(user);
    const stranger = await other.operation('create-event-block', {
      ...entry(other, '2026-03-31', []),
      apply_handlers: false,
      discharges_event_id: invoice.body.result.id,
    });
    expect(stranger.status).toBe(422);
  });
});

describe('repeated create-event-block with the same external id', () => {
  it('reports the duplicate first, whatever else is wrong with the request (ledger L-82, L-83)', async () => {
    const first = await record(good({ external_id: 'first' }));
    for (const body of [
      good({ external_id: 'first', event_type: 'moon_landing' }),
      { ...withMetadata({ line_items: [] }), external_id: 'first' },
      good({ external_id: 'first', discharges_event_id: 'evt_x' }),
    ]) {
      expectToldSo(await record(body), first.body.result.id);
    }
  });

  it('reports the duplicate before it checks accounts, months and locks (ledger L-82, L-83)', async () => {
    const externalId = 'refused later';
    const eventId = (await record(good({ external_id: externalId }))).body.result.id;
    const { journalEntries } = await book.query('{ journalEntries(limit: 1) { entries { id } } }');
    const entryId = journalEntries.entries[0].id;
    const reversal = (more: object = {}) => ({
      ...good({ external_id: externalId, event_type: 'journal_entry_reversed', ...more }),
      metadata: { entry_id: entryId, posting_date: '2026-03-31' },
    });
    const change = (statement: RawBuilder<unknown>) =>
      service.store.transaction({ graphId: book.graph }, (tx) => tx.query(statement));
    const setMonth = (status: string) =>
      change(sql`UPDATE ledger_fiscal_period SET status = ${status} WHERE name = '2026-03'`);
    const setSales = (isActive: boolean) =>
      change(sql`UPDATE taxonomy_element SET is_active = ${isActive} WHERE id = ${book.id('4000')}`);
    const before = await rows();
    expectToldSo(await record(toNoAccount({ external_id: externalId })), eventId);
    expectToldSo(await record(good({ external_id: externalId, resource_element_id: 'elem_x' })), eventId);
    expectToldSo(await record(reversal()), eventId);
    expectToldSo(await record(reversal({ resource_element_id: 'elem_x' })), eventId);
    await setSales(false);
    expectToldSo(await record(good({ external_id: externalId })), eventId);
    await setSales(true);
    await setMonth('closed');
    expectToldSo(await record(good({ external_id: externalId })), eventId);
    expectToldSo(await record(reversal()), eventId);
    await setMonth('open');
    expect(await rows()).toEqual(before);
  });

  it('returns the id of the existing event even after a lost race (ledger L-83)', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => record(good({ external_id: 'race' }))));
    const won = answers.find((answer) => answer.status === 200);
    expect(
      answers.filter((answer) => answer.status === 409).map((answer) => answer.headers.get('x-existing-event-id')),
    ).toEqual(Array.from({ length: 7 }, () => won?.body.result.id));
  });
});

describe('currency and state of accounts', () => {
  it('requires an entry to have the currency of its transaction (ledger L-5)', async () => {
    await record(good({ external_id: 'dollars' }));
    const { transactions } = await book.query('{ transactions(limit: 1) { transactions { id } } }');
    const transactionId = transactions.transactions[0].id;
    const before = await rows();
    const refused = await record({ ...withMetadata({ transaction_id: transactionId }), currency: 'EUR' });
    expect(refused.status).toBe(422);
    expect(refused.body.detail).toContain(`transaction '${transactionId}' is in USD; entry is in EUR`);
    expect(await rows()).toEqual(before);
    expect((await record(withMetadata({ transaction_id: transactionId }))).status).toBe(200);
  });

  it('requires the currency of the account in its entries, and rejects retired accounts and headers (ledger L-5, L-24, L-47)', async () => {
    const own = await openBooks(user);
    const post = (code: string, more: object = {}) =>
      own.operation(
        'create-event-block',
        entry(
          own,
          '2026-03-31',
          [
            [code, 5, 0],
            ['3000', 0, 5],
          ],
          more,
        ),
      );
    expect((await post('6400')).status).toBe(200);
    const set = (code: string, change: ReturnType<typeof sql>) =>
      service.store.transaction({ graphId: own.graph }, (tx) =>
        tx.query(sql`UPDATE taxonomy_element SET ${change} WHERE id = ${own.id(code)}`),
      );
    await set('1010', sql`currency = 'EUR'`);
    await set('6400', sql`is_active = false`);
    await set('1500', sql`is_placeholder = true`);
    const before = await rows(own);
    expect((await post('1010')).body.detail).toBe('Account 1010 is kept in EUR; entry is in USD');
    expect((await post('6400')).body.detail).toBe('Account 6400 Professional fees is retired and cannot be posted to');
    expect((await post('1500')).body.detail).toContain('is a header and cannot be posted to');
    expect(await rows(own)).toEqual(before);
    expect((await post('1010', { currency: 'EUR' })).status).toBe(200);
    const { trialBalance, journalEntries } = await own.query(
      '{ trialBalance { totalDebits rows { accountCode } } journalEntries { entries { id lineItems { accountCode } } } }',
    );
    // Only the functional currency counts; the balance of a retired account still shows.
    expect(trialBalance).toEqual({ totalDebits: 0.05, rows: [{ accountCode: '3000' }, { accountCode: '6400' }] });
    const old = journalEntries.entries.find((each: { lineItems: readonly { accountCode: string }[] }) =>
      each.lineItems.some((line) => line.accountCode === '6400'),
    );
    const undone = await own.operation('create-event-block', {
      ...entry(own, '2026-04-01', [], { event_type: 'journal_entry_reversed' }),
      metadata: { entry_id: old.id },
    });
    expect(undone.status).toBe(200);
  });
});

describe('date arguments of reads', () => {
  it.each(['2026-02-30', '0000-01-01', 'yesterday'])(
    'rejects the date argument %s in every read with dates',
    async (date) => {
      for (const read of ['trialBalance', 'transactions', 'journalEntries']) {
        const field = read === 'trialBalance' ? 'totalDebits' : 'pagination { total }';
        const answer = await user.graphql(book.graph, `{ ${read}(endDate: "${date}") { ${field} } }`);
        expect(answer.body.errors[0].message).toBe(`endDate: '${date}' is not a calendar date (YYYY-MM-DD).`);
      }
    },
  );
});
