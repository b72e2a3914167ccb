import { sql } from '@pacioli/core';
import type { TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, done, openBooks, startLedger } from './books.ts';
import { handler } from './refusal-books.ts';

let service: TestService;
let book: Books;
beforeAll(async () => {
  const started = await startLedger();
  service = started.service;
  book = await openBooks(started.user);
});
afterAll(() => service.close());

describe('create-event-handler', () => {
  it('accepts one of several concurrent requests when one handler is left before the limit', async () => {
    const first = await done(book, 'create-event-handler', handler('Handler 0', 'payout'));
    await service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(sql`
        INSERT INTO ledger_event_handler (graph_id, id, name, event_type, transaction_template, priority, is_active, origin,
          metadata, created_at, updated_at, created_by)
        SELECT graph_id, id || number, name || number, event_type, transaction_template, priority, is_active, origin,
          metadata, created_at, updated_at, created_by
        FROM ledger_event_handler, generate_series(1, 998) AS number WHERE id = ${first.id}`),
    );
    const answers = await Promise.all(
      ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => book.operation('create-event-handler', handler(name, 'payout'))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
  });
});
