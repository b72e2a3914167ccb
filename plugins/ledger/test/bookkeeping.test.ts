/** @module-tag sessions */
import blocks from '@pacioli/blocks';
import { isServiceError, kernel, sql } from '@pacioli/core';
import taxonomy from '@pacioli/taxonomy';
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import ledger, { bookkeeping } from '../src/index.ts';
import { type Books, bookOf, counts, entry, openBooks, startLedger } from './books.ts';
import { claims, next, type Work } from './claims-plugin.ts';

let service: TestService;
let user: TestClient;
let book: Books;
beforeAll(async () => {
  ({ service, user } = await startLedger('2026-04-01T12:00:00Z', { plugins: [taxonomy, blocks, ledger, claims] }));
  book = await openBooks(user);
});
afterAll(async () => {
  await service.close();
});

/** Calls the operation of the plugin, which does this work. */
function write(work: Work, body: object = {}, books: Books = book) {
  service.service.services.resolve(next).work = work;
  return books.operation('write-books', body);
}

const contents = `{ journalEntries(limit: 100) { entries { status type postingDate memo totalDebit totalCredit
    lineItems { accountCode debitAmount creditAmount lineOrder description } } }
  transactions(limit: 100) { transactions { amount date status type category description source } }
  eventBlocks(limit: 100) { eventType eventCategory status amount currency source externalId description metadata }
  trialBalance { rows { accountCode totalDebits totalCredits } } }`;
const lunch = (books: Books = book, cents = 1_250n) => [
  { accountId: books.id('6000'), debit: cents, description: 'Lunch' },
  { accountId: books.id('2000'), credit: cents },
];
const source = 'expense_claims';
const postingDate = '2026-03-31';

describe('bookkeeping', () => {
  it('posts an entry in the name of the caller and under the source of the plugin (ledger L-219, L-220)', async () => {
    const posted = await write((books, tx, by) =>
      books.post(tx, { source, reference: 'claim-1', postingDate, memo: 'Claim 1', lines: lunch() }, by),
    );
    expect([posted.status, posted.body.detail]).toEqual([200, undefined]);
    const { eventId, status, entries } = posted.body.result.given;
    expect(status).toBe('fulfilled');
    expect(entries).toEqual([
      expect.objectContaining({ postingDate, status: 'posted', amount: 1_250, currency: 'USD' }),
    ]);
    const data = await book.query(`{ eventBlock(id: "${eventId}") { source externalId createdBy }
      journalEntries { entries { id transactionId memo totalDebit status triggeredByEventId } } }`);
    const me = (await user.get('/v1/user')).body;
    expect(data['eventBlock']).toEqual({ source, externalId: 'claim-1', createdBy: me.id });
    expect(data['journalEntries'].entries).toEqual([
      {
        id: entries[0].id,
        transactionId: entries[0].transactionId,
        memo: 'Claim 1',
        totalDebit: 12.5,
        status: 'posted',
        triggeredByEventId: eventId,
      },
    ]);
  });

  it('posts the claim of the example in the readme, once', async () => {
    const graph = await user.createGraph('Claims', ['roboledger', 'claims']);
    const { operation } = await bookOf(user, graph);
    await operation('initialize', { earliest_data_period: '2026-03' });
    await operation('initialize-chart-of-accounts', { template: 'services', entity_type: 'llc' });
    const books = await bookOf(user, graph);
    const body = {
      claim_id: 'c1',
      day: '2026-03-31',
      amount_cents: 1_250,
      expense_account_id: books.id('6000'),
      payable_account_id: books.id('2000'),
    };
    const paid = await user.post(`/extensions/claims/${graph}/operations/pay-claim`, body);
    expect(paid.status).toBe(200);
    const { journalEntries } = await books.query('{ journalEntries { entries { id memo totalCredit } } }');
    expect(journalEntries.entries).toEqual([
      { id: paid.body.result.entry_id, memo: 'Expense claim c1', totalCredit: 12.5 },
    ]);
    const again = await user.post(`/extensions/claims/${graph}/operations/pay-claim`, body);
    expect([again.status, again.body.result]).toEqual([200, paid.body.result]);
    expect(await books.query(counts)).toMatchObject({ summary: { entryCount: 1 } });
    const other = await user.post(`/extensions/claims/${graph}/operations/pay-claim`, { ...body, amount_cents: 1_251 });
    expect([other.status, other.body.code]).toEqual([409, 'ALREADY_EXISTS']);
  });

  it('writes with the rows of the plugin or not at all (ledger L-220)', async () => {
    const before = await book.query(contents);
    const failed = await write((books, tx, by) => books.post(tx, { source, postingDate, lines: lunch() }, by), {
      fails: true,
    });
    expect(failed.status).toBe(500);
    expect(await book.query(contents)).toEqual(before);
  });

  it('refuses a source that the plugin did not register, and clients one that it did (ledger L-219)', async () => {
    const before = await book.query(contents);
    const unknown = await write((books, tx, by) =>
      books
        .post(tx, { source: 'manual', postingDate, lines: lunch() }, by)
        .catch((error: Error) => ({ isForClient: isServiceError(error), message: error.message })),
    );
    expect(Object.values(unknown.body.result.given)).toEqual([
      false,
      "The event source 'manual' is not registered. Contribute it to bookkeepingSources in the plugin that writes it; registered are [expense_claims].",
    ]);
    const byClient = await book.operation(
      'create-event-block',
      entry(
        book,
        postingDate,
        [
          ['6000', 100, 0],
          ['2000', 0, 100],
        ],
        { source },
      ),
    );
    expect([byClient.status, byClient.body.detail]).toEqual([
      422,
      expect.stringContaining("Unknown event source 'expense_claims'"),
    ]);
    expect(await book.query(contents)).toEqual(before);
  });

  it('books a reference once, and returns what is booked to later calls (ledger L-221)', async () => {
    const post = (reference: string, more: object = {}) =>
      write((books, tx, by) => books.post(tx, { source, reference, postingDate, lines: lunch(), ...more }, by));
    const [first, again] = [(await post('twice')).body.result.given, (await post(' twice ')).body.result.given];
    expect([first.isNew, again.isNew]).toEqual([true, false]);
    expect(again).toEqual({ ...first, isNew: false });
    const before = await book.query(contents);
    for (const [more, what] of [
      [{ currency: 'EUR' }, 'currency'],
      [{ lines: lunch(book, 1_251n) }, 'line_items'],
      [{ postingDate: '2026-03-30' }, 'occurredAt, posting_date'],
    ] as const) {
      const other = await post('twice', more);
      expect([other.status, other.body.code]).toEqual([409, 'ALREADY_EXISTS']);
      expect(other.body.detail).toContain(`differs in ${what}. Use another reference`);
    }
    expect(await book.query(contents)).toEqual(before);
  });

  it('refuses a reference of an event that settles or concerns something else (ledger L-221)', async () => {
    const occurredAt = new Date('2026-03-31T10:00:00Z');
    const approval = { source, eventType: 'claim_approved', eventCategory: 'approval', occurredAt } as const;
    const record = (more: object) =>
      write((books, tx, by) =>
        books.record(tx, { ...approval, reference: 'linked', writesEntries: false, ...more }, by),
      );
    const { eventId } = (await record({})).body.result.given;
    expect((await record({})).body.result.given).toMatchObject({ eventId, isNew: false });
    for (const [more, what] of [
      [{ settles: eventId }, 'settles'],
      [{ resourceElementId: book.id('6000') }, 'resourceElementId'],
    ] as const) {
      const other = await record(more);
      expect([other.status, other.body.code]).toEqual([409, 'ALREADY_EXISTS']);
      expect(other.body.detail).toContain(`differs in ${what}. Use another reference`);
    }
  });

  it('books one of several simultaneous calls with one reference (ledger L-221)', async () => {
    const books = service.service.services.resolve(bookkeeping);
    const by = { userId: 'user_job', now: new Date('2026-04-01T12:00:00Z') };
    const post = () =>
      service.store.transaction({ graphId: book.graph }, (tx) =>
        books.post(tx, { source, reference: 'race', postingDate, lines: lunch() }, by),
      );
    const booked = await Promise.all([post(), post(), post(), post()]);
    expect(booked.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(booked.map(({ eventId }) => eventId)).size).toBe(1);
  });

  it('records events that have no entries (ledger 5.1)', async () => {
    const occurredAt = new Date('2026-03-31T10:00:00Z');
    const approval = { source, eventType: 'claim_approved', eventCategory: 'approval', occurredAt } as const;
    const recorded = await write((books, tx, by) => books.record(tx, { ...approval, writesEntries: false }, by));
    expect(recorded.body.result.given).toMatchObject({ status: 'captured', isNew: true, entries: [] });
    const never = { ...approval, occurredAt: new Date(Number.NaN) };
    const refused = await write((books, tx, by) => books.record(tx, never, by));
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('occurredAt: an instant')]);
  });

  it('refuses what the operations refuse, and changes nothing (ledger L-46, L-47, L-150, L-220)', async () => {
    const before = await book.query(contents);
    const refusals: readonly [object, string][] = [
      [{ lines: [...lunch().slice(0, 1), { accountId: book.id('2000'), credit: 1n }] }, 'does not balance'],
      [{ lines: [{ accountId: 'elem_x', debit: 1_250n }, ...lunch().slice(1)] }, 'elem_x'],
      [{ lines: [{ accountId: book.id('6000'), debit: 2n ** 53n }, ...lunch().slice(1)] }, 'The debit of line 1'],
      [{ postingDate: '2099-01-01' }, '2099-01-01'],
      [{ postingDate: '31.03.2026' }, 'posting_date'],
      [{ currency: 'usd' }, "currency: 'usd'"],
    ];
    for (const [change, message] of refusals) {
      const refused = await write((books, tx, by) =>
        books.post(tx, { source, postingDate, lines: lunch(), ...change }, by),
      );
      expect([message, refused.status, refused.body.detail]).toEqual([message, 422, expect.stringContaining(message)]);
    }
    expect(await book.query(contents)).toEqual(before);
    const setMonth = (status: string) =>
      service.store.transaction({ graphId: book.graph }, (tx) =>
        tx.query(sql`UPDATE ledger_fiscal_period SET status = ${status} WHERE name = '2026-03'`),
      );
    await setMonth('closed');
    const late = await write((books, tx, by) => books.post(tx, { source, postingDate, lines: lunch() }, by));
    await setMonth('open');
    expect([late.status, late.body.detail]).toEqual([422, expect.stringContaining('2026-03')]);
    expect(await book.query(contents)).toEqual(before);
  });

  it('previews an event without writing it (ledger L-97)', async () => {
    const sale = (accountId: string) => ({
      source,
      eventType: 'invoice_issued',
      eventCategory: 'sales' as const,
      occurredAt: new Date('2026-03-31T10:00:00Z'),
      amount: 7_000n,
      metadata: {
        posting_date: postingDate,
        line_items: [
          { element_id: accountId, debit_amount: 7_000 },
          { element_id: book.id('4000'), credit_amount: 7_000 },
        ],
      },
    });
    const before = await book.query(contents);
    const seen: object[] = [];
    for (const account of [book.id('1100'), 'elem_x'])
      await write(async (books, tx, by) => {
        seen.push(await books.preview(tx, sale(account), by));
        return {};
      });
    expect(seen).toEqual([
      {
        problem: undefined,
        entries: [
          {
            postingDate,
            status: 'draft',
            memo: null,
            amount: 7_000n,
            lines: [
              { accountId: book.id('1100'), debit: 7_000n, credit: 0n },
              { accountId: book.id('4000'), debit: 0n, credit: 7_000n },
            ],
          },
        ],
      },
      { problem: expect.stringContaining('elem_x'), entries: [] },
    ]);
    expect(await book.query(contents)).toEqual(before);
    const recorded = await write((books, tx, by) => books.record(tx, sale(book.id('1100')), by));
    expect(recorded.body.result.given).toMatchObject({ status: 'classified', entries: [{ status: 'draft' }] });
  });

  it('reverses an entry once (ledger L-60, L-62, L-221)', async () => {
    const { entries } = (await write((books, tx, by) => books.post(tx, { source, postingDate, lines: lunch() }, by)))
      .body.result.given;
    const reverse: Work = (books, tx, by) => books.reverse(tx, { source, entryId: entries[0].id, postingDate }, by);
    const reversed = await write(reverse);
    expect(reversed.body.result.given.entries).toEqual([expect.objectContaining({ postingDate, status: 'posted' })]);
    const again = await write(reverse);
    expect(again.body.result.given).toEqual({ ...reversed.body.result.given, isNew: false });
    const other = await write((books, tx, by) =>
      books.reverse(tx, { source, reference: 'other', entryId: entries[0].id, postingDate }, by),
    );
    expect([other.status, other.body.detail]).toEqual([422, expect.stringContaining('reversed at most once')]);
  });

  it('marks the analytical graph stale', async () => {
    const fresh = await openBooks(user);
    const { graph } = fresh;
    const tokens = service.service.services;

    await service.store.transaction('kernel', (tx) => tokens.resolve(kernel.graphs).clearStale(tx, graph));
    await write((books, tx, by) => books.post(tx, { source, postingDate, lines: lunch(fresh) }, by), {}, fresh);
    const record = await service.store.transaction('kernel', (tx) => tokens.resolve(kernel.graphs).find(tx, graph));
    expect(record?.staleReason).toBe('event_block_created');
  });
});
