import type { sql } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Books, type Loose, openBooks, startLedger } from './books.ts';

export let service: TestService;
export let user: TestClient;
export let book: Books;
/** Sets up the books before the tests of the calling file, and closes their service after them. */
export function useHandlerBooks(): void {
  beforeAll(async () => {
    ({ service, user } = await startLedger());
    book = await openBooks(user);
  });
  afterAll(async () => {
    await service.close();
  });
}

export const everything = `{ eventBlocks(limit: 1000) { id status metadata } journalEntries(limit: 1000) { entries { id status } }
  transactions(limit: 1000) { transactions { id status } } }`;

export const leg = (elementId: string, amount = '{{ event.amount }}') => ({ element_id: elementId, amount });
export const item = (debit: object, credit: object, more: object = {}) => ({
  entry_template: { debit, credit },
  ...more,
});
export const template = (...transactions: readonly object[]) => ({ transactions });
export const cashSale = () => template(item(leg('code:1000'), leg(book.id('4000'))));

let number = 0;
/** A handler with a unique name. */
export const handler = (eventType: string, more: object = {}): Loose => {
  number += 1;
  return { name: `Rule ${number}`, event_type: eventType, transaction_template: cashSale(), ...more };
};
export const event = (eventType: string, more: object = {}): Loose => ({
  event_type: eventType,
  event_category: 'sales',
  occurred_at: '2026-03-20T10:00:00Z',
  source: 'manual',
  amount: 12_500,
  apply_handlers: true,
  ...more,
});
export const add = async (body: object) => {
  const answer = await book.operation('create-event-handler', body);
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  return answer.body.result;
};
export const record = (body: object) => book.operation('create-event-block', body);
export const inStore = <T>(statement: ReturnType<typeof sql<T>>) =>
  service.store.transaction({ graphId: book.graph }, (tx) => tx.query(statement));
