/** @module-tag sessions */
import { sql } from '@pacioli/core';
import type { Answer, TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, entry, type Leg, type Loose, openBooks, startLedger } from './books.ts';
import { expectRefused } from './expect-refused.ts';

let service: TestService;
let user: TestClient;
let book: Books;
beforeAll(async () => {
  ({ service, user } = await startLedger());
  book = await openBooks(user);
});
afterAll(async () => {
  await service.close();
});

const sale: readonly Leg[] = [
  ['1100', 500, 0],
  ['4000', 0, 500],
];
const linesOf = (legs: readonly Leg[]): readonly Loose[] =>
  legs.map(([code, debit, credit]) => ({ element_id: book.id(code), debit_amount: debit, credit_amount: credit }));

/** Records an event with one entry for each day; returns its id and those of its entries, in order. */
async function drafts(
  days: readonly string[],
  status = 'draft',
): Promise<{ event: string; entries: readonly string[] }> {
  const entries = days.map((postingDate) => ({
    posting_date: postingDate,
    memo: postingDate,
    line_items: linesOf(sale),
  }));
  const made = await book.operation('create-event-block', {
    ...entry(book, '2026-03-31', []),
    metadata: { status, entries },
  });
  expect([made.status, made.body.detail]).toEqual([200, undefined]);
  const event: string = made.body.result.id;
  const { journalEntries } = await book.query(
    '{ journalEntries(limit: 1000) { entries { id postingDate triggeredByEventId } } }',
  );
  const own = journalEntries.entries.filter((each: Loose) => each.triggeredByEventId === event);
  return { event, entries: days.map((day) => own.find((each: Loose) => each.postingDate === day).id) };
}
const idOf = async (day: string, status = 'draft') => (await drafts([day], status)).entries[0] ?? '';
const update = (entryId: string, more: object) =>
  book.operation('update-journal-entry', { entry_id: entryId, ...more });
const remove = (entryId: string) => book.operation('delete-journal-entry', { entry_id: entryId });

const everything = `{ journalEntries(limit: 1000) { entries { id type status postingDate memo lineItems { id accountCode debitAmount creditAmount description } } }
  transactions(limit: 1000) { transactions { id amount date status } } fiscalCalendar { periods { name } } trialBalance { totalDebits } }`;

const refused = (work: () => Promise<Answer>, status: number, message: RegExp | string) =>
  expectRefused(service, book.graph, work, [status, message]);

async function whileClosed(month: string, work: () => Promise<void>): Promise<void> {
  const set = (status: string) =>
    service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(sql`UPDATE ledger_fiscal_period SET status = ${status} WHERE name = ${month}`),
    );
  await set('closed');
  await work();
  await set('open');
}

async function historyOf(entryId: string): Promise<readonly Loose[]> {
  return service.store.transaction({ graphId: book.graph }, (tx) =>
    tx.query(
      sql<Loose>`SELECT version, reason, content FROM ledger_entry_history WHERE entry_id = ${entryId} ORDER BY version`,
    ),
  );
}

describe('update-journal-entry', () => {
  it('replaces the lines of a draft, keeps fields that are not sent, and updates the transaction (ledger L-4, L-55, L-56, L-216)', async () => {
    const id = await idOf('2026-03-10');
    const lineItems = [
      { element_id: book.id('6300'), debit_amount: 300, description: 'first', metadata: { flow: 'operating' } },
      { element_id: book.id('6400'), debit_amount: 400 },
      { element_id: book.id('1000'), credit_amount: 700 },
    ];
    const changed = await update(id, { line_items: lineItems, posting_date: '2026-04-02', type: 'adjusting' });
    expect(changed.body.result).toMatchObject({
      id,
      type: 'adjusting',
      status: 'draft',
      posting_date: '2026-04-02',
      memo: '2026-03-10',
      total_debit: 700,
      total_credit: 700,
      posted_at: null,
    });
    expect(
      changed.body.result.line_items.map((line: Loose) => [line.element_id, line.debit_amount, line.line_order]),
    ).toEqual([
      [book.id('6300'), 300, 1],
      [book.id('6400'), 400, 2],
      [book.id('1000'), 0, 3],
    ]);
    const { transactions } = await book.query('{ transactions(limit: 1000) { transactions { id amount date } } }');
    expect(transactions.transactions).toContainEqual({
      id: changed.body.result.transaction_id,
      amount: 7,
      date: '2026-04-02',
    });
    expect((await update(id, { memo: null })).body.result).toMatchObject({ memo: null, total_debit: 700 });
    expect(
      (await update(id, { memo: 'again', line_items: null, type: null, posting_date: null })).body.result,
    ).toMatchObject({
      memo: 'again',
      type: 'adjusting',
      posting_date: '2026-04-02',
    });
    const history = await historyOf(id);
    expect(history.map(({ version, reason }) => [version, reason])).toEqual([
      [1, 'updated'],
      [2, 'updated'],
      [3, 'updated'],
    ]);
    expect(history[0]?.content.line_items.map((line: Loose) => line.debit_amount)).toEqual([500, 0]);
  });

  it('leaves the transaction unchanged when it holds several entries (ledger L-56)', async () => {
    const { entries } = await drafts(['2026-03-11', '2026-03-12']);
    const before = (await book.query(everything))['transactions'];
    expect((await update(entries[0] ?? '', { posting_date: '2026-03-09' })).status).toBe(200);
    expect((await book.query(everything))['transactions']).toEqual(before);
  });

  it('rejects invalid changes of a draft and changes nothing (ledger L-45 to L-47, L-54, L-151, A)', async () => {
    const id = await idOf('2026-03-13');
    const posted = await idOf('2026-03-14', 'posted');
    await refused(() => update('je_none', { memo: 'x' }), 404, 'Journal entry not found: je_none');
    await refused(
      () => update(posted, { memo: 'x' }),
      422,
      /is 'posted'; only draft entries can be updated or deleted/,
    );
    await refused(
      () =>
        update(id, {
          line_items: linesOf([
            ['1000', 5, 0],
            ['4000', 0, 6],
          ]),
        }),
      422,
      /does not balance/,
    );
    await refused(() => update(id, { line_items: linesOf([['1000', 5, 0]]) }), 422, /at least 2/);
    await refused(
      () =>
        update(id, {
          line_items: linesOf([
            ['1000', -5, 0],
            ['4000', 0, -5],
          ]),
        }),
      422,
      /non-negative/,
    );
    await refused(
      () =>
        update(id, {
          line_items: linesOf([
            ['9999', 5, 0],
            ['4000', 0, 5],
          ]),
        }),
      422,
      /not found/,
    );
    await refused(() => update(id, { line_items: [{ element_id: 'x', debit_amount: 1.5 }] }), 422, /line_items/);
    await refused(() => update(id, { posting_date: '2026-02-30' }), 422, /posting_date/);
    await refused(() => update(id, { posting_date: '2300-01-01' }), 422, /between 1900 and 2099/);
    await refused(() => update(id, { type: 'opening' }), 422, /type/);
    await whileClosed('2026-03', async () => {
      await refused(() => update(id, { memo: 'x' }), 422, /closed period '2026-03'/);
      await refused(() => update(id, { posting_date: '2026-04-01' }), 422, /closed period '2026-03'/);
    });
    await whileClosed('2026-04', () =>
      refused(
        () => update(id, { posting_date: '2026-04-01' }),
        422,
        /closed period '2026-04' \(posting_date=2026-04-01\)/,
      ),
    );
    const stranger = await openBooks(user);
    expect((await stranger.operation('update-journal-entry', { entry_id: id, memo: 'x' })).status).toBe(404);
  });

  it('adds the month to the calendar when a draft moves to a month without a row (ledger L-17)', async () => {
    const id = await idOf('2026-03-15');
    expect((await update(id, { posting_date: '2026-07-01' })).status).toBe(200);
    const { fiscalCalendar } = await book.query('{ fiscalCalendar { periods { name status } } }');
    expect(fiscalCalendar.periods).toContainEqual({ name: '2026-07', status: 'open' });
  });

  it('serializes concurrent changes of one draft (ledger L-210)', async () => {
    const id = await idOf('2026-03-16');
    const answers = await Promise.all(
      [1, 2, 3, 4].map((cents) =>
        update(id, {
          line_items: linesOf([
            ['1000', cents, 0],
            ['4000', 0, cents],
          ]),
        }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(await historyOf(id)).toHaveLength(4);
    const { journalEntries } = await book.query(
      '{ journalEntries(limit: 1000) { entries { id balanced lineItems { id } } } }',
    );
    expect(journalEntries.entries.find((each: Loose) => each.id === id)).toMatchObject({
      balanced: true,
      lineItems: [{}, {}],
    });
  });
});

describe('delete-journal-entry', () => {
  it('deletes a draft with its lines and keeps its history (ledger L-58, L-216)', async () => {
    const { entries } = await drafts(['2026-03-17', '2026-03-18']);
    const [first = '', second = ''] = entries;
    const done = await remove(first);
    expect(done.body.result).toEqual({ deleted: true });
    const { journalEntries, transactions } = await book.query(everything);
    expect(journalEntries.entries.map((each: Loose) => each.id)).not.toContain(first);
    // One entry of the transaction is left, so the transaction shows its values.
    expect(transactions.transactions).toContainEqual(expect.objectContaining({ amount: 5, date: '2026-03-18' }));
    expect((await historyOf(first)).map(({ reason }) => reason)).toEqual(['deleted']);
    await refused(() => remove(first), 404, `Journal entry not found: ${first}`);
    await refused(() => remove(second), 422, /is the last draft of event evt_.*; retract the event instead/);
  });

  it('rejects deleting a draft that is unknown, posted or in a closed month, and changes nothing (ledger L-54, L-58, L-151, A)', async () => {
    const { entries } = await drafts(['2026-03-19', '2026-03-20']);
    const posted = await idOf('2026-03-21', 'posted');
    await refused(() => remove('je_none'), 404, 'Journal entry not found: je_none');
    await refused(() => remove(posted), 422, /is 'posted'; only draft entries/);
    await whileClosed('2026-03', () => refused(() => remove(entries[0] ?? ''), 422, /closed period '2026-03'/));
  });

  it('keeps one draft of an event, even when all are deleted at once (ledger L-58, L-210)', async () => {
    const { event, entries } = await drafts(['2026-03-22', '2026-03-23', '2026-03-24']);
    const answers = await Promise.all(entries.map(remove));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 422]);
    const { journalEntries } = await book.query('{ journalEntries(limit: 1000) { entries { triggeredByEventId } } }');
    expect(journalEntries.entries.filter((each: Loose) => each.triggeredByEventId === event)).toHaveLength(1);
  });
});

describe('entry history', () => {
  it('rejects changing or deleting rows of the entry history', async () => {
    const id = await idOf('2026-03-25');
    await update(id, { memo: 'x' });
    for (const statement of [
      sql`DELETE FROM ledger_entry_history`,
      sql`UPDATE ledger_entry_history SET reason = 'deleted'`,
    ]) {
      const change = service.store.transaction({ graphId: book.graph }, (tx) => tx.query(statement));
      await expect(change).rejects.toMatchObject({ constraint: 'ledger_entry_history_append_only' });
    }
  });

  it('copies the metadata of a line to its reversal (ledger L-60)', async () => {
    const lineItems = [
      { element_id: book.id('1000'), debit_amount: 5, metadata: { flow: 'operating' } },
      { element_id: book.id('4000'), credit_amount: 5 },
    ];
    await book.operation('create-event-block', {
      ...entry(book, '2026-03-26', []),
      metadata: { posting_date: '2026-03-26', memo: 'tagged', status: 'posted', line_items: lineItems },
    });
    const { journalEntries } = await book.query('{ journalEntries(limit: 1000) { entries { id memo } } }');
    const entryId = journalEntries.entries.find((each: Loose) => each.memo === 'tagged').id;
    const undone = await book.operation('create-event-block', {
      ...entry(book, '2026-04-01', [], { event_type: 'journal_entry_reversed' }),
      metadata: { entry_id: entryId },
    });
    expect(undone.status).toBe(200);
    const lines = await service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(sql<Loose>`
        SELECT l.credit_amount, l.metadata FROM ledger_line_item AS l JOIN ledger_entry AS e ON e.graph_id = l.graph_id AND e.id = l.entry_id
        WHERE e.reversal_of = ${entryId} ORDER BY l.line_order`),
    );
    expect(lines).toEqual([
      { credit_amount: 5, metadata: { flow: 'operating' } },
      { credit_amount: 0, metadata: null },
    ]);
  });
});
