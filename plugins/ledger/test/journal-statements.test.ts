import { setImmediate } from 'node:timers/promises';
import { sql } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Books, done, entry, openBooks, startLedger } from './books.ts';
import { createSchedule, entryDue, schedule } from './schedule-books.ts';
import { beforeFirstAdvisoryLock, type Interference, interfereWith } from './statement-hook.ts';

let service: TestService;
let user: TestClient;
let book: Books;
let interference: Interference;
beforeAll(async () => {
  ({ service, user } = await startLedger());
  interference = interfereWith(service.store);
});
beforeEach(async () => {
  interference.beforeStatement = undefined;
  book = await openBooks(user);
  // The first posted entry sets the currency of the books, which takes a second run of the statement.
  await done(book, 'create-event-block', sale());
});
afterAll(() => service.close());

const legs = [
  ['1000', 500, 0],
  ['4000', 0, 500],
] as const;
const sale = (more: object = {}) => entry(book, '2026-03-10', legs, more);

/** The statements of an operation that match, in the order in which they were sent. */
async function statementsOf(operation: () => Promise<unknown>, matching: RegExp): Promise<readonly string[]> {
  const found: string[] = [];
  interference.beforeStatement = async (statement) => {
    if (matching.test(statement)) found.push(statement);
  };
  await operation();
  interference.beforeStatement = undefined;
  return found;
}

describe('statements of the journal', () => {
  it('sends the write of a new event without waiting for its period locks', async () => {
    let areLocksPending = false;
    let isSentBehindLocks = false;
    interference.beforeStatement = async (statement) => {
      if (statement.includes('INSERT INTO ledger_event')) isSentBehindLocks = areLocksPending;
      if (!statement.includes('pg_advisory_xact_lock_shared')) return;
      areLocksPending = true;
      await setImmediate();
      areLocksPending = false;
    };
    await done(book, 'create-event-block', sale());
    expect(isSentBehindLocks).toBe(true);
  });

  it('reads the accounts of an event once, with the statement that books it', async () => {
    const { id } = await done(book, 'create-event-block', sale({ apply_handlers: false }));
    const commit = () => done(book, 'update-event-block', { event_id: id, transition_to: 'committed' });
    const reads = await statementsOf(commit, /from taxonomy_element|taxonomy_element e/i);
    expect(reads).toHaveLength(1);
    expect(reads[0]).toContain('INSERT INTO ledger_entry');
  });

  it('checks the month of a committed event once, with the statement that books it', async () => {
    const { id } = await done(book, 'create-event-block', sale({ apply_handlers: false }));
    const commit = () => done(book, 'update-event-block', { event_id: id, transition_to: 'committed' });
    const reads = await statementsOf(commit, /p\.status = 'closed'/);
    expect(reads).toHaveLength(1);
    expect(reads[0]).toContain('INSERT INTO ledger_entry');
  });

  it('reads the fiscal calendar once for a close and once more for its response', async () => {
    const close = () => done(book, 'close-period', { period: '2026-03' });
    const calendar = /closed_through, close_target, last_close_at, initialized_at/;
    const isLocked = (statement: string) => statement.includes('FOR NO KEY UPDATE');
    expect((await statementsOf(close, calendar)).map(isLocked)).toEqual([true, false]);
    const reopen = () => done(book, 'reopen-period', { period: '2026-03', reason: 'A late invoice' });
    expect((await statementsOf(reopen, calendar)).map(isLocked)).toEqual([true, false]);
  });
});

describe('update-event-block', () => {
  it('rejects a commit when another caller moves the event to another schedule before the locks (ledger L-150)', async () => {
    const first = await createSchedule(book, schedule(book, '6300', '1300', { name: 'First' }));
    const second = await createSchedule(book, schedule(book, '6300', '1300', { name: 'Second' }));
    const due = { ...entryDue(first.id, '2026-03-31'), apply_handlers: false };
    const eventId: string = (await book.operation('create-event-block', due)).body.result.id;
    interference.beforeStatement = beforeFirstAdvisoryLock((tx) =>
      tx.query(sql`UPDATE ledger_event SET metadata = metadata || ${JSON.stringify({ schedule_id: second.id })}::text::jsonb
        WHERE graph_id = ${book.graph} AND id = ${eventId}`),
    );
    const commit = { event_id: eventId, transition_to: 'committed' };
    const refused = await book.operation('update-event-block', commit);
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining(`Event ${eventId}`)]);
    const { journalEntries } = await book.query('{ journalEntries(status: "draft") { entries { id } } }');
    expect(journalEntries.entries).toEqual([]);
  });
});
