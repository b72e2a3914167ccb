/** @module-tag sessions */
import blocks from '@pacioli/blocks';
import taxonomy, { mappingChanged } from '@pacioli/taxonomy';
import { listenTo, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import ledger, {
  entryPosted,
  entryReversed,
  eventRecorded,
  invoiceSettled,
  periodClosed,
  periodReopened,
} from '../src/index.ts';
import { type Books, done, entry, type Loose, openBooks, startLedger } from './books.ts';

const listener = listenTo(
  eventRecorded,
  entryPosted,
  entryReversed,
  invoiceSettled,
  periodClosed,
  periodReopened,
  mappingChanged,
);

let service: TestService;
let book: Books;
beforeAll(async () => {
  const plugins = [taxonomy, blocks, ledger, listener.plugin];
  const started = await startLedger('2026-04-01T12:00:00Z', { plugins });
  service = started.service;
  book = await openBooks(started.user);
});
afterAll(() => service.close());

const heardDuring = (work: () => Promise<unknown>): Promise<readonly Loose[]> => listener.during(service, work);

const sale = [
  ['1100', 5_000, 0],
  ['4000', 0, 5_000],
] as const;

function invoice(status: 'draft' | 'posted'): object {
  const { metadata, ...fields } = entry(book, '2026-03-31', sale, {
    event_type: 'invoice_issued',
    event_category: 'sales',
    amount: 5_000,
  }) as Loose;
  return { ...fields, metadata: { ...metadata, status } };
}

function payment(invoiceId: string, cents: number, status = 'posted'): object {
  const { metadata, ...fields } = entry(
    book,
    '2026-03-31',
    [
      ['1000', cents, 0],
      ['1100', 0, cents],
    ],
    { event_type: 'payment_received', event_category: 'sales', amount: cents, discharges_event_id: invoiceId },
  ) as Loose;
  return { ...fields, metadata: { ...metadata, status } };
}

describe('business events of the ledger', () => {
  it('announce an event and its posted entry, with amounts in minor units (ledger L-222)', async () => {
    let id = '';
    const heard = await heardDuring(async () => {
      id = (await done(book, 'create-event-block', entry(book, '2026-03-31', sale, { external_id: 'x-1' }))).id;
    });
    expect(heard).toEqual([
      {
        name: 'ledger.entry-posted',
        payload: {
          graph_id: book.graph,
          entry_id: expect.stringMatching(/^je_/),
          event_id: id,
          posting_date: '2026-03-31',
          currency: 'USD',
          amount: '5000',
        },
      },
      {
        name: 'ledger.event-recorded',
        payload: {
          graph_id: book.graph,
          event_id: id,
          event_type: 'journal_entry_recorded',
          event_category: 'adjustment',
          status: 'fulfilled',
          source: 'manual',
          external_id: 'x-1',
          amount: null,
          currency: 'USD',
        },
      },
    ]);
    const entryId = heard[0]?.payload.entry_id;
    const reversed = await heardDuring(() =>
      done(book, 'create-event-block', {
        ...entry(book, '2026-03-31', []),
        event_type: 'journal_entry_reversed',
        metadata: { entry_id: entryId, posting_date: '2026-03-31' },
      }),
    );
    expect(reversed.map(({ name }) => name)).toEqual([
      'ledger.entry-posted',
      'ledger.entry-reversed',
      'ledger.event-recorded',
    ]);
    expect(reversed[1]?.payload).toEqual({
      graph_id: book.graph,
      entry_id: entryId,
      reversal_id: reversed[0]?.payload.entry_id,
      posting_date: '2026-03-31',
    });
  });

  it('announce nothing that is refused or previewed (ledger L-222)', async () => {
    const heard = await heardDuring(async () => {
      await done(book, 'preview-event-block', entry(book, '2026-03-31', sale));
      const refused = await book.operation('create-event-block', entry(book, '2026-03-31', sale.slice(0, 1)));
      expect(refused.status).toBe(422);
    });
    expect(heard).toEqual([]);
  });

  it('announce an invoice as settled when its last payment is booked (ledger L-222)', async () => {
    const { id } = await done(book, 'create-event-block', invoice('posted'));
    const part = await heardDuring(() => done(book, 'create-event-block', payment(id, 2_000)));
    expect(part.map(({ name }) => name)).not.toContain('ledger.invoice-settled');
    let last = '';
    const rest = await heardDuring(async () => {
      last = (await done(book, 'create-event-block', payment(id, 3_000))).id;
    });
    expect(rest.filter(({ name }) => name === 'ledger.invoice-settled').map(({ payload }) => payload)).toEqual([
      { graph_id: book.graph, event_id: id, event_type: 'invoice_issued', settled_by: last },
    ]);
  });

  it('announce the drafts that a close posts, what they settle, the close and the reopening (ledger L-222)', async () => {
    const { id } = await done(book, 'create-event-block', invoice('posted'));
    const drafted = await heardDuring(() => done(book, 'create-event-block', payment(id, 5_000, 'draft')));
    expect(drafted.map(({ name }) => name)).toEqual(['ledger.event-recorded']);
    const closed = await heardDuring(() => done(book, 'close-period', { period: '2026-03' }));
    expect(closed.map(({ name }) => name)).toEqual([
      'ledger.entry-posted',
      'ledger.invoice-settled',
      'ledger.period-closed',
    ]);
    expect(closed[0]?.payload).toMatchObject({ posting_date: '2026-03-31', amount: '5000' });
    expect(closed[1]?.payload).toMatchObject({ event_id: id });
    expect(closed[2]?.payload).toMatchObject({ graph_id: book.graph, period: '2026-03', is_again: false });
    const reopened = await heardDuring(() => done(book, 'reopen-period', { period: '2026-03', reason: 'An invoice.' }));
    expect(reopened).toEqual([
      {
        name: 'ledger.period-reopened',
        payload: expect.objectContaining({ period: '2026-03', reason: 'An invoice.' }),
      },
    ]);
    const again = await heardDuring(() => done(book, 'close-period', { period: '2026-03' }));
    expect(again).toEqual([{ name: 'ledger.period-closed', payload: expect.objectContaining({ is_again: true }) }]);
  });

  it('announce each change of a mapping (taxonomy M-23)', async () => {
    const { mappings } = await book.query('{ mappings { structures { id } } }');
    const mappingId: string = mappings.structures[0].id;
    const { mapping } = await book.query(
      `{ mapping(mappingId: "${mappingId}") { associations { id fromElementId toElementId } } }`,
    );
    // The reopened month has closed again, so only an account without entries may change.
    const arc = mapping.associations.find(({ fromElementId }: Loose) => fromElementId === book.id('1500'));
    const removed = await heardDuring(() =>
      done(book, 'delete-mapping-association', { mapping_id: mappingId, association_id: arc.id }),
    );
    const payload = { graph_id: book.graph, changed_by: expect.stringMatching(/^user_/) };
    expect(removed).toEqual([{ name: 'taxonomy.mapping-changed', payload }]);
    const body = { mapping_id: mappingId, from_element_id: arc.fromElementId, to_element_id: arc.toElementId };
    expect(await heardDuring(() => done(book, 'create-mapping-association', body))).toEqual(removed);
    const refused = await heardDuring(() => book.operation('create-mapping-association', body));
    expect(refused).toEqual([]);
  });
});
