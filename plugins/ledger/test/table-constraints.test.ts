/** @module-tag sessions */
import { type RawBuilder, StoreError, sql } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, entry, openBooks, startLedger } from './books.ts';

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startLedger());
});
afterAll(async () => {
  await service.close();
});

/** Runs a statement in the scope of the books, as a faulty operation would; undefined when it is accepted. */
async function refusalOf(book: Books, statement: RawBuilder<unknown>): Promise<string | undefined> {
  try {
    await service.store.transaction({ graphId: book.graph }, (tx) => tx.query(statement));
    return undefined;
  } catch (error) {
    if (error instanceof StoreError) return error.constraint;
    throw error;
  }
}

async function record(book: Books, status: 'draft' | 'posted'): Promise<void> {
  const body = entry(book, '2026-03-31', [
    ['1000', 500, 0],
    ['4000', 0, 500],
  ]) as { metadata: object };
  const answer = await book.operation('create-event-block', { ...body, metadata: { ...body.metadata, status } });
  expect(answer.status).toBe(200);
}

const balance = '{ trialBalance { totalDebits } march: trialBalance(endDate: "2026-03-31") { totalDebits } }';

describe('table constraints and triggers', () => {
  it('rejects changes to a posted entry and its lines (ledger L-52, L-53)', async () => {
    const book = await openBooks(user);
    await record(book, 'posted');
    expect(await refusalOf(book, sql`UPDATE ledger_entry SET status = 'draft'`)).toBe('ledger_entry_immutable');
    expect(await refusalOf(book, sql`UPDATE ledger_entry SET memo = 'other'`)).toBe('ledger_entry_immutable');
    expect(await refusalOf(book, sql`UPDATE ledger_entry SET posting_date = '2026-03-01'`)).toBe(
      'ledger_entry_immutable',
    );
    expect(await refusalOf(book, sql`UPDATE ledger_line_item SET description = 'other'`)).toBe(
      'ledger_line_item_immutable',
    );
    expect(await refusalOf(book, sql`DELETE FROM ledger_entry`)).toBe('ledger_line_item_immutable');
    expect(await refusalOf(book, sql`UPDATE ledger_entry SET status = 'reversed'`)).toBeUndefined();
    expect(await refusalOf(book, sql`UPDATE ledger_entry SET status = 'posted'`)).toBe('ledger_entry_immutable');
    expect(await book.query(balance)).toMatchObject({ trialBalance: { totalDebits: 5 } });
  });

  it('updates balances when the status or date of an entry changes (ledger L-40)', async () => {
    const book = await openBooks(user);
    await record(book, 'draft');
    expect(await refusalOf(book, sql`UPDATE ledger_entry SET posting_date = '2026-04-01'`)).toBeUndefined();
    expect(await book.query(balance)).toMatchObject({ trialBalance: { totalDebits: 0 } });
    expect(await refusalOf(book, sql`UPDATE ledger_entry SET status = 'posted', posted_at = now()`)).toBeUndefined();
    expect(await book.query(balance)).toMatchObject({ trialBalance: { totalDebits: 5 }, march: { totalDebits: 0 } });
  });

  it('rejects an unbalanced entry, and a line with both sides or neither (ledger L-45, L-46, L-196)', async () => {
    const book = await openBooks(user);
    await record(book, 'draft');
    expect(await refusalOf(book, sql`UPDATE ledger_line_item SET debit_amount = 501 WHERE debit_amount > 0`)).toBe(
      'ledger_line_item_replaced',
    );
    expect(await refusalOf(book, sql`DELETE FROM ledger_line_item WHERE line_order = 1`)).toBe(
      'ledger_line_item_balance',
    );
    const insert = (debit: number, credit: number) => sql`
      INSERT INTO ledger_line_item (graph_id, entry_id, line_order, id, element_id, posting_date, currency, is_landed, debit_amount, credit_amount)
      SELECT graph_id, id, 9, 'li_9', ${book.id('1000')}, posting_date, currency, false, ${debit}, ${credit} FROM ledger_entry`;
    expect(await refusalOf(book, insert(1, 0))).toBe('ledger_line_item_balance');
    expect(await refusalOf(book, insert(1, 1))).toBe('ledger_line_item_check');
    expect(await refusalOf(book, insert(0, 0))).toBe('ledger_line_item_check');
    expect(await refusalOf(book, sql`DELETE FROM ledger_entry`)).toBeUndefined();
  });

  it('leave look-ups by key to the key: every other index is limited to rows of which a statement speaks', async () => {
    const book = await openBooks(user);
    const unlimited = await service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(sql<{ name: string }>`
        SELECT c.relname AS name FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
        WHERE i.indpred IS NULL AND NOT i.indisunique AND i.indrelid = ANY (ARRAY['ledger_event', 'ledger_transaction',
          'ledger_entry', 'ledger_line_item', 'ledger_event_settlement', 'ledger_open_item', 'ledger_agent']::regclass[])`),
    );
    expect(unlimited).toEqual([]);
  });
});
