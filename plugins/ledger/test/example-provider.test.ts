/** @module-tag sessions */
import { describe, expect, it } from 'vitest';
import type { Loose } from './books.ts';
import { delivery } from './delivery.ts';
import { journal, trialBalance } from './example.ts';
import { book, event, invoice, payment, purchase, sync, useProviderBooks } from './provider-books.ts';

useProviderBooks();

describe('example 13.3: books that follow a provider', () => {
  it('posts the records of the provider and settles the invoice (ledger L-90, L-130, 13.3 step 1)', async () => {
    expect((await sync(invoice(0, 320_000), payment())).map(({ kind }) => kind)).toEqual(['captured', 'captured']);
    expect((await event('Invoice_145')).status).toBe('fulfilled');
    expect(await event('Payment_151')).toMatchObject({
      status: 'fulfilled',
      dischargesEventId: (await event('Invoice_145')).id,
    });
  });

  it('derives three drafts from one payout of the shop, once (ledger L-83, L-84, 13.3 step 2)', async () => {
    const leg = (code: string, path: string) => ({ element_id: `code:${code}`, amount: `{{ event.${path} }}` });
    const item = (debit: string, credit: string, path: string) => ({
      entry_template: { debit: leg(debit, path), credit: leg(credit, path) },
    });
    await book.done('create-event-handler', {
      name: 'Payout',
      event_type: 'payout_settled',
      match_source: 'shopfeed',
      priority: 10,
      transaction_template: {
        transactions: [item('36', '79', 'amount'), item('35', '36', 'metadata.net'), item('62', '36', 'metadata.fee')],
      },
    });
    const payout = (source: string) => ({
      event_type: 'payout_settled',
      event_category: 'sales',
      occurred_at: '2026-04-28T00:00:00Z',
      source,
      external_id: 'po-88',
      amount: 98_500,
      apply_handlers: true,
      metadata: { net: 95_550, fee: 2_950 },
    });
    expect((await book.done('create-event-block', payout('shopfeed'))).status).toBe('classified');
    const counts = '{ summary { transactionCount entryCount } }';
    const before = await book.query(counts);
    const again = await book.operation('create-event-block', payout('shopfeed'));
    expect([again.status, again.body.detail]).toEqual([409, 'Event already ingested for this source and external_id']);
    const unknown = await book.operation('create-event-block', payout('shopfed'));
    expect([unknown.status, unknown.body.detail]).toEqual([422, expect.stringContaining("'shopfed'")]);
    expect(await book.query(counts)).toEqual(before);
  });

  it('closes April with the drafts of the shop (ledger L-158, L-171, 13.3 step 3)', async () => {
    book.clock.set('2026-05-03T08:00:00Z');
    expect(await book.done('close-period', { period: '2026-04' })).toMatchObject({
      entries_posted: 3,
      entries_published_to_qb: 0,
      fiscal_calendar: { closed_through: '2026-04' },
    });
  });

  it('flags records that the provider changed, and skips records that did not change (ledger L-132, L-136, 13.3 steps 4 and 5)', async () => {
    book.clock.set('2026-05-06T08:00:00Z');
    const batch = [purchase(0, '61'), invoice(1, 300_000)];
    expect((await sync(...batch)).map(({ kind }) => kind)).toEqual(['captured', 'flagged']);
    const books = await trialBalance(book);
    expect((await sync(...batch)).map(({ kind }) => kind)).toEqual(['same', 'same']);
    expect(await trialBalance(book)).toEqual(books);
    book.clock.set('2026-05-20T08:00:00Z');
    const late = delivery(
      'Invoice_170',
      0,
      '2026-04-29',
      [
        ['84', 1_000, 0],
        ['79', 0, 1_000],
      ],
      {},
    );
    expect(await sync(purchase(1, '70'), late)).toMatchObject([
      { kind: 'flagged' },
      { kind: 'captured', error: 'closed_period' },
    ]);
    expect(await event('Invoice_170')).toMatchObject({
      status: 'captured',
      metadata: { dispatch_error: 'closed_period', dispatch_attempts: 1 },
    });
    expect(await trialBalance(book)).toEqual(books);
  });

  it('rejects closing May before the differences are resolved (ledger L-152, 13.3 step 6)', async () => {
    book.clock.set('2026-06-01T08:00:00Z');
    const refused = await book.operation('close-period', { period: '2026-05' });
    expect(refused.status).toBe(422);
    expect(refused.body.details).toMatchObject({
      blockers: ['sync_stale', 'reconciling_items'],
      sync_stale_days: 11,
      reconciling_item_count: 2,
      reconciling_item_sample: ['Invoice_145', 'Purchase_160'],
    });
    await sync();
  });

  it('resolves the invoice with a correction in May, because April is closed (ledger L-137 to L-141, 13.3 step 7)', async () => {
    const { id } = await event('Invoice_145');
    const preview = await book.done('preview-reconciling-item', { event_id: id });
    expect(preview).toMatchObject({
      closed_periods: ['2026-04'],
      default_disposition: 'catch_up',
      default_posting_date: '2026-05-31',
    });
    const restated = await book.operation('resolve-reconciling-item', { event_id: id, disposition: 'restate' });
    expect(restated.status).toBe(422);
    await book.done('resolve-reconciling-item', { event_id: id });
    const { periodDrafts } = await book.query(`{ periodDrafts(period: "2026-05") { qbPublishCount
      drafts { type postingDate lineItems { elementCode debitAmount creditAmount } } } }`);
    expect(periodDrafts).toMatchObject({
      qbPublishCount: 0,
      drafts: [{ type: 'adjusting', postingDate: '2026-05-31' }],
    });
    const [adjusting] = periodDrafts.drafts;
    expect(adjusting.lineItems.map((line: Loose) => [line.elementCode, line.debitAmount, line.creditAmount])).toEqual(
      expect.arrayContaining([
        ['79', 20_000, 0],
        ['84', 0, 20_000],
      ]),
    );
  });

  it('resolves the purchase by restating its entry (ledger L-140, 13.3 step 8)', async () => {
    const { id } = await event('Purchase_160');
    expect(await book.done('preview-reconciling-item', { event_id: id })).toMatchObject({
      default_disposition: 'restate',
    });
    await book.done('resolve-reconciling-item', { event_id: id, disposition: 'restate' });
    const settled = await event('Purchase_160');
    expect(settled).toMatchObject({ id, status: 'fulfilled', isReconcilingItem: false });
    expect(settled.metadata.reconciliation_history).toHaveLength(1);
  });

  it('finds no difference when the same payloads are delivered again (ledger L-143, 13.3 step 9)', async () => {
    book.clock.set('2026-06-02T08:00:00Z');
    const kinds = (await sync(invoice(1, 300_000), purchase(1, '70'))).map(({ kind }) => kind);
    expect(kinds.every((kind) => kind === 'same' || kind === 'unchanged')).toBe(true);
    expect((await event('Invoice_145')).isReconcilingItem).toBe(false);
  });

  it('reverses an erroneous entry and closes May with receivables equal to the control account (ledger L-204, L-206, 13.3 steps 10 and 11)', async () => {
    const slip = await journal(
      book,
      '2026-05-15',
      [
        ['62', 12_000, 0],
        ['35', 0, 12_000],
      ],
      {
        metadata: {
          posting_date: '2026-05-15',
          memo: 'slip',
          status: 'posted',
          line_items: [
            { element_id: book.id('62'), debit_amount: 12_000, credit_amount: 0 },
            { element_id: book.id('35'), debit_amount: 0, credit_amount: 12_000 },
          ],
        },
      },
    );
    const { journalEntries } = await book.query('{ journalEntries(limit: 100) { entries { id triggeredByEventId } } }');
    const entry = journalEntries.entries.find((each: Loose) => each.triggeredByEventId === slip.id);
    await journal(book, '2026-05-16', [], {
      event_type: 'journal_entry_reversed',
      metadata: { entry_id: entry.id, posting_date: '2026-05-16' },
    });
    expect(await book.done('close-period', { period: '2026-05' })).toMatchObject({
      entries_posted: 1,
      entries_published_to_qb: 0,
    });
    expect(await trialBalance(book)).toEqual({
      35: [4_275.5, 600, 3_675.5],
      36: [985, 985, 0],
      62: [149.5, 120, 29.5],
      70: [480, 0, 480],
      79: [200, 4_185, -3_985],
      84: [3_200, 3_400, -200],
      total: [9_290, 9_290, 0],
    });
    expect((await book.query('{ openReceivables { totalOpenCents } }')).openReceivables.totalOpenCents).toBe(-20_000);
  });
});
