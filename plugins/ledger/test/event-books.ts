import { sql } from '@pacioli/core';
import type { Answer, TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Books, entry, type Leg, type Loose, openBooks, startLedger } from './books.ts';
import { expectRefused } from './expect-refused.ts';

export let service: TestService;
export let user: TestClient;
export let book: Books;
/** Sets up the books before the tests of the calling file, and closes their service after them. */
export function useEventBooks(): void {
  beforeAll(async () => {
    ({ service, user } = await startLedger());
    book = await openBooks(user);
  });
  afterAll(async () => {
    await service.close();
  });
}

export const sale: readonly Leg[] = [
  ['1100', 500, 0],
  ['4000', 0, 500],
];

/** The body of an event; its metadata is a sale unless given otherwise. */
export function body(status: 'draft' | 'posted', more: object = {}, books: Books = book): Loose {
  const { metadata = {}, ...fields } = more as Loose;
  const whole = entry(books, '2026-03-31', sale, fields) as Loose;
  return { ...whole, metadata: { ...whole.metadata, status, ...metadata } };
}
export async function record(given: object, books: Books = book): Promise<string> {
  const made = await books.operation('create-event-block', given);
  expect([made.status, made.body.detail]).toEqual([200, undefined]);
  return made.body.result.id;
}
export const captured = (more: object = {}) => record({ ...body('draft', more), apply_handlers: false });
export const update = (eventId: string, more: object): Promise<Answer> =>
  book.operation('update-event-block', { event_id: eventId, ...more });

/** A GraphQL query of all that a commit could change; tests compare its result before and after. */
export const bookContents = `{ eventBlocks(limit: 1000) { id status description effectiveAt metadata replacedByEventId replacesEventId obligatedByEventId dischargesEventId }
  journalEntries(limit: 1000) { entries { id status postingDate lineItems { debitAmount } } }
  transactions(limit: 1000) { transactions { id status } } openReceivables { totalOpenCents } fiscalCalendar { periods { name status } } }`;

export const refused = (work: () => Promise<Answer>, status: number, message: RegExp | string) =>
  expectRefused(service, book.graph, work, [status, message]);

export async function closeMonth(month: string, work: () => Promise<void>): Promise<void> {
  const set = (status: string) =>
    service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(sql`UPDATE ledger_fiscal_period SET status = ${status} WHERE name = ${month}`),
    );
  await set('closed');
  await work();
  await set('open');
}
