/** @module-tag sessions */
import { sql } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LedgerEntry, LedgerLineItem } from '../src/rows.gen.ts';
import { type Books, type Loose, openBooks, startLedger } from './books.ts';

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
  transactions(limit: 1000) { transactions { id status } } }`;

const line = (metadata: object = {}, more: object = {}): Loose => ({
  event_type: 'bank_transaction',
  event_category: 'treasury',
  occurred_at: '2026-03-20T10:00:00Z',
  source: 'manual',
  amount: -4_500,
  resource_element_id: book.id('1000'),
  description: 'CARD 4711 COFFEE',
  metadata,
  ...more,
});
const record = (body: object) => book.operation('create-event-block', { apply_handlers: true, ...body });
const capture = async (body: object) =>
  (await book.operation('create-event-block', { ...body, apply_handlers: false })).body.result.id;
const move = (eventId: string, transitionTo: string, metadataPatch: object = {}) =>
  book.operation('update-event-block', {
    event_id: eventId,
    transition_to: transitionTo,
    metadata_patch: metadataPatch,
  });

/** The legs of an event's entries as code, debit and credit. */
async function legs(eventId: string): Promise<readonly unknown[]> {
  const rows = await service.store.transaction({ graphId: book.graph }, (tx) =>
    tx.query(sql<
      Pick<LedgerLineItem, 'element_id' | 'debit_amount' | 'credit_amount'> &
        Pick<LedgerEntry, 'posting_date' | 'status'>
    >`
      SELECT l.element_id, l.debit_amount, l.credit_amount, e.posting_date, e.status FROM ledger_entry e
      JOIN ledger_line_item l ON l.graph_id = e.graph_id AND l.entry_id = e.id WHERE e.event_id = ${eventId} ORDER BY l.line_order`),
  );
  const codes = new Map(['1000', '1010', '6600', '6700', '4000'].map((code) => [book.id(code), code]));
  return rows.map((row) => [
    codes.get(row.element_id),
    row.debit_amount,
    row.credit_amount,
    row.posting_date,
    row.status,
  ]);
}

describe('bank_transaction', () => {
  it('posts a bank line against the account chosen for it, in order of precedence (ledger L-91, L-93)', async () => {
    const chosen = {
      classified_allocations: [
        { element_id: book.id('6600'), amount: 4_000 },
        { element_id: book.id('6700'), amount: 500 },
      ],
      classified_element_id: book.id('4000'),
      suggested_element_id: book.id('4000'),
      accept_suggestion: true,
    };
    const day = ['2026-03-20', 'draft'];
    const spread = await record(line(chosen));
    expect(spread.body.result).toMatchObject({ status: 'classified', metadata: { publish_to_source: false } });
    expect(await legs(spread.body.result.id)).toEqual([
      ['6600', 4_000, 0, ...day],
      ['6700', 500, 0, ...day],
      ['1000', 0, 4_500, ...day],
    ]);
    const one = await record(line({ ...chosen, classified_allocations: null }, { amount: 900 }));
    expect(await legs(one.body.result.id)).toEqual([
      ['1000', 900, 0, ...day],
      ['4000', 0, 900, ...day],
    ]);
    const accepted = await record(line({ suggested_element_id: book.id('6700'), accept_suggestion: true }));
    expect((await legs(accepted.body.result.id))[0]).toEqual(['6700', 4_500, 0, ...day]);
  });

  it("debits the receiving account of a transfer between two of the entity's own accounts (ledger L-91, L-93)", async () => {
    const body = line({ from_element_id: book.id('1010') }, { event_type: 'internal_transfer', amount: 700 });
    const made = await record(body);
    expect(await legs(made.body.result.id)).toEqual([
      ['1000', 700, 0, '2026-03-20', 'draft'],
      ['1010', 0, 700, '2026-03-20', 'draft'],
    ]);
  });

  it('posts a bank line with the amount and date that the bank reported last (ledger L-94)', async () => {
    const metadata = {
      classified_element_id: book.id('6600'),
      source_amount: -4_700,
      source_posted_date: '2026-03-22',
    };
    const made = await record(line(metadata));
    expect((await legs(made.body.result.id))[0]).toEqual(['6600', 4_700, 0, '2026-03-22', 'draft']);
  });

  it('classifies a bank line once an account is chosen, and writes its entries when it is committed (ledger L-79, L-92, 5.3)', async () => {
    const id = await capture(line());
    const classified = await move(id, 'classified', { classified_element_id: book.id('6600') });
    expect([classified.body.result.status, await legs(id)]).toEqual(['classified', []]);
    const committed = await move(id, 'committed');
    expect(committed.body.result).toMatchObject({ status: 'committed', metadata: { publish_to_source: false } });
    expect(await legs(id)).toHaveLength(2);
  });

  it('applies the single matching handler to a bank line without a chosen account (ledger L-95, L-86)', async () => {
    const entryTemplate = {
      debit: { element_id: 'code:6700', amount: '{{ event.amount_abs }}' },
      credit: { element_id: '{{ event.resource_element_id }}', amount: '{{ event.amount_abs }}' },
    };
    const rule = (name: string) => ({
      name,
      event_type: 'bank_fee',
      transaction_template: { transactions: [{ entry_template: entryTemplate }] },
    });
    const fee = line({}, { event_type: 'bank_fee' });
    const id = await capture(fee);
    const before = await book.query(everything);
    const none = await move(id, 'committed');
    expect([none.status, none.body.detail]).toEqual([422, expect.stringContaining('no active handler matches')]);
    expect(await book.query(everything)).toEqual(before);
    expect((await book.operation('create-event-handler', rule('fees'))).status).toBe(200);
    const done = await move(id, 'committed');
    expect(done.body.result).toMatchObject({ status: 'committed', metadata: { publish_to_source: false } });
    expect((await legs(id))[0]).toEqual(['6700', 4_500, 0, '2026-03-20', 'draft']);
    await book.operation('create-event-handler', rule('more fees'));
    const booked = await book.query(everything);
    const tied = await record(fee);
    expect([tied.status, tied.body.detail]).toEqual([422, expect.stringContaining('Ambiguous handlers')]);
    expect(await book.query(everything)).toEqual(booked);
    // A chosen account takes precedence over any handler.
    expect((await record(line({ classified_element_id: book.id('6600') }, { event_type: 'bank_fee' }))).status).toBe(
      200,
    );
  });
});

describe('bank_transaction without a valid allocation', () => {
  const cases: readonly (readonly [string, () => object, string])[] = [
    ['without a chosen account', () => line(), 'An account is required'],
    [
      'against its own account',
      () => line({ classified_element_id: book.id('1000') }),
      'the account of the bank itself',
    ],
    [
      'without an amount',
      () => line({ classified_element_id: book.id('6600') }, { amount: null }),
      'without an amount',
    ],
    ['of zero', () => line({ classified_element_id: book.id('6600') }, { amount: 0 }), 'without an amount'],
    [
      'with allocations that do not add up',
      () => line({ classified_allocations: [{ element_id: book.id('6600'), amount: 4_499 }] }),
      'add up to 4499, but the amount of the line is 4500',
    ],
    [
      'with a negative allocation',
      () => line({ classified_allocations: [{ element_id: 'a', amount: -1 }] }),
      '.0: element_id',
    ],
    ['with allocations that are not a list', () => line({ classified_allocations: {} }), 'a list of 1 to'],
    [
      'that the bank removed',
      () => line({ classified_element_id: book.id('6600'), source_removed: true }),
      'has withdrawn this line',
    ],
    ['to an unknown account', () => line({ classified_element_id: 'elem_x' }), 'Element(s) not found: [elem_x]'],
    [
      'without a bank account',
      () => line({ classified_element_id: book.id('6600') }, { resource_element_id: null }),
      'resource_element_id',
    ],
    [
      'that transfers from an account to itself',
      () => line({ from_element_id: book.id('1000') }, { event_type: 'internal_transfer' }),
      'two different accounts',
    ],
    [
      'that transfers without a source account',
      () => line({}, { event_type: 'internal_transfer' }),
      'from_element_id is required',
    ],
  ];
  it.each(cases)('keeps a bank line %s captured (ledger L-91, L-92, L-94, L-97)', async (_name, body, message) => {
    const id = await capture(body());
    const before = await book.query(everything);
    const classified = await move(id, 'classified');
    expect([classified.status, classified.body.detail]).toEqual([422, expect.stringContaining(message)]);
    expect((await move(id, 'committed')).status).toBe(422);
    const made = await record(body());
    expect(made.status).toBe(422);
    const preview = await book.operation('preview-event-block', { ...body(), apply_handlers: true });
    expect(preview.body.result.validation_errors).toEqual([made.body.detail]);
    expect(await book.query(everything)).toEqual(before);
  });
});
