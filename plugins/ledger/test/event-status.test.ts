/** @module-tag sessions */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Loose, openBooks } from './books.ts';
import {
  body,
  book,
  bookContents,
  captured,
  closeMonth,
  record,
  refused,
  update,
  useEventBooks,
  user,
} from './event-books.ts';

useEventBooks();

const statuses = ['captured', 'classified', 'committed', 'pending', 'fulfilled', 'voided', 'superseded'] as const;
/** The transitions that a caller may request, by current status (ledger 5.3). */
const allowedTransitions: Readonly<Record<string, readonly string[]>> = {
  captured: ['classified', 'committed', 'voided', 'superseded'],
  classified: ['committed', 'pending', 'fulfilled', 'voided', 'superseded'],
  committed: ['pending', 'fulfilled', 'voided', 'superseded'],
  pending: ['fulfilled', 'voided', 'superseded'],
  fulfilled: ['voided', 'superseded'],
  voided: [],
  superseded: [],
};

describe('event status', () => {
  it('changes the status of an event only as the table of transitions allows (ledger L-71, L-208)', async () => {
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
          const successorField = target === 'superseded' ? { superseded_by_id: successor } : {};
          const answer = await update(id, { transition_to: target, ...successorField });
          const isAllowed = (allowedTransitions[status] ?? []).includes(target);
          expect([status, target, answer.status]).toEqual([status, target, isAllowed ? 200 : 422]);
          if (isAllowed) status = target;
          else expect(answer.body.detail).toContain(`Cannot transition event from '${status}' to '${target}'`);
          const { eventBlock } = await book.query(`{ eventBlock(id: "${id}") { status } }`);
          expect(eventBlock.status).toBe(status);
        }
      }),
      { numRuns: 6 },
    );
  });

  it('rejects any change of an event in a final status (ledger L-71, L-75)', async () => {
    const id = await captured();
    expect((await update(id, { transition_to: 'voided' })).body.result.status).toBe('voided');
    await refused(() => update(id, { transition_to: 'committed' }), 422, /none \(terminal state\)/);
    await refused(
      () => update(id, { description: 'x' }),
      422,
      'Event is voided; its fields can no longer be corrected.',
    );
  });

  it('returns 404 when updating an unknown event or an event of another graph', async () => {
    const other = await openBooks(user);
    const id = await captured();
    await refused(() => update('evt_none', { transition_to: 'voided' }), 404, 'Event not found: evt_none');
    const stranger = await other.operation('update-event-block', { event_id: id, transition_to: 'voided' });
    expect(stranger.status).toBe(404);
  });
});

describe('committing an event', () => {
  it('writes the entries of a captured event on commit, with its current metadata (ledger L-78)', async () => {
    const id = await captured({ event_type: 'invoice_issued', event_category: 'sales', amount: 500 });
    const before = await book.query(bookContents);
    const done = await update(id, { transition_to: 'committed', metadata_patch: { memo: 'by hand' } });
    expect(done.body.result).toMatchObject({ status: 'committed', metadata: { memo: 'by hand' } });
    const after = await book.query(bookContents);
    const [newEntry] = (
      await book.query('{ journalEntries(limit: 1000) { entries { memo status triggeredByEventId totalDebit } } }')
    )['journalEntries'].entries.filter((each: Loose) => each.triggeredByEventId === id);
    expect(newEntry).toEqual({ memo: 'by hand', status: 'draft', triggeredByEventId: id, totalDebit: 5 });
    // A draft opens no receivable until it is posted (ledger L-100b).
    expect(after['openReceivables']).toEqual(before['openReceivables']);
  });

  it('leaves existing entries unchanged on commit, and never posts drafts (ledger L-71a, L-78)', async () => {
    const id = await record(body('draft'));
    const before = await book.query(bookContents);
    expect((await update(id, { transition_to: 'committed' })).body.result.status).toBe('committed');
    expect((await update(id, { transition_to: 'fulfilled' })).body.result.status).toBe('fulfilled');
    const after = await book.query(bookContents);
    expect(after['journalEntries']).toEqual(before['journalEntries']);
    expect(after['transactions']).toEqual(before['transactions']);
  });

  it('commits an event that no handler matches and notes this in its metadata (ledger L-78)', async () => {
    const id = await captured({ event_type: 'site_visited' });
    const done = await update(id, { transition_to: 'committed' });
    expect(done.body.result.metadata).toMatchObject({ dispatch_note: 'no_handler' });
  });

  it('rejects a commit that the handler rejects and leaves the event unchanged (ledger L-78, A)', async () => {
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

  it('commits an event only once when six callers commit it concurrently (ledger L-210)', async () => {
    const id = await captured();
    const answers = await Promise.all(Array.from({ length: 6 }, () => update(id, { transition_to: 'committed' })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
    const { journalEntries } = await book.query('{ journalEntries(limit: 1000) { entries { triggeredByEventId } } }');
    expect(journalEntries.entries.filter((each: Loose) => each.triggeredByEventId === id)).toHaveLength(1);
  });
});
