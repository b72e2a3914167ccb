/** @module-tag sessions */
import { sql } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, entry, type Loose, openBooks, startLedger } from './books.ts';

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

const everything = `{ eventBlocks(limit: 1000) { id status metadata } journalEntries(limit: 1000) { entries { id status } }
  transactions(limit: 1000) { transactions { id status } } fiscalCalendar { periods { name } } }`;

const good = (more: object = {}): Loose =>
  entry(
    book,
    '2026-03-31',
    [
      ['6000', 520_000, 0],
      ['1000', 0, 418_000],
      ['2200', 0, 102_000],
    ],
    more,
  );
const withMetadata = (more: object): Loose => ({ ...good(), metadata: { ...good().metadata, ...more } });

async function setPeriod(status: string): Promise<void> {
  await service.store.transaction({ graphId: book.graph }, (tx) =>
    tx.query(sql`UPDATE ledger_fiscal_period SET status = ${status} WHERE name = '2026-03'`),
  );
}

describe('preview-event-block', () => {
  it('returns the planned rows and writes nothing (ledger L-96, L-202)', async () => {
    const before = await book.query(everything);
    const preview = await book.operation('preview-event-block', good({ external_id: 'seen' }));
    expect(preview.status).toBe(200);
    expect(preview.body.result).toEqual({
      would_succeed: true,
      matched_handler: null,
      validation_errors: [],
      planned_transactions: [
        {
          entry_index: 0,
          debit_element_id: book.id('6000'),
          credit_element_id: book.id('1000'),
          amount_cents: 520_000,
          interpolated_debit_amount: '520000',
          interpolated_credit_amount: '520000',
        },
      ],
      handler_metadata: {
        handler: 'Journal entry',
        total_debit_cents: 520_000,
        total_credit_cents: 520_000,
        target_status: 'fulfilled',
        entry_count: 1,
      },
    });
    expect(await book.query(everything)).toEqual(before);
    expect((await book.operation('create-event-block', good({ external_id: 'seen' }))).status).toBe(200);
  });

  it('plans nothing for an event that is only captured (ledger L-85, L-96)', async () => {
    const preview = await book.operation('preview-event-block', { ...good(), apply_handlers: false });
    expect(preview.body.result).toMatchObject({ would_succeed: true, planned_transactions: [], handler_metadata: {} });
  });

  it('rejects exactly what create-event-block rejects, with the same messages (ledger L-97)', async () => {
    await book.operation('create-event-block', good({ external_id: 'there' }));
    const cases: readonly object[] = [
      good({ external_id: 'there' }),
      good({ source: 'shop' }),
      good({ event_type: 'moon_landing' }),
      good({ agent_id: 'agt_none' }),
      good({ discharges_event_id: 'evt_none' }),
      withMetadata({ line_items: [] }),
      withMetadata({ posting_date: 'soon' }),
      withMetadata({ transaction_id: 'txn_none' }),
      withMetadata({
        line_items: [
          { element_id: 'elem_none', debit_amount: 1 },
          { element_id: book.id('1000'), credit_amount: 1 },
        ],
      }),
      { ...good({ event_type: 'journal_entry_reversed' }), metadata: { entry_id: 'je_none' } },
      good(),
    ];
    await setPeriod('closed');
    const before = await book.query(everything);
    for (const body of cases) {
      const preview = await book.operation('preview-event-block', body);
      const created = await book.operation('create-event-block', body);
      expect(created.status).toBeGreaterThanOrEqual(400);
      expect([preview.status, preview.body.result]).toEqual([
        200,
        {
          would_succeed: false,
          matched_handler: null,
          planned_transactions: [],
          validation_errors: [created.body.detail],
          handler_metadata: {},
        },
      ]);
    }
    expect(await book.query(everything)).toEqual(before);
    await setPeriod('open');
  });

  it('rejects a body that is not an event (ledger L-96)', async () => {
    expect((await book.operation('preview-event-block', {})).status).toBe(422);
  });
});

describe('execute-event-block', () => {
  const record = async (more: object = {}) =>
    (await book.operation('create-event-block', { ...good(more), apply_handlers: false })).body.result.id;
  const execute = (eventId: string, more: object = {}) =>
    book.operation('execute-event-block', { event_id: eventId, ...more });

  it('leaves an event unchanged while these books are the system of record (ledger L-98)', async () => {
    const id = await record();
    const before = await book.query(everything);
    const done = await execute(id);
    expect(done.body.result).toEqual({ event_id: id, status: 'captured', qb_external_id: null, qb_error: null });
    const posted = (await book.operation('create-event-block', good())).body.result.id;
    expect((await execute(posted)).body.result).toMatchObject({ status: 'fulfilled', qb_error: null });
    const after = await book.query(everything);
    expect(after['eventBlocks']).toEqual(expect.arrayContaining(before['eventBlocks']));
  });

  it('rejects an event that can never be published, and changes nothing (ledger L-98, A)', async () => {
    const id = await record();
    const voided = await record();
    await book.operation('update-event-block', { event_id: voided, transition_to: 'voided' });
    const before = await book.query(everything);
    const unknown = await execute('evt_none');
    expect([unknown.status, unknown.body.detail]).toEqual([404, 'Event not found: evt_none']);
    expect((await execute(voided)).status).toBe(409);
    const foreign = await execute(id, { connection_id: 'conn_x' });
    expect([foreign.status, foreign.body.detail]).toEqual([
      422,
      expect.stringContaining("'conn_x' is not a connection"),
    ]);
    await setPeriod('closed');
    const closed = await execute(id);
    expect([closed.status, closed.body.detail]).toEqual([422, expect.stringContaining("closed period '2026-03'")]);
    await setPeriod('open');
    expect(await book.query(everything)).toEqual(before);
  });
});
