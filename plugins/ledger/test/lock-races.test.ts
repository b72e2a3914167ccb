/** @module-tag sessions */
import blocks from '@pacioli/blocks';
import { contribute, definePlugin, type Plugin, sql } from '@pacioli/core';
import taxonomy, { chartLockKey, elementGuards } from '@pacioli/taxonomy';
import { type Answer, fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import ledger from '../src/index.ts';
import { type Books, entry, type Loose, openBooks } from './books.ts';
import { signal, timeout } from './races.ts';
import { createSchedule, schedule } from './schedule-books.ts';

/** Delays a deletion after its check that the elements are unused; a test sets it. */
let afterLooking: () => Promise<void> = async () => undefined;

const onlooker: Plugin = definePlugin({
  name: 'onlooker',
  title: 'Delays deletions between check and write',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['taxonomy'],
  contributions: [
    contribute(elementGuards, 'onlooker', {
      create: () => ({
        used: async () => {
          await afterLooking();
          return [];
        },
        closedMonths: async () => undefined,
      }),
    }),
  ],
});

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  service = await startTestService({
    plugins: [taxonomy, blocks, ledger, onlooker],
    aliases: { ledger: ['roboledger'] },
    clock: fixedClock('2026-04-01T12:00:00Z'),
    settings: { orgs: { maxGraphs: -1 } },
  });
  user = await service.newUser('Ann');
}, timeout);
afterAll(async () => {
  await service.close();
});

/** Creates an account that nothing else uses, and returns calls that post to it and delete it. */
async function freshAccount(book: Books, code = '6999') {
  const { taxonomies } = await book.query('{ taxonomies(taxonomyType: "chart_of_accounts") { taxonomies { id } } }');
  const taxonomyId: string = taxonomies.taxonomies[0].id;
  const element = { qname: `coa:${code}`, name: `Passing ${code}`, code, trait: 'expense' };
  const made = await book.operation('update-taxonomy-block', { taxonomy_id: taxonomyId, elements_to_add: [element] });
  expect(made.status).toBe(200);
  const { accounts } = await book.query('{ accounts(limit: 200) { accounts { id code } } }');
  const id: string = accounts.accounts.find((account: Loose) => account.code === code).id;
  const sideways: Books = { ...book, id: (named) => (named === code ? id : book.id(named)) };
  const legs = [
    [code, 100, 0],
    ['1000', 0, 100],
  ] as const;
  return {
    post: () => book.operation('create-event-block', entry(sideways, '2026-03-10', legs)),
    remove: () =>
      book.operation('update-taxonomy-block', { taxonomy_id: taxonomyId, elements_to_remove: [`coa:${code}`] }),
  };
}

/** Counts the lines whose account is gone, and all lines. */
async function lines(book: Books): Promise<{ readonly dangling: number; readonly total: number }> {
  const [row] = await service.store.transaction({ graphId: book.graph }, (tx) =>
    tx.query(sql<{ dangling: number; total: number }>`
      SELECT count(*) FILTER (WHERE NOT EXISTS (SELECT FROM taxonomy_element AS e WHERE e.graph_id = l.graph_id AND e.id = l.element_id))
        AS dangling, count(*) AS total FROM ledger_line_item AS l`),
  );
  return row ?? { dangling: -1, total: -1 };
}

/** Counts the row locks of this database that others wait for; other tests may use the same server. */
async function waiting(book: Books): Promise<number> {
  const [row] = await service.store.transaction({ graphId: book.graph }, (tx) =>
    tx.query(sql<{ waiting: number }>`SELECT count(*) AS waiting FROM pg_locks JOIN pg_stat_activity AS a USING (pid)
      WHERE NOT granted AND locktype IN ('transactionid', 'tuple') AND a.datname = current_database()`),
  );
  return row?.waiting ?? 0;
}

function expectOneWinner(posted: Answer, removed: Answer): void {
  expect([posted.status, removed.status].filter((status) => status === 200)).toHaveLength(1);
  const loser = posted.status === 200 ? removed : posted;
  expect([409, 422]).toContain(loser.status);
  expect(loser.body.detail).toMatch(/not found|journal lines|Try again|Retry/);
}

describe('deleting an account while an entry is posted to it', () => {
  it('deletes an account before a concurrent posting or rejects the deletion, and leaves no line without its account (ledger L-47, taxonomy T-31)', {
    timeout,
  }, async () => {
    const book = await openBooks(user);
    const account = await freshAccount(book);
    const isServer = service.store.driver === 'postgres';
    const looked = signal();
    const release = signal();
    afterLooking = async () => {
      looked.give();
      await release.given;
    };
    const removing = account.remove();
    await looked.given;
    let isPosted = false;
    const posting = account.post().finally(() => {
      isPosted = true;
    });
    // The embedded store has one session, so the posting waits for the whole deletion.
    if (isServer) await expect.poll(async () => isPosted || (await waiting(book)) > 0, { timeout }).toBe(true);
    release.give();
    const [posted, removed] = await Promise.all([posting, removing]);
    afterLooking = async () => undefined;
    expectOneWinner(posted, removed);
    expect(await lines(book)).toEqual({ dangling: 0, total: posted.status === 200 ? 2 : 0 });
  });

  it('accepts exactly one of a concurrent deletion and posting, in any interleaving (ledger L-47, L-210, taxonomy T-31)', {
    timeout,
  }, async () => {
    const book = await openBooks(user);
    let total = 0;
    for (let round = 0; round < 5; round += 1) {
      const account = await freshAccount(book, String(6990 + round));
      const [posted, removed] = await Promise.all(
        round % 2 === 0 ? [account.post(), account.remove()] : [account.remove(), account.post()].reverse(),
      );
      if (posted === undefined || removed === undefined) throw new Error('Both calls are answered.');
      expectOneWinner(posted, removed);
      total += posted.status === 200 ? 2 : 0;
      expect(await lines(book)).toEqual({ dangling: 0, total });
    }
  });
});

describe('terminating a schedule while one of its obligations is committed', () => {
  it('terminates the schedule first without a deadlock, and rejects the concurrent commit (ledger L-150, L-189)', {
    timeout,
  }, async () => {
    const book = await openBooks(user);
    const block = await createSchedule(book, schedule(book, '6300', '1300'));
    const due = {
      event_type: 'schedule_entry_due',
      event_category: 'recognition',
      source: 'schedule',
      occurred_at: '2026-04-30T00:00:00Z',
      apply_handlers: false,
      metadata: { schedule_id: block.id, period_end: '2026-04-30' },
    };
    const eventId: string = (await book.operation('create-event-block', due)).body.result.id;
    const move = (transitionTo: string) =>
      book.operation('update-event-block', { event_id: eventId, transition_to: transitionTo });
    expect((await move('classified')).status).toBe(200);
    const end = { structure_id: block.id, new_end_date: '2026-03-31', reason: 'sold' };
    const isServer = service.store.driver === 'postgres';
    const held = signal();
    const release = signal();
    const holder = service.store.transaction({ graphId: book.graph }, async (tx) => {
      await tx.query(sql`SELECT FROM ledger_schedule WHERE structure_id = ${block.id} FOR UPDATE`);
      held.give();
      if (isServer) await release.given;
    });
    await held.given;
    const terminating = book.operation('terminate-schedule', end);
    if (isServer) await expect.poll(() => waiting(book), { timeout }).toBeGreaterThan(0);
    const committing = move('committed');
    if (isServer) await expect.poll(() => waiting(book), { timeout }).toBeGreaterThan(1);
    release.give();
    const [terminated, committed] = await Promise.all([terminating, committing, holder]);
    expect([terminated.status, committed.status]).toEqual([200, 422]);
    expect(committed.body.detail).toContain('voided');
    expect(await lines(book)).toEqual({ dangling: 0, total: 0 });
  });
});

describe('reversing an entry while its month is closed or reopened', () => {
  it('waits for the period lock of the reversed entry for at most 5 seconds, although the reversal is in another month (ledger L-150, L-9)', {
    timeout,
  }, async () => {
    const book = await openBooks(user);
    const legs = [
      ['1000', 100, 0],
      ['4000', 0, 100],
    ] as const;
    await book.operation('create-event-block', entry(book, '2026-03-10', legs));
    const { journalEntries } = await book.query('{ journalEntries { entries { id } } }');
    const reversal = {
      ...entry(book, '2026-04-01', [], { event_type: 'journal_entry_reversed' }),
      metadata: { entry_id: journalEntries.entries[0].id, posting_date: '2026-04-01' },
    };
    const isServer = service.store.driver === 'postgres';
    const held = signal();
    const release = signal();
    const holder = service.store.transaction({ graphId: book.graph }, async (tx) => {
      const key = `pacioli.period.${book.graph}.2026-03`;
      await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
      held.give();
      if (isServer) await release.given;
    });
    await held.given;
    const reversed = await book.operation('create-event-block', reversal);
    release.give();
    await holder;
    // The embedded store has one session, so the reversal waits for the whole transaction.
    expect(reversed.status).toBe(isServer ? 409 : 200);
    if (isServer) expect((await book.operation('create-event-block', reversal)).status).toBe(200);
    expect(await lines(book)).toEqual({ dangling: 0, total: 4 });
  });
});

describe('posting while the chart of accounts is locked', () => {
  it('waits for at most 5 seconds, then names everything that it may have waited for (ledger L-9)', {
    timeout,
  }, async () => {
    const book = await openBooks(user);
    const posting = entry(book, '2026-03-10', [
      ['1000', 100, 0],
      ['4000', 0, 100],
    ]);
    const isServer = service.store.driver === 'postgres';
    const held = signal();
    const release = signal();
    const holder = service.store.transaction({ graphId: book.graph }, async (tx) => {
      await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${chartLockKey(book.graph)}, 0))`);
      held.give();
      if (isServer) await release.given;
    });
    await held.given;
    const posted = await book.operation('create-event-block', posting);
    release.give();
    await holder;
    // The embedded store has one session, so the posting waits for the whole transaction.
    const named =
      "Fiscal period '2026-03', the calendar or the chart of accounts is being written by another process. Retry in a moment.";
    expect([posted.status, posted.body.detail]).toEqual(isServer ? [409, named] : [200, undefined]);
    if (isServer) expect((await book.operation('create-event-block', posting)).status).toBe(200);
    expect(await lines(book)).toEqual({ dangling: 0, total: 2 });
  });
});
