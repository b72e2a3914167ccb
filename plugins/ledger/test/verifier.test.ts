/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import { type Books, entry, type Loose, openBooks } from './books.ts';
import { recorded, sale } from './close-books.ts';
import { useCloseBooks, user } from './close-fixture.ts';
import { entriesOf, inGraph, posted, seal, tamper, verify } from './log-books.ts';

useCloseBooks();

describe('book verifier', () => {
  /** Opens books with a closed month and a posted entry in it, all sealed. */
  async function closedBooks(): Promise<{ book: Books; id: string; event: string }> {
    const book = await openBooks(user);
    const event = await posted(book, '2026-03-05', 1_000);
    await sale(book, '2026-03-31', 70);
    // The receipt names the end of the chain at the time of the close.
    await seal(book);
    expect((await book.operation('close-period', { period: '2026-03' })).status).toBe(200);
    await seal(book);
    expect(await verify(book)).toEqual([]);
    const [row] = await entriesOf(book, event.id);
    return { book, id: row?.id ?? '', event: event.id };
  }

  it('reports rows of the log that were changed, deleted or inserted (ledger L-214)', async () => {
    const { book } = await closedBooks();
    const [row] = await inGraph(book, sql<{ seq: number }>`SELECT count(*) AS seq FROM ledger_log`);
    const last = row?.seq ?? 0;
    const kept = 'CREATE TABLE kept AS SELECT * FROM ledger_log WHERE graph_id = $graph';
    const place = (seq: number) =>
      `(SELECT id FROM ledger_log WHERE graph_id = $graph ORDER BY id OFFSET ${seq - 1} LIMIT 1)`;
    await tamper(book, kept);
    const restore = `DELETE FROM ledger_log WHERE graph_id = $graph;
      INSERT INTO ledger_log OVERRIDING SYSTEM VALUE SELECT * FROM kept`;
    const found = async (statement: string) => {
      await tamper(book, statement);
      const broken = await verify(book);
      await tamper(book, restore);
      return broken;
    };
    const changed = `UPDATE ledger_log SET payload = payload || '{"by": "nobody"}' WHERE graph_id = $graph AND id = ${place(2)}`;
    expect(await found(changed)).toContainEqual(expect.stringMatching(/^L-214: log row 2 \w+ \(changed\)$/));
    const missing = 'L-214: log row 2 (missing)';
    expect(await found(`DELETE FROM ledger_log WHERE graph_id = $graph AND id = ${place(2)}`)).toContain(missing);
    const moved = `UPDATE ledger_log SET recorded_at = recorded_at + interval '1 day' WHERE graph_id = $graph AND id = ${place(last)}`;
    expect(await found(moved)).toContainEqual(expect.stringMatching(new RegExp(`^L-214: log row ${last} `)));
    // The end of the chain is stored separately, and the subjects of the deleted rows still exist.
    expect(await found(`DELETE FROM ledger_log WHERE graph_id = $graph AND id > ${place(2)}`)).toEqual(
      expect.arrayContaining([
        // In one finding for each batch; the service also seals in the background.
        expect.stringMatching(new RegExp(`^L-214: log rows? 3\\b.*\\b${last} \\(missing\\)$`)),
        expect.stringMatching(/^L-53: je_/),
        'L-198: 2026-03',
      ]),
    );
    expect(await verify(book)).toEqual([]);
    // The digest of a row of the log does not hold its id; the hash of the batch does.
    const first = `SELECT min(last_seq) FROM kernel_chain_batch WHERE graph_id = $graph`;
    const move = `CREATE TABLE kept_batches AS SELECT * FROM kernel_chain_batch WHERE graph_id = $graph;
      UPDATE kernel_chain_batch SET places = places - int8multirange(int8range(${place(1)}, ${place(1)}, '[]'))
        + int8multirange(int8range(0, 0, '[]')) WHERE graph_id = $graph AND last_seq = (${first});
      INSERT INTO ledger_log OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(l, '{"id": 0}')).* FROM ledger_log AS l WHERE id = ${place(1)};
      DELETE FROM ledger_log WHERE graph_id = $graph AND id = (SELECT min(id) FROM ledger_log WHERE graph_id = $graph AND id > 0)`;
    expect(await found(move)).toContainEqual(
      expect.stringMatching(/^L-214: log rows? 1( to \d+)? \(the seal of the batch does not match\)$/),
    );
    await tamper(
      book,
      'DELETE FROM kernel_chain_batch WHERE graph_id = $graph; INSERT INTO kernel_chain_batch SELECT * FROM kept_batches',
    );
    expect(await verify(book)).toEqual([]);
    await tamper(book, 'DROP TABLE kept, kept_batches');
  });

  it.each([
    [
      'an amount',
      `UPDATE ledger_line_item SET debit_amount = debit_amount * 2, credit_amount = credit_amount * 2 WHERE graph_id = $graph AND entry_id = $id`,
    ],
    ['a memo', `UPDATE ledger_entry SET memo = 'something else' WHERE graph_id = $graph AND id = $id`],
    [
      'an account',
      `UPDATE ledger_line_item SET element_id = 'elem_other' WHERE graph_id = $graph AND entry_id = $id AND debit_amount > 0`,
    ],
    [
      'a day',
      `UPDATE ledger_entry SET posting_date = '2026-03-06' WHERE graph_id = $graph AND id = $id;
      UPDATE ledger_line_item SET posting_date = '2026-03-06' WHERE graph_id = $graph AND entry_id = $id`,
    ],
    [
      'the whole entry',
      `DELETE FROM ledger_line_item WHERE graph_id = $graph AND entry_id = $id; DELETE FROM ledger_entry WHERE graph_id = $graph AND id = $id`,
    ],
  ])('reports a change of %s of a closed month with SQL (ledger L-53, L-198)', async (_, statement) => {
    const { book, id } = await closedBooks();
    await tamper(book, statement.replaceAll('$id', `'${id}'`));
    expect((await verify(book)).slice(-2)).toEqual([`L-53: ${id}`, 'L-198: 2026-03']);
  });

  it('reports a forged entry and a rewritten receipt (ledger L-53, L-198)', async () => {
    const { book, id } = await closedBooks();
    const copy = (table: string, key: string) =>
      `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object('${key}', 'je_forged'))).* FROM ${table} AS t
        WHERE graph_id = $graph AND ${key} = '${id}'`;
    await tamper(book, `${copy('ledger_entry', 'id')}; ${copy('ledger_line_item', 'entry_id')}`);
    expect(await verify(book)).toEqual(['L-218: 2026-03', 'L-53: je_forged', 'L-198: 2026-03']);
    const { book: other } = await closedBooks();
    await tamper(
      other,
      `UPDATE ledger_fiscal_period SET close_receipt = jsonb_set(close_receipt, '{entries_posted}', '9')
      WHERE graph_id = $graph AND name = '2026-03'`,
    );
    expect(await verify(other)).toEqual(['L-214: 2026-03', 'L-198: 2026-03']);
  });

  it.each([
    ['a description', `UPDATE ledger_event SET description = 'something else' WHERE graph_id = $graph AND id = $event`],
    ['a status', `UPDATE ledger_event SET status = 'captured' WHERE graph_id = $graph AND id = $event`],
    ['the author', `UPDATE ledger_event SET created_by = 'nobody' WHERE graph_id = $graph AND id = $event`],
  ])('reports a change of %s of an event with SQL (ledger L-214)', async (_, statement) => {
    const { book, event } = await closedBooks();
    await tamper(book, statement.replaceAll('$event', `'${event}'`));
    expect(await verify(book)).toEqual([`L-214: ${event}`]);
  });

  it('reports a receivable account that is not stored as one, although a sales receipt debits it (ledger L-100c, L-101)', async () => {
    const book = await openBooks(user);
    const owed = [
      ['1100', 60, 0],
      ['4000', 0, 60],
    ] as const;
    await recorded(book, entry(book, '2026-03-05', owed, { event_type: 'sales_receipt_recorded', amount: 60 }));
    expect(await verify(book)).toEqual([]);
    // Without the account, the recomputed open amounts agree that nothing is open.
    const gone = ['ledger_receivable_account', 'ledger_open_item'];
    await tamper(book, gone.map((table) => `DELETE FROM ${table} WHERE graph_id = $graph`).join('; '));
    expect(await verify(book)).toEqual([`L-101: ${book.id('1100')}`]);
  });

  it('reports a deleted event and a forged one (ledger L-214)', async () => {
    const { book, event } = await closedBooks();
    await tamper(book, `UPDATE ledger_event SET id = 'evt_forged' WHERE graph_id = $graph AND id = '${event}'`);
    expect(await verify(book)).toContain('L-214: evt_forged');
    await tamper(book, `DELETE FROM ledger_event WHERE graph_id = $graph AND id = 'evt_forged'`);
    expect(await verify(book)).toContain(`L-214: ${event}`);
  });

  it('accepts later reversals of entries in a closed month, and the receipt hides its hashes in responses (ledger L-62, L-198)', async () => {
    const { book, id } = await closedBooks();
    const reversal = { entry_id: id, posting_date: '2026-04-01' };
    await recorded(book, {
      ...entry(book, '2026-04-01', []),
      event_type: 'journal_entry_reversed',
      metadata: reversal,
    });
    expect(await verify(book)).toEqual([]);
    const [month] = await inGraph(
      book,
      sql<{ kept: Loose }>`
      SELECT close_receipt->'private' AS kept FROM ledger_fiscal_period WHERE name = '2026-03'`,
    );
    expect(month?.kept).toEqual({
      entries: 2,
      lines: 4,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      log: { seq: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    const { periodCloseStatus } = await book.query(
      '{ periodCloseStatus(periodStart: "2026-03-01", periodEnd: "2026-03-31") { closeReceipt { entriesPosted } } }',
    );
    expect(periodCloseStatus.closeReceipt).toEqual({ entriesPosted: 1 });
  });

  it('checks the newest receipt of a month that was reopened (ledger L-169, L-198)', async () => {
    const { book } = await closedBooks();
    await book.operation('reopen-period', { period: '2026-03', reason: 'a late bill' });
    await posted(book, '2026-03-20', 5);
    expect(await verify(book)).toEqual([]);
    expect((await book.operation('close-period', { period: '2026-03' })).status).toBe(200);
    await seal(book);
    expect(await verify(book)).toEqual([]);
  });
});
