/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import { bookVerifier } from '../src/index.ts';
import type { LedgerEntryHistory } from '../src/rows.gen.ts';
import type { Loose } from './books.ts';
import { body, book, captured, closeMonth, record, refused, service, update, useEventBooks } from './event-books.ts';

useEventBooks();

describe('retracting an event', () => {
  it('deletes the drafts of a retracted event, keeps their history, and voids the transaction (ledger L-73, L-205)', async () => {
    const id = await record(body('draft'));
    const done = await update(id, { transition_to: 'voided' });
    expect(done.body.result.status).toBe('voided');
    const { journalEntries, transactions } = await book.query(
      '{ journalEntries(limit: 1000) { entries { triggeredByEventId } } transactions(limit: 1000) { transactions { id status } } }',
    );
    expect(journalEntries.entries.filter((each: Loose) => each.triggeredByEventId === id)).toEqual([]);
    expect(transactions.transactions.map((each: Loose) => each.status)).toContain('void');
    const gone = transactions.transactions.find((each: Loose) => each.status === 'void').id;
    await refused(
      () => book.operation('create-event-block', body('draft', { metadata: { transaction_id: gone } })),
      422,
      /transaction 'txn_.*' was not found/,
    );
    const history = await service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(
        sql<
          Pick<LedgerEntryHistory, 'reason'> & { content: Loose }
        >`SELECT reason, content FROM ledger_entry_history WHERE event_id = ${id}`,
      ),
    );
    expect(history).toHaveLength(1);
    expect(history[0]?.reason).toBe('retracted');
    expect(history[0]?.content.line_items.map((line: Loose) => line.debit_amount - line.credit_amount)).toEqual([
      500, -500,
    ]);
  });

  it('rejects retracting an event once an entry has posted, even when it was reversed (ledger L-72, 13.1)', async () => {
    const id = await record(body('posted'));
    await refused(
      () => update(id, { transition_to: 'voided' }),
      422,
      /cannot be retracted from 'fulfilled': 1 of its journal entries have posted/,
    );
    const { journalEntries } = await book.query(
      '{ journalEntries(limit: 1000) { entries { id triggeredByEventId } } }',
    );
    const posted = journalEntries.entries.find((each: Loose) => each.triggeredByEventId === id);
    const reversal = await record(
      body('posted', {
        event_type: 'journal_entry_reversed',
        metadata: { entry_id: posted.id, posting_date: '2026-04-01' },
      }),
    );
    const successor = await captured();
    await refused(
      () => update(id, { transition_to: 'superseded', superseded_by_id: successor }),
      422,
      /cannot be retracted/,
    );
    await refused(() => update(reversal, { transition_to: 'voided' }), 422, /cannot be retracted/);
  });

  it('refers to the reversal when an invoice that has posted is retracted; reversing it leaves nothing open (ledger L-72, L-54, L-100)', async () => {
    const invoice = { event_type: 'invoice_issued', event_category: 'sales', amount: 500 };
    const id = await record(body('posted', invoice));
    const open = async (): Promise<number> =>
      (await book.query('{ openReceivables { totalOpenCents } }')).openReceivables.totalOpenCents;
    const before = await open();
    const hint = /an event journal_entry_reversed/;
    await refused(() => update(id, { transition_to: 'voided' }), 422, hint);
    const { journalEntries } = await book.query(
      '{ journalEntries(limit: 1000) { entries { id triggeredByEventId } } }',
    );
    const entryId = journalEntries.entries.find((each: Loose) => each.triggeredByEventId === id).id;
    await refused(() => book.operation('delete-journal-entry', { entry_id: entryId }), 422, hint);
    const metadata = { entry_id: entryId, posting_date: '2026-04-01' };
    const reversal = { event_type: 'journal_entry_reversed', metadata };
    await record(body('posted', reversal));
    expect([before, await open()]).toEqual([500, 0]);
  });

  it('requires the months of the drafts to be open when an event is retracted (ledger L-73)', async () => {
    const id = await record(body('draft'));
    await closeMonth('2026-03', () =>
      refused(
        () => update(id, { transition_to: 'voided' }),
        422,
        /closed period '2026-03' \(posting_date=2026-03-31\)/,
      ),
    );
  });

  it('links an event to its successor in both directions, once, and only to a live one (ledger L-74, L-195)', async () => {
    const old = await record(body('draft'));
    const fresh = await record(body('draft'));
    await refused(
      () => update(old, { transition_to: 'superseded' }),
      422,
      "transition_to='superseded' requires superseded_by_id.",
    );
    await refused(
      () => update(old, { transition_to: 'superseded', superseded_by_id: old }),
      422,
      /cannot be linked to itself/,
    );
    await refused(
      () => update(old, { transition_to: 'superseded', superseded_by_id: 'evt_none' }),
      404,
      'Event not found: evt_none',
    );
    await refused(() => update(old, { superseded_by_id: fresh }), 422, /only for transition_to='superseded'/);
    const dead = await captured();
    await update(dead, { transition_to: 'voided' });
    await refused(
      () => update(old, { transition_to: 'superseded', superseded_by_id: dead }),
      422,
      /is voided and cannot replace/,
    );
    const done = await update(old, { transition_to: 'superseded', superseded_by_id: fresh });
    expect(done.body.result).toMatchObject({ status: 'superseded', replaced_by_event_id: fresh });
    const { eventBlock } = await book.query(`{ eventBlock(id: "${fresh}") { status replacesEventId } }`);
    expect(eventBlock).toEqual({ status: 'classified', replacesEventId: old });
    const another = await captured();
    await refused(
      () => update(another, { transition_to: 'superseded', superseded_by_id: fresh }),
      422,
      /replaces .* already/,
    );
  });
});

describe('correcting an event', () => {
  it('changes only the fields that are sent (ledger L-75)', async () => {
    const id = await captured({ description: 'first', metadata: { keep: 1, deep: { a: 1 } } });
    const changed = await update(id, {
      description: 'second',
      effective_at: '2026-03-15T00:00:00',
      event_action: 'transfer',
      metadata_patch: { deep: { b: 2 } },
    });
    expect(changed.body.result).toMatchObject({
      status: 'captured',
      description: 'second',
      effective_at: '2026-03-15T00:00:00.000Z',
      event_action: 'transfer',
      metadata: { keep: 1, deep: { b: 2 } },
    });
    expect((await update(id, { description: '' })).body.result).toMatchObject({
      description: null,
      event_action: 'transfer',
    });
    expect((await update(id, {})).body.result).toMatchObject({ description: null, event_action: 'transfer' });
  });

  it('rejects system-maintained metadata, unknown actions and invalid dates (ledger L-68, L-76)', async () => {
    const id = await captured();
    await refused(
      () => update(id, { metadata_patch: { qb_sync_token: '1', dispatch_error: 'x', mine: 1 } }),
      422,
      'metadata_patch cannot set system-maintained keys: qb_sync_token, dispatch_error',
    );
    await refused(
      () => update(id, { metadata_patch: { connection_id: 'conn_x' } }),
      422,
      /not a connection of this graph/,
    );
    await refused(() => update(id, { event_action: 'jump' }), 422, /event_action/);
    await refused(() => update(id, { transition_to: 'captured' }), 422, /transition_to/);
    await refused(() => update(id, { effective_at: '2016-12-31T23:59:60Z' }), 422, /effective_at/);
  });

  it('links events of the graph without cycles, and moves the settlement to another invoice (ledger L-69, L-100, L-195)', async () => {
    const booked = { event_category: 'sales', amount: 500 };
    const first = await record(body('posted', { event_type: 'invoice_issued', ...booked }));
    const second = await record(body('posted', { event_type: 'invoice_issued', ...booked }));
    const open = async () =>
      (await book.query('{ openReceivables { totalOpenCents } }'))['openReceivables'].totalOpenCents;
    const before = await open();
    const paid = await record(
      body('posted', { event_type: 'payment_received', ...booked, discharges_event_id: first }),
    );
    expect(await open()).toBe(before - 500);
    expect((await update(paid, { discharges_event_id: second })).body.result.discharges_event_id).toBe(second);
    expect(await open()).toBe(before - 500);
    await refused(() => update(second, { discharges_event_id: paid }), 422, /must not form a cycle/);
    await refused(() => update(paid, { discharges_event_id: paid }), 422, /cannot be linked to itself/);
    await refused(
      () => update(paid, { obligated_by_event_id: 'evt_none' }),
      422,
      /obligated_by_event_id: 'evt_none' was not found/,
    );
  });

  it('removes a settlement with an empty string, and reopens the settled amount (ledger L-75, L-100)', async () => {
    const booked = { event_category: 'sales', amount: 700 };
    const invoice = await record(body('posted', { event_type: 'invoice_issued', ...booked }));
    const open = async () =>
      (await book.query('{ openReceivables { totalOpenCents } }'))['openReceivables'].totalOpenCents;
    const before = await open();
    const paid = await record(
      body('posted', { event_type: 'payment_received', ...booked, discharges_event_id: invoice }),
    );
    expect(await open()).toBe(before - 700);
    expect((await update(paid, { description: 'kept' })).body.result.discharges_event_id).toBe(invoice);
    const freed = await update(paid, { discharges_event_id: '' });
    expect([freed.status, freed.body.result.discharges_event_id]).toEqual([200, null]);
    expect(await open()).toBe(before);
    expect((await update(paid, { discharges_event_id: '' })).status).toBe(200);
    expect((await update(paid, { discharges_event_id: invoice })).body.result.discharges_event_id).toBe(invoice);
    expect(await open()).toBe(before - 700);
    await refused(() => update(paid, { obligated_by_event_id: '' }), 422, /obligated_by_event_id: '' was not found/);
    const verifier = service.service.services.resolve(bookVerifier);
    const verify = service.store.transaction({ graphId: book.graph }, (tx) => verifier.verify(tx), { readOnly: true });
    expect(await verify).toEqual([]);
  });

  it('rejects one of two concurrent links that would close a cycle (ledger L-69)', async () => {
    const [a, b] = [await captured(), await captured()];
    const answers = await Promise.all([
      update(a, { obligated_by_event_id: b }),
      update(b, { obligated_by_event_id: a }),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422]);
  });

  it('requires open months for a new date of an event and for the dates of its rows (ledger L-77)', async () => {
    const withRows = await record(body('draft'));
    const without = await captured({ occurred_at: '2026-03-05T00:00:00Z' });
    await closeMonth('2026-03', async () => {
      await refused(() => update(withRows, { effective_at: '2026-04-01T00:00:00Z' }), 422, /closed period '2026-03'/);
      await refused(() => update(without, { effective_at: '2026-03-09T00:00:00Z' }), 422, /closed period '2026-03'/);
      const moved = await update(without, { effective_at: '2026-04-01T00:00:00Z' });
      expect(moved.status).toBe(200);
    });
  });
});
