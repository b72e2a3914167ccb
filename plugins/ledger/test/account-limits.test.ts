/** @module-tag sessions */
import { setImmediate } from 'node:timers/promises';
import { sql } from '@pacioli/core';
import type { FixedClock, TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Books, entry, type Loose, openBooks } from './books.ts';
import { draft, startCloseService } from './close-books.ts';
import { graphDigest } from './graph-digest.ts';
import { interfereWith } from './statement-hook.ts';

let service: TestService;
let user: TestClient;
let clock: FixedClock;
let book: Books;
beforeAll(async () => {
  ({ service, user, clock } = await startCloseService());
});
beforeEach(async () => {
  clock.set('2026-04-01T12:00:00Z');
  book = await openBooks(user);
  await limit('1000');
  await limit('2000');
});
afterAll(async () => {
  await service.close();
});

const limit = (code: string) =>
  service.store.transaction({ graphId: book.graph }, (tx) =>
    tx.query(sql`
      UPDATE taxonomy_element SET metadata = coalesce(metadata, '{}') || '{"no_negative": true}' WHERE id = ${book.id(code)}`),
  );
/** Moves cents from one account to another. */
const body = (from: string, to: string, cents: number) =>
  entry(book, '2026-03-10', [
    [to, cents, 0],
    [from, 0, cents],
  ]);
const post = (from: string, to: string, cents: number) => book.operation('create-event-block', body(from, to, cents));

describe('accounts with no_negative', () => {
  it('rejects a posting that would take a no_negative account below zero, on either side of the chart (ledger L-213)', async () => {
    expect((await post('3000', '1000', 500)).status).toBe(200);
    expect((await post('1000', '6100', 500)).status).toBe(200);
    const before = await graphDigest(service.store, book.graph);
    const preview = await book.operation('preview-event-block', body('1000', '6100', 1));
    expect(preview.body.result.would_succeed).toBe(false);
    const answer = await post('1000', '6100', 1);
    expect([answer.status, answer.body.code]).toEqual([422, 'BALANCE_BELOW_ZERO']);
    expect(answer.body.detail).toMatch(
      /^Account 1000 .* must not fall below zero, but would be at -1 minor units of USD\./,
    );
    expect(preview.body.result.validation_errors).toEqual([answer.body.detail]);
    expect(await graphDigest(service.store, book.graph)).toEqual(before);
    // A liability is positive on the credit side.
    expect((await post('2000', '6100', 300)).status).toBe(200);
    const after = await graphDigest(service.store, book.graph);
    expect((await post('3000', '2000', 301)).status).toBe(422);
    expect(await graphDigest(service.store, book.graph)).toEqual(after);
    // Accounts without the flag may go below zero.
    expect((await post('1010', '6100', 9_999)).status).toBe(200);
  });

  it('rejects committing a captured event whose posting would take a no_negative account below zero (ledger L-78, L-213)', async () => {
    const later = body('1000', '6100', 5) as Loose;
    const event = await book.operation('create-event-block', {
      ...later,
      apply_handlers: false,
      metadata: { ...later.metadata, status: 'posted' },
    });
    expect([event.status, event.body.result.status]).toEqual([200, 'captured']);
    const commit = { event_id: event.body.result.id, transition_to: 'committed' };
    const before = await graphDigest(service.store, book.graph);
    const refused = await book.operation('update-event-block', commit);
    expect([refused.status, refused.body.code]).toEqual([422, 'BALANCE_BELOW_ZERO']);
    expect(await graphDigest(service.store, book.graph)).toEqual(before);
    expect((await post('3000', '1000', 5)).status).toBe(200);
    expect((await book.operation('update-event-block', commit)).status).toBe(200);
    expect((await post('1000', '6100', 1)).status).toBe(422);
  });

  it('rejects closing a month whose drafts would take an account below zero, and names those drafts (ledger L-213, L-164)', async () => {
    const legs = [
      ['6100', 70, 0],
      ['1000', 0, 70],
    ] as const;
    // Drafts that raise the balance are not named, nor are entries that were posted before.
    const raising = [
      ['1000', 10, 0],
      ['1010', 0, 10],
    ] as const;
    expect((await book.operation('create-event-block', draft(book, '2026-03-09', raising))).status).toBe(200);
    expect((await book.operation('create-event-block', draft(book, '2026-03-10', legs))).status).toBe(200);
    const { journalEntries } = await book.query('{ journalEntries(status: "draft") { entries { id postingDate } } }');
    const lowering: string = journalEntries.entries.find((each: Loose) => each.postingDate === '2026-03-10').id;
    const before = await graphDigest(service.store, book.graph);
    const answer = await book.operation('close-period', { period: '2026-03' });
    expect([answer.status, answer.body.code]).toEqual([422, 'BALANCE_BELOW_ZERO']);
    expect(answer.body.details).toEqual({
      account_id: book.id('1000'),
      currency: 'USD',
      balance: '-60',
      entry_ids: [lowering],
    });
    expect(answer.body.detail).toContain(`Change or delete drafts that reduce it (${lowering}) before closing`);
    expect(await graphDigest(service.store, book.graph)).toEqual(before);
    expect((await post('3000', '1000', 60)).status).toBe(200);
    expect((await book.operation('close-period', { period: '2026-03' })).status).toBe(200);
  });

  it('accepts only postings that do not lower the balance of an account that is already below zero (ledger L-213)', async () => {
    expect((await post('1010', '6100', 70)).status).toBe(200);
    expect((await post('6100', '2100', 40)).status).toBe(200);
    await limit('1010');
    await limit('2100');
    expect((await post('4000', '1010', 10)).status).toBe(200);
    expect((await post('2100', '6100', 10)).status).toBe(200);
    // Equal debits and credits leave the balance unchanged.
    const both = entry(book, '2026-03-10', [
      ['1010', 25, 0],
      ['1010', 0, 25],
    ]);
    expect((await book.operation('create-event-block', both)).status).toBe(200);
    const before = await graphDigest(service.store, book.graph);
    const lower = await post('1010', '6100', 1);
    expect([lower.status, lower.body.code, lower.body.details.balance]).toEqual([422, 'BALANCE_BELOW_ZERO', '-61']);
    expect((await post('6100', '2100', 1)).body.details.balance).toBe('-31');
    expect(await graphDigest(service.store, book.graph)).toEqual(before);
  });

  it('closes a month whose drafts raise the balance of an account that is already below zero (ledger L-213, L-164)', async () => {
    expect((await post('1010', '6100', 70)).status).toBe(200);
    await limit('1010');
    const drafted = async (date: string, from: string, to: string, cents: number): Promise<string> => {
      const legs = [[to, cents, 0] as const, [from, 0, cents] as const];
      expect((await book.operation('create-event-block', draft(book, date, legs))).status).toBe(200);
      const { journalEntries } = await book.query('{ journalEntries(status: "draft") { entries { id postingDate } } }');
      return journalEntries.entries.find((each: Loose) => each.postingDate === date).id;
    };
    const out = await drafted('2026-03-11', '1010', '6100', 5);
    const back = await drafted('2026-03-12', '4000', '1010', 4);
    const before = await graphDigest(service.store, book.graph);
    const refused = await book.operation('close-period', { period: '2026-03' });
    expect([refused.status, refused.body.details]).toEqual([
      422,
      { account_id: book.id('1010'), currency: 'USD', balance: '-71', entry_ids: [out] },
    ]);
    expect(await graphDigest(service.store, book.graph)).toEqual(before);
    const raised = {
      line_items: [
        { element_id: book.id('1010'), debit_amount: 5 },
        { element_id: book.id('4000'), credit_amount: 5 },
      ],
    };
    expect((await book.operation('update-journal-entry', { entry_id: back, ...raised })).status).toBe(200);
    expect((await book.operation('close-period', { period: '2026-03' })).status).toBe(200);
  });

  it('counts each currency alone, in postings, previews and a close (ledger L-5, L-213)', async () => {
    const inCurrency = (currency: string, from: string, to: string, cents: number, status = 'posted') => {
      const event = body(from, to, cents) as Loose;
      return { ...event, currency, metadata: { ...event.metadata, status } };
    };
    const send = (request: object, name = 'create-event-block') => book.operation(name, request);
    expect((await send(inCurrency('USD', '3000', '1000', 100))).status).toBe(200);
    const before = await graphDigest(service.store, book.graph);
    const euros = inCurrency('EUR', '1000', '6100', 50);
    expect((await send(euros, 'preview-event-block')).body.result.would_succeed).toBe(false);
    const refused = await send(euros);
    expect([refused.status, refused.body.details]).toEqual([
      422,
      { account_id: book.id('1000'), currency: 'EUR', balance: '-50' },
    ]);
    expect(await graphDigest(service.store, book.graph)).toEqual(before);
    expect((await send(inCurrency('EUR', '3000', '1000', 5))).status).toBe(200);
    expect((await send(inCurrency('USD', '1000', '6100', 60))).status).toBe(200);
    // The 40 cents that are left do not cover a draft in dinars.
    expect((await send(inCurrency('KWD', '1000', '6100', 30, 'draft'))).status).toBe(200);
    const closed = await book.operation('close-period', { period: '2026-03' });
    expect([closed.status, closed.body.details]).toMatchObject([422, { currency: 'KWD', balance: '-30' }]);
  });

  it('does not let concurrent postings overdraw an account, and accepts exactly those that it covers (ledger L-213)', {
    timeout: 300_000,
  }, async () => {
    expect((await post('3000', '1000', 500)).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 16 }, () => post('1000', '6100', 100)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(11);
  });

  it('sends the sum together with the lock, so that the next caller waits for one message less', async () => {
    expect((await post('3000', '1000', 500)).status).toBe(200);
    const interference = interfereWith(service.store);
    let isLocking = false;
    const sentWhileLocking: string[] = [];
    interference.beforeStatement = async (statement) => {
      if (isLocking) sentWhileLocking.push(statement);
      if (!statement.includes('pacioli.account.')) return;
      isLocking = true;
      await setImmediate();
      isLocking = false;
    };
    try {
      expect((await post('1000', '6100', 100)).status).toBe(200);
    } finally {
      interference.beforeStatement = undefined;
    }
    expect(sentWhileLocking).toEqual([expect.stringContaining('ledger_month_total')]);
  });
});
