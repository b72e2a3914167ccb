/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { chartOfAccounts } from '@pacioli/taxonomy';
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, done, entry, type Loose, openBooks, startLedger } from './books.ts';
import { captured } from './captured-event.ts';
import { createSchedule, schedule } from './schedule-books.ts';

let service: TestService;
let user: TestClient;
let book: Books;
beforeAll(async () => {
  ({ service, user } = await startLedger());
  book = await openBooks(user);
});
afterAll(() => service.close());

/** The structures of all entries, by posting date. */
async function namesByDate(): Promise<Record<string, readonly [id: string | null, name: string | null]>> {
  const { journalEntries } = await book.query(
    '{ journalEntries { entries { postingDate sourceStructureId sourceStructureName } } }',
  );
  return Object.fromEntries(
    journalEntries.entries.map((each: Loose) => [each.postingDate, [each.sourceStructureId, each.sourceStructureName]]),
  );
}

describe('journalEntries', () => {
  it('shows the name of the schedule of an entry, even after the schedule is deleted (ledger L-65, L-190)', async () => {
    const { id } = await createSchedule(book, schedule(book, '6900', '1590', { name: 'Rent' }));
    const due = { event_category: 'recognition', source: 'schedule', apply_handlers: true };
    await done(book, 'create-event-block', {
      ...captured('schedule_entry_due', { schedule_id: id, period_end: '2026-03-31' }),
      ...due,
    });
    await done(
      book,
      'create-event-block',
      entry(book, '2026-03-30', [
        ['1000', 5, 0],
        ['4000', 0, 5],
      ]),
    );
    expect(await namesByDate()).toEqual({ '2026-03-31': [id, 'Rent'], '2026-03-30': [null, null] });
    await done(book, 'update-information-block', {
      block_type: 'schedule',
      payload: { structure_id: id, name: 'Lease' },
    });
    expect((await namesByDate())['2026-03-31']).toEqual([id, 'Lease']);
    await done(book, 'close-period', { period: '2026-03' });
    await done(book, 'delete-information-block', { block_type: 'schedule', payload: { structure_id: id } });
    expect((await namesByDate())['2026-03-31']).toEqual([id, 'Lease']);
  });
});

describe('external ids of accounts', () => {
  it('resolves an external id to the active account when a retired one has the same id (ledger L-88)', async () => {
    const { service: kernel, store } = service;
    const found = await store.transaction({ graphId: book.graph }, async (tx) => {
      const mark = (code: string, isActive: boolean) =>
        tx.query(sql`
          UPDATE taxonomy_element SET external_id = '35', external_source = 'quickbooks', connection_id = ${`conn_${code}`}, is_active = ${isActive}
          WHERE id = ${book.id(code)}`);
      const look = async () => {
        const ids = { source: 'quickbooks', connectionId: null, ids: ['35'] };
        return (await kernel.services.resolve(chartOfAccounts).findByExternalId(tx, ids)).get('35')?.code;
      };
      const [older, newer] = [book.id('1010'), book.id('1050')]
        .toSorted()
        .map((id) => (id === book.id('1010') ? '1010' : '1050'));
      if (older === undefined || newer === undefined) throw new Error('Two accounts are there.');
      await mark(older, false);
      await mark(newer, true);
      const active = await look();
      await mark(older, true);
      return { active: active === newer, first: (await look()) === older };
    });
    expect(found).toEqual({ active: true, first: true });
  });
});
