import { sql } from '@pacioli/core';
import type { Answer, TestClient, TestService } from '@pacioli/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, entry, type Leg, type Loose, openBooks, startLedger } from './books.ts';

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

/** An event as a body; its metadata is a sale unless more says otherwise. */
function body(status: 'draft' | 'posted', more: object = {}, books: Books = book): Loose {
  const { metadata = {}, ...fields } = more as Loose;
  const whole = entry(books, '2026-03-31', sale, fields) as Loose;
  return { ...whole, metadata: { ...whole.metadata, status, ...metadata } };
}
async function record(given: object, books: Books = book): Promise<string> {
  const made = await books.operation('create-event-block', given);
  expect([made.status, made.body.detail]).toEqual([200, undefined]);
  return made.body.result.id;
}
const captured = (more: object = {}) => record({ ...body('draft', more), apply_handlers: false });
const update = (event_id: string, more: object): Promise<Answer> =>
  book.operation('update-event-block', { event_id, ...more });

const everything = `{ eventBlocks(limit: 1000) { id status description effectiveAt metadata replacedByEventId replacesEventId obligatedByEventId dischargesEventId }
  journalEntries(limit: 1000) { entries { id status postingDate lineItems { debitAmount } } }
  transactions(limit: 1000) { transactions { id status } } openReceivables { totalOpenCents } fiscalCalendar { periods { name status } } }`;

async function refused(work: () => Promise<Answer>, status: number, message: RegExp | string): Promise<void> {
  const before = await book.query(everything);
  const answer = await work();
  expect([answer.status, answer.body.detail]).toEqual([status, expect.stringMatching(message)]);
  expect(await book.query(everything)).toEqual(before);
}

async function closeMonth(month: string, work: () => Promise<void>): Promise<void> {
  const set = (status: string) =>
    service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(sql`UPDATE ledger_fiscal_period SET status = ${status} WHERE name = ${month}`),
    );
  await set('closed');
  await work();
  await set('open');
}

const statuses = ['captured', 'classified', 'committed', 'pending', 'fulfilled', 'voided', 'superseded'] as const;
const allowed: Readonly<Record<string, readonly string[]>> = {
  captured: ['classified', 'committed', 'voided', 'superseded'],
  classified: ['committed', 'pending', 'fulfilled', 'voided', 'superseded'],
  committed: ['pending', 'fulfilled', 'voided', 'superseded'],
  pending: ['fulfilled', 'voided', 'superseded'],
  fulfilled: ['voided', 'superseded'],
  voided: [],
  superseded: [],
};

describe('the life of an event', () => {
  it('follows the table of transitions and nothing else (ledger L-71, L-208)', async () => {
    const steps = fc.array(fc.constantFrom(...statuses.filter((status) => status !== 'captured')), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (targets) => {
        const id = await captured({ event_type: 'site_visited' });
        const successor = await captured({ event_type: 'site_visited' });
        let status = 'captured';
        for (const target of targets) {
          const more = target === 'superseded' ? { superseded_by_id: successor } : {};
          const answer = await update(id, { transition_to: target, ...more });
          const isLegal = (allowed[status] ?? []).includes(target);
          expect([status, target, answer.status]).toEqual([status, target, isLegal ? 200 : 422]);
          if (isLegal) status = target;
          else expect(answer.body.detail).toContain(`Cannot transition event from '${status}' to '${target}'`);
          const { eventBlock } = await book.query(`{ eventBlock(id: "${id}") { status } }`);
          expect(eventBlock.status).toBe(status);
        }
      }),
      { numRuns: 6 },
    );
  });

  it('says that nothing follows a final status (ledger L-71, L-75)', async () => {
    const id = await captured();
    expect((await update(id, { transition_to: 'voided' })).body.result.status).toBe('voided');
    await refused(() => update(id, { transition_to: 'committed' }), 422, /none \(terminal state\)/);
    await refused(
      () => update(id, { description: 'x' }),
      422,
      'Event is voided; its fields can no longer be corrected.',
    );
  });

  it('is not known for other graphs', async () => {
    const other = await openBooks(user);
    const id = await captured();
    await refused(() => update('evt_none', { transition_to: 'voided' }), 404, 'Event not found: evt_none');
    const stranger = await other.operation('update-event-block', { event_id: id, transition_to: 'voided' });
    expect(stranger.status).toBe(404);
  });
});

describe('a commit', () => {
  it('writes the entries of what was only recorded, with the metadata as it is by then (ledger L-78)', async () => {
    const id = await captured({ event_type: 'invoice_issued', event_category: 'sales', amount: 500 });
    const before = await book.query(everything);
    const done = await update(id, { transition_to: 'committed', metadata_patch: { memo: 'by hand' } });
    expect(done.body.result).toMatchObject({ status: 'committed', metadata: { memo: 'by hand' } });
    const after = await book.query(everything);
    const [entryWritten] = (
      await book.query('{ journalEntries(limit: 1000) { entries { memo status triggeredByEventId totalDebit } } }')
    )['journalEntries'].entries.filter((each: Loose) => each.triggeredByEventId === id);
    expect(entryWritten).toEqual({ memo: 'by hand', status: 'draft', triggeredByEventId: id, totalDebit: 5 });
    expect(after['openReceivables'].totalOpenCents - before['openReceivables'].totalOpenCents).toBe(500);
  });

  it('leaves entries that are there alone, and never posts drafts (ledger L-71a, L-78)', async () => {
    const id = await record(body('draft'));
    const before = await book.query(everything);
    expect((await update(id, { transition_to: 'committed' })).body.result.status).toBe('committed');
    expect((await update(id, { transition_to: 'fulfilled' })).body.result.status).toBe('fulfilled');
    const after = await book.query(everything);
    expect(after['journalEntries']).toEqual(before['journalEntries']);
    expect(after['transactions']).toEqual(before['transactions']);
  });

  it('without a handler says so in the metadata (ledger L-78)', async () => {
    const id = await captured({ event_type: 'site_visited' });
    const done = await update(id, { transition_to: 'committed' });
    expect(done.body.result.metadata).toMatchObject({ dispatch_note: 'no_handler' });
  });

  it('that the handler refuses changes nothing (ledger L-78, A)', async () => {
    const unbalanced = [
      { element_id: book.id('1000'), debit_amount: 5 },
      { element_id: book.id('4000'), credit_amount: 6 },
    ];
    const id = await captured({ metadata: { line_items: unbalanced } });
    await refused(() => update(id, { transition_to: 'committed', description: 'x' }), 422, /does not balance/);
    const unknown = [
      { element_id: 'elem_x', debit_amount: 5 },
      { element_id: book.id('4000'), credit_amount: 5 },
    ];
    await refused(
      () => update(id, { transition_to: 'committed', metadata_patch: { line_items: unknown } }),
      422,
      /Element\(s\) not found: \[elem_x\]/,
    );
    const missing = await captured({ event_type: 'journal_entry_reversed', metadata: { entry_id: 'je_none' } });
    await refused(() => update(missing, { transition_to: 'committed' }), 404, 'Journal entry not found: je_none');
    await closeMonth('2026-03', () =>
      refused(
        () =>
          update(id, { transition_to: 'committed', metadata_patch: { line_items: body('draft').metadata.line_items } }),
        422,
        /closed period '2026-03'/,
      ),
    );
  });

  it('happens once, however many ask for it (ledger L-210)', async () => {
    const id = await captured();
    const answers = await Promise.all(Array.from({ length: 6 }, () => update(id, { transition_to: 'committed' })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
    const { journalEntries } = await book.query('{ journalEntries(limit: 1000) { entries { triggeredByEventId } } }');
    expect(journalEntries.entries.filter((each: Loose) => each.triggeredByEventId === id)).toHaveLength(1);
  });
});

describe('a retraction', () => {
  it('takes the drafts along, keeps what they were, and voids their transaction (ledger L-73, L-205)', async () => {
    const id = await record(body('draft'));
    const done = await update(id, { transition_to: 'voided' });
    expect(done.body.result.status).toBe('voided');
    const { journalEntries, transactions } = await book.query(
      '{ journalEntries(limit: 1000) { entries { triggeredByEventId } } transactions(limit: 1000) { transactions { id status } } }',
    );
    expect(journalEntries.entries.filter((each: Loose) => each.triggeredByEventId === id)).toEqual([]);
    expect(transactions.transactions.map((each: Loose) => each.status)).toContain('void');
    const gone = transactions.transactions.find((each: Loose) => each.status === 'void').id;
    await refused(
      () => book.operation('create-event-block', body('draft', { metadata: { transaction_id: gone } })),
      422,
      /transaction 'txn_.*' was not found/,
    );
    const history = await service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(
        sql<{
          reason: string;
          content: Loose;
        }>`SELECT reason, content FROM ledger_entry_history WHERE event_id = ${id}`,
      ),
    );
    expect(history).toHaveLength(1);
    expect(history[0]?.reason).toBe('retracted');
    expect(history[0]?.content.line_items.map((line: Loose) => line.debit_amount - line.credit_amount)).toEqual([
      500, -500,
    ]);
  });

  it('is refused once something is in the books, also when it was reversed (ledger L-72, 13.1)', async () => {
    const id = await record(body('posted'));
    await refused(
      () => update(id, { transition_to: 'voided' }),
      422,
      /cannot be retracted from 'fulfilled': 1 of its journal entries have posted/,
    );
    const { journalEntries } = await book.query(
      '{ journalEntries(limit: 1000) { entries { id triggeredByEventId } } }',
    );
    const posted = journalEntries.entries.find((each: Loose) => each.triggeredByEventId === id);
    const reversal = await record(
      body('posted', {
        event_type: 'journal_entry_reversed',
        metadata: { entry_id: posted.id, posting_date: '2026-04-01' },
      }),
    );
    const successor = await captured();
    await refused(
      () => update(id, { transition_to: 'superseded', superseded_by_id: successor }),
      422,
      /cannot be retracted/,
    );
    await refused(() => update(reversal, { transition_to: 'voided' }), 422, /cannot be retracted/);
  });

  it('needs the months of the drafts open (ledger L-73)', async () => {
    const id = await record(body('draft'));
    await closeMonth('2026-03', () =>
      refused(
        () => update(id, { transition_to: 'voided' }),
        422,
        /closed period '2026-03' \(posting_date=2026-03-31\)/,
      ),
    );
  });

  it('by another event links both, once, and to one that lives (ledger L-74, L-195)', async () => {
    const old = await record(body('draft'));
    const fresh = await record(body('draft'));
    await refused(
      () => update(old, { transition_to: 'superseded' }),
      422,
      "transition_to='superseded' requires superseded_by_id.",
    );
    await refused(
      () => update(old, { transition_to: 'superseded', superseded_by_id: old }),
      422,
      /cannot be linked to itself/,
    );
    await refused(
      () => update(old, { transition_to: 'superseded', superseded_by_id: 'evt_none' }),
      404,
      'Event not found: evt_none',
    );
    await refused(() => update(old, { superseded_by_id: fresh }), 422, /only for transition_to='superseded'/);
    const dead = await captured();
    await update(dead, { transition_to: 'voided' });
    await refused(
      () => update(old, { transition_to: 'superseded', superseded_by_id: dead }),
      422,
      /is voided and cannot replace/,
    );
    const done = await update(old, { transition_to: 'superseded', superseded_by_id: fresh });
    expect(done.body.result).toMatchObject({ status: 'superseded', replaced_by_event_id: fresh });
    const { eventBlock } = await book.query(`{ eventBlock(id: "${fresh}") { status replacesEventId } }`);
    expect(eventBlock).toEqual({ status: 'classified', replacesEventId: old });
    const another = await captured();
    await refused(
      () => update(another, { transition_to: 'superseded', superseded_by_id: fresh }),
      422,
      /replaces .* already/,
    );
  });
});

describe('a correction', () => {
  it('changes what is sent and nothing else (ledger L-75)', async () => {
    const id = await captured({ description: 'first', metadata: { keep: 1, deep: { a: 1 } } });
    const changed = await update(id, {
      description: 'second',
      effective_at: '2026-03-15T00:00:00',
      event_action: 'transfer',
      metadata_patch: { deep: { b: 2 } },
    });
    expect(changed.body.result).toMatchObject({
      status: 'captured',
      description: 'second',
      effective_at: '2026-03-15T00:00:00.000Z',
      event_action: 'transfer',
      metadata: { keep: 1, deep: { b: 2 } },
    });
    expect((await update(id, { description: '' })).body.result).toMatchObject({
      description: null,
      event_action: 'transfer',
    });
    expect((await update(id, {})).body.result).toMatchObject({ description: null, event_action: 'transfer' });
  });

  it('cannot touch what the system keeps, nor name a verb that is none (ledger L-68, L-76)', async () => {
    const id = await captured();
    await refused(
      () => update(id, { metadata_patch: { qb_sync_token: '1', dispatch_error: 'x', mine: 1 } }),
      422,
      'metadata_patch cannot set system-maintained keys: qb_sync_token, dispatch_error',
    );
    await refused(
      () => update(id, { metadata_patch: { connection_id: 'conn_x' } }),
      422,
      /no connection of this graph/,
    );
    await refused(() => update(id, { event_action: 'jump' }), 422, /event_action/);
    await refused(() => update(id, { transition_to: 'captured' }), 422, /transition_to/);
    await refused(() => update(id, { effective_at: '2016-12-31T23:59:60Z' }), 422, /effective_at/);
  });

  it('links events of the graph, never in a circle, and moves what is settled (ledger L-69, L-100, L-195)', async () => {
    const booked = { event_category: 'sales', amount: 500 };
    const first = await record(body('posted', { event_type: 'invoice_issued', ...booked }));
    const second = await record(body('posted', { event_type: 'invoice_issued', ...booked }));
    const open = async () =>
      (await book.query('{ openReceivables { totalOpenCents } }'))['openReceivables'].totalOpenCents;
    const before = await open();
    const paid = await record(
      body('posted', { event_type: 'payment_received', ...booked, discharges_event_id: first }),
    );
    expect(await open()).toBe(before - 500);
    expect((await update(paid, { discharges_event_id: second })).body.result.discharges_event_id).toBe(second);
    expect(await open()).toBe(before - 500);
    await refused(() => update(second, { discharges_event_id: paid }), 422, /cannot go in a circle/);
    await refused(() => update(paid, { discharges_event_id: paid }), 422, /cannot be linked to itself/);
    await refused(
      () => update(paid, { obligated_by_event_id: 'evt_none' }),
      422,
      /obligated_by_event_id: 'evt_none' was not found/,
    );
  });

  it('never closes a circle when two callers link at once (ledger L-69)', async () => {
    const [a, b] = [await captured(), await captured()];
    const answers = await Promise.all([
      update(a, { obligated_by_event_id: b }),
      update(b, { obligated_by_event_id: a }),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422]);
  });

  it('of the date needs open months, the new one and those of its rows (ledger L-77)', async () => {
    const withRows = await record(body('draft'));
    const without = await captured({ occurred_at: '2026-03-05T00:00:00Z' });
    await closeMonth('2026-03', async () => {
      await refused(() => update(withRows, { effective_at: '2026-04-01T00:00:00Z' }), 422, /closed period '2026-03'/);
      await refused(() => update(without, { effective_at: '2026-03-09T00:00:00Z' }), 422, /closed period '2026-03'/);
      const moved = await update(without, { effective_at: '2026-04-01T00:00:00Z' });
      expect(moved.status).toBe(200);
    });
  });
});
