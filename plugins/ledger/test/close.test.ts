/** @module-tag sessions */
import type { Answer } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import { type Books, type Loose, openBooks } from './books.ts';
import { audit, draft, sale } from './close-books.ts';
import { clock, otherPlugins, service, useCloseBooks, user } from './close-fixture.ts';
import { withoutChange } from './expect-refused.ts';

useCloseBooks();

const close = (book: Books, period: string, more: object = {}) => book.operation('close-period', { period, ...more });

const refused = (book: Books, send: () => Promise<Answer>) => withoutChange(service, book.graph, send);

describe('close-period', () => {
  it('posts all drafts at one instant and updates transactions, events and the calendar (ledger L-158, L-159, L-166)', async () => {
    const book = await openBooks(user);
    await book.operation('set-close-target', { period: '2026-03' });
    const first = await sale(book, '2026-03-05', 1_250);
    await sale(book, '2026-03-31', 700);
    const april = await sale(book, '2026-04-01', 99);
    expect(await book.query('{ trialBalance { totalDebits } }')).toEqual({ trialBalance: { totalDebits: 0 } });
    const answer = await close(book, '2026-03', { note: 'March is done' });
    expect(answer.status).toBe(200);
    expect(answer.body.result).toMatchObject({
      period: '2026-03',
      entries_posted: 2,
      entries_posted_locally: 2,
      entries_published_to_qb: 0,
      target_auto_advanced: true,
      rule_summary: null,
      evaluated_structure_ids: [],
      statements_stamped: false,
      statement_stamp_note: 'no_statement_structures',
      stamped_statement_sets: {},
      statement_rule_summary: null,
      fiscal_calendar: {
        closed_through: '2026-03',
        close_target: '2026-04',
        catch_up_sequence: ['2026-04'],
        blockers: ['period_incomplete'],
        last_close_at: '2026-04-01T12:00:00.000Z',
      },
    });
    expect(await book.query('{ trialBalance { totalDebits totalCredits } }')).toEqual({
      trialBalance: { totalDebits: 19.5, totalCredits: 19.5 },
    });
    const after = await book.query(`{
      closed: eventBlock(id: "${first.id}") { status } open: eventBlock(id: "${april.id}") { status }
      transactions { transactions { status date } }
      journalEntries(status: "posted") { entries { postedAt } } }`);
    expect(after).toMatchObject({ closed: { status: 'committed' }, open: { status: 'classified' } });
    expect(after.transactions.transactions.map((row: Loose) => [row.date, row.status])).toEqual([
      ['2026-04-01', 'pending'],
      ['2026-03-31', 'posted'],
      ['2026-03-05', 'posted'],
    ]);
    expect(new Set(after.journalEntries.entries.map((row: Loose) => row.postedAt))).toEqual(
      new Set(['2026-04-01T12:00:00.000Z']),
    );
    const rows = await audit(service, book);
    expect(rows.filter(({ type }) => type !== 'initialized' && type !== 'target_changed')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          type: 'period_closed',
          period: '2026-03',
          from_value: null,
          to_value: '2026-03',
          actor_type: 'user',
          note: 'March is done',
        }),
        expect.objectContaining({
          type: 'target_advanced_auto',
          from_value: '2026-03',
          to_value: '2026-04',
          actor_type: 'system',
        }),
      ]),
    );
  });

  it('rejects later writes into the closed month, and closes a month without entries (ledger L-151, L-159)', async () => {
    const book = await openBooks(user);
    expect((await close(book, '2026-03')).body.result).toMatchObject({
      entries_posted: 0,
      target_auto_advanced: false,
    });
    const late = await refused(book, () =>
      book.operation(
        'create-event-block',
        draft(book, '2026-03-15', [
          ['1000', 1, 0],
          ['4000', 0, 1],
        ]),
      ),
    );
    expect([late.status, late.body.detail]).toEqual([
      422,
      "Cannot write to closed period '2026-03' (posting_date=2026-03-15). Reopen the period first if an adjustment is needed.",
    ]);
  });

  it('returns 404 without a calendar and for months outside the calendar (ledger L-155, L-156)', async () => {
    const graph = await user.createGraph('No calendar', ['roboledger']);
    const early = await user.post(`/extensions/ledger/${graph}/operations/close-period`, { period: '2026-03' });
    expect([early.status, early.body.detail]).toEqual([
      404,
      'Fiscal calendar not initialized. Call /operations/initialize first.',
    ]);
    const book = await openBooks(user);
    for (const period of ['2026-02', '2026-05']) {
      const answer = await refused(book, () => close(book, period));
      expect([answer.status, answer.body.detail]).toEqual([404, `Fiscal period '${period}' not found.`]);
    }
    expect((await refused(book, () => close(book, '2026-13'))).status).toBe(422);
  });

  it('names every failing gate, in order, and changes nothing (ledger L-152, 7.3)', async () => {
    const book = await openBooks(user);
    await sale(book, '2026-03-05', 100);
    otherPlugins.stranded = { count: 2, details: { stranded_obligation_count: 2 } };
    otherPlugins.reconciling = {
      count: 1,
      details: { reconciling_item_count: 1, reconciling_item_sample: ['Invoice_145'] },
    };
    const answer = await refused(book, () => close(book, '2026-04'));
    expect([answer.status, answer.body.detail]).toEqual([
      422,
      "Cannot close period '2026-04'. Blockers: sequence_violation, period_incomplete, test_stranded, test_reconciling.",
    ]);
    expect(answer.body.details).toEqual({
      message: "Cannot close period '2026-04'.",
      blockers: ['sequence_violation', 'period_incomplete', 'test_stranded', 'test_reconciling'],
      stranded_obligation_count: 2,
      reconciling_item_count: 1,
      reconciling_item_sample: ['Invoice_145'],
    });
  });

  it('closes a month from the first day after it, not on its last day (ledger 7.3)', async () => {
    const book = await openBooks(user);
    await close(book, '2026-03');
    clock.set('2026-04-30T23:59:59Z');
    const answer = await refused(book, () => close(book, '2026-04'));
    expect(answer.body.details.blockers).toEqual(['period_incomplete']);
    clock.set('2026-05-01T00:00:00Z');
    expect((await close(book, '2026-04')).status).toBe(200);
  });

  it('replays the result for the same idempotency key, and rejects a second close without it (ledger L-162)', async () => {
    const book = await openBooks(user);
    await sale(book, '2026-03-05', 100);
    const key = { 'Idempotency-Key': 'close-march' };
    const first = await book.operation('close-period', { period: '2026-03' }, key);
    const replay = await refused(book, () => book.operation('close-period', { period: '2026-03' }, key));
    expect(replay.body).toMatchObject({ result: first.body.result, idempotentReplay: true });
    const again = await refused(book, () => close(book, '2026-03'));
    expect([again.status, again.body.details.blockers]).toEqual([422, ['sequence_violation', 'period_already_closed']]);
  });

  it('records in the audit note only the overrides that were needed (ledger L-153)', async () => {
    const book = await openBooks(user);
    otherPlugins.stranded = { count: 3, details: { stranded_obligation_count: 3 } };
    const all = { allow_stale_sync: true, allow_stranded_obligations: true, allow_reconciling_items: true };
    expect((await close(book, '2026-03', { ...all, note: 'known' })).status).toBe(200);
    const [row] = (await audit(service, book)).filter(({ type }) => type === 'period_closed');
    expect(row.note).toBe('known [stranded obligation gate overridden (3) — allow_stranded_obligations=true]');
  });

  it('requires a recent sync of a live accounting connection, unless overridden (ledger 7.3, L-153)', async () => {
    const book = await openBooks(user);
    const connection = {
      connectionId: 'conn_1',
      writePolicy: 'native' as const,
      lastSyncAt: new Date('2026-03-20T08:00:00Z'),
      createdAt: new Date('2026-01-01T00:00:00Z'),
    };
    otherPlugins.connections = [connection];
    const answer = await refused(book, () => close(book, '2026-03'));
    expect(answer.body.details).toMatchObject({ blockers: ['sync_stale'], sync_stale_days: 11 });
    otherPlugins.connections = [{ ...connection, lastSyncAt: null }];
    const never = await refused(book, () => close(book, '2026-03'));
    expect(never.body.details).toEqual({ message: "Cannot close period '2026-03'.", blockers: ['sync_stale'] });
    await book.operation('set-close-target', { period: '2026-03' });
    expect(await book.query('{ fiscalCalendar { closeableNow blockers syncStaleDays lastSyncAt } }')).toEqual({
      fiscalCalendar: { closeableNow: false, blockers: ['sync_stale'], syncStaleDays: null, lastSyncAt: null },
    });
    otherPlugins.connections = [{ ...connection, lastSyncAt: new Date('2026-03-31T00:00:00Z') }];
    expect(await book.query('{ fiscalCalendar { closeableNow lastSyncAt } }')).toEqual({
      fiscalCalendar: { closeableNow: true, lastSyncAt: '2026-03-31T00:00:00.000Z' },
    });
    otherPlugins.connections = [connection];
    expect((await close(book, '2026-03', { allow_stale_sync: true })).status).toBe(200);
    const [row] = (await audit(service, book)).filter(({ type }) => type === 'period_closed');
    expect(row.note).toBe('[sync gate overridden — allow_stale_sync=true]');
  });
});
