/** @module-tag sessions */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { add, book, event, record, useHandlerBooks } from './handler-books.ts';

useHandlerBooks();

it('books the net amount of a payout with the handler that the README prints (ledger 5.9)', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, printed = ''] = /```json\n([\s\S]*?)```/.exec(readme) ?? [];
  // No connection is registered as the source here.
  await add({ ...JSON.parse(printed), match_source: 'manual' });
  const made = await record(
    event('payout_settled', { metadata: { net: 9_550 }, effective_at: '2026-03-28T00:00:00Z' }),
  );
  expect([made.status, made.body.detail]).toEqual([200, undefined]);
  const { journalEntries } = await book.query(
    '{ journalEntries(provenance: "event_handler") { entries { lineItems { debitAmount creditAmount } } } }',
  );
  expect(journalEntries.entries[0].lineItems).toEqual([
    { debitAmount: 95.5, creditAmount: 0 },
    { debitAmount: 0, creditAmount: 95.5 },
  ]);
});
