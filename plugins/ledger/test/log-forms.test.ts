/**
 * Goal: a row of the log has a short form where its long one follows from it, and nobody sees which one it has.
 * @module-tag sessions
 */
import { sql } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import { type Books, type Loose, openBooks } from './books.ts';
import { useCloseBooks, user } from './close-fixture.ts';
import { inGraph, recordsOf, rowsOf, tamper, verify } from './log-books.ts';

useCloseBooks();

type Line = Readonly<Record<string, unknown>>;

/** A sale with tax, in three lines of an account and an amount. */
const saleLines = (book: Books): readonly Line[] => [
  { element_id: book.id('1000'), debit_amount: 10_700, credit_amount: 0 },
  { element_id: book.id('4000'), debit_amount: 0, credit_amount: 10_000 },
  { element_id: book.id('2300'), debit_amount: 0, credit_amount: 700 },
];

async function record(book: Books, metadata: object, more: object = {}, headers = {}): Promise<Loose> {
  const body = {
    event_type: 'journal_entry_recorded',
    event_category: 'sales',
    occurred_at: '2026-03-31T12:00:00Z',
    source: 'manual',
    apply_handlers: true,
    metadata: { posting_date: '2026-03-31', memo: 'A sale', status: 'posted', ...metadata },
    ...more,
  };
  const answer = await book.operation('create-event-block', body, headers);
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  return answer.body.result;
}

const rowOf = async (book: Books, event: string): Promise<Loose> =>
  (await rowsOf(book)).find(({ kind, subject_id }) => kind === 'event_recorded' && subject_id === event)?.payload;

/** The transaction and the entry that the log says were written with an event. */
async function journalOf(book: Books, event: string) {
  const records = await recordsOf(book);
  const of = (kind: string, eventOf: (payload: Loose) => unknown) =>
    records.find((each) => each.kind === kind && eventOf(each.payload) === event);
  return {
    transaction: of('transaction_added', (payload) => payload.event_id),
    entry: of('entry_written', (payload) => payload.entry.event_id),
  };
}

const blockOf = async (book: Books, id: string): Promise<Loose> =>
  (await book.query(`{ eventBlock(id: "${id}") { id eventType status externalId occurredAt amount metadata } }`))
    .eventBlock;

describe('the row of the log of an event', () => {
  it('has no journal for an event with one entry of its own lines (ledger L-214b)', async () => {
    const book = await openBooks(user);
    const event = await record(book, { line_items: saleLines(book) }, { external_id: 'S-1' });
    const row = await rowOf(book, event.id);
    expect(Object.keys(row).sort()).toEqual(['fields', 'metadata']);
    expect(row.fields.slice(0, 6)).toEqual(['journal_entry_recorded', 'sales', 'fulfilled', 'manual', 'USD', 'S-1']);
    const { transaction, entry } = await journalOf(book, event.id);
    expect(transaction?.payload).toMatchObject({ amount: 10_700, description: 'A sale', source_id: 'S-1' });
    expect(entry?.payload.line_items).toMatchObject(saleLines(book));
    expect(await verify(book)).toEqual([]);
  });

  it.each<[string, (book: Books) => Promise<Loose>, readonly string[]]>([
    ['an amount', (book) => record(book, { line_items: saleLines(book) }, { amount: 10_700 }), ['amount', 'fields']],
    ['another amount', (book) => record(book, { line_items: saleLines(book) }, { amount: 5 }), ['amount', 'fields']],
    [
      'a description',
      (book) => record(book, { line_items: saleLines(book) }, { description: 'D' }),
      ['description', 'fields'],
    ],
    ['neither memo nor description', (book) => record(book, { line_items: saleLines(book), memo: null }), ['fields']],
    [
      'lines that omit the side without an amount',
      (book) =>
        record(book, {
          line_items: [
            { element_id: book.id('1000'), debit_amount: 5 },
            { element_id: book.id('4000'), credit_amount: 5 },
          ],
        }),
      ['fields'],
    ],
    [
      'a described line',
      (book) => record(book, { line_items: saleLines(book).map((each) => ({ ...each, description: 'A line' })) }),
      ['fields'],
    ],
    ['a draft', (book) => record(book, { line_items: saleLines(book), status: 'draft' }), ['journal']],
    [
      'two entries',
      (book) =>
        record(book, {
          entries: [1, 2].map((day) => ({ posting_date: `2026-03-0${day}`, line_items: saleLines(book) })),
        }),
      ['journal'],
    ],
  ])('keeps what the short form cannot imply, with %s (ledger L-214b)', async (_, write, keys) => {
    const book = await openBooks(user);
    const event = await write(book);
    expect(Object.keys(await rowOf(book, event.id))).toEqual(expect.arrayContaining([...keys]));
    expect(await verify(book)).toEqual([]);
    const { metadata } = await blockOf(book, event.id);
    expect(metadata).toEqual(event.metadata);
  });

  it('is read alike in the form of earlier versions, as is the event (ledger L-76a, L-214b)', async () => {
    const book = await openBooks(user);
    const again = () =>
      record(book, { line_items: saleLines(book), odd: { z: 1, a: [null] } }, {}, { 'idempotency-key': 'once' });
    const event = await again();
    const repeated = JSON.stringify(await again());
    const [before, journal] = [await blockOf(book, event.id), await journalOf(book, event.id)];
    expect(Object.keys(await rowOf(book, event.id))).toContain('fields');
    const long = `(metadata - 'dispatch_lines') || '${JSON.stringify({ line_items: saleLines(book) })}'::jsonb`;
    await tamper(book, `UPDATE ledger_event SET metadata = ${long} WHERE graph_id = $graph AND id = '${event.id}'`);
    await tamper(
      book,
      `UPDATE ledger_log AS l SET payload = u.item || jsonb_build_object('metadata', (SELECT ${long} FROM (
        SELECT u.item -> 'metadata' AS metadata) AS m))
      FROM (SELECT id, ledger_log_unpacked(subject_id, payload) AS item FROM ledger_log WHERE kind = 'event_recorded') AS u
      WHERE l.graph_id = $graph AND l.id = u.id`,
    );
    expect(Object.keys(await rowOf(book, event.id))).toContain('journal');
    expect(JSON.stringify(await blockOf(book, event.id))).toBe(JSON.stringify(before));
    expect(JSON.stringify(await again())).toBe(repeated);
    expect(await journalOf(book, event.id)).toEqual(journal);
    expect(await verify(book)).toEqual([]);
  });
});

describe('the ids that follow one another', () => {
  it.each([
    ['evt_01M86PKE37PT5R9E1P35JQHZHK', 'txn', 1, 'txn_01M86PKE37PT5R9E1P35JQHZHM'],
    ['txn_01M86PKE37PT5R9E1P35JQHZZZ', 'je', 1, 'je_01M86PKE37PT5R9E1P35JQJ000'],
    ['txn_01M86PKE37PT5R9E1P35JQHZH0', 'li', 1_000, 'li_01M86PKE37PT5R9E1P35JQJ0G8'],
    ['txn_01M86PKE37PT5R9E1P35JQZZZZ', 'li', 1, null],
    ['evt_forged', 'txn', 1, null],
    ['evt', 'txn', 1, null],
  ])('are counted in the digits of a ULID: %s (ledger L-214b)', async (id, prefix, steps, next) => {
    const book = await openBooks(user);
    const [row] = await inGraph(
      book,
      sql<{ next: string | null }>`SELECT ledger_log_id_after(${id}, ${prefix}, ${steps}) AS next`,
    );
    expect(row?.next).toBe(next);
  });
});
