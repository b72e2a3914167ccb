/** @module-tag sessions */
import { TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, entry, type Loose } from './books.ts';
import {
  everything,
  openScheduleBooks,
  refusal,
  type ScheduleService,
  schedule,
  startScheduleService,
} from './schedule-books.ts';

let service: TestService;
let user: TestClient;
let clock: ScheduleService['clock'];
beforeAll(async () => {
  ({ service, user, clock } = await startScheduleService('2026-04-01T12:00:00Z'));
});
afterAll(async () => {
  await service.close();
});

const legs = [
  ['1000', 100, 0],
  ['4000', 0, 100],
] as const;
const months = '{ fiscalCalendar { periods { name } } }';
const post = (book: Books, day: string): Promise<Loose> => book.operation('create-event-block', entry(book, day, legs));

describe('posting dates more than 600 months away', () => {
  it('rejects a posting date more than 600 months away in every operation, without adding months to the calendar (ledger L-17, L-147)', async () => {
    const book = await openScheduleBooks(user, 'services', { earliest_data_period: '2026-03' });
    const draft = entry(book, '2026-03-10', legs) as Loose; // `entry` returns an object with metadata.
    await book.operation('create-event-block', { ...draft, metadata: { ...draft.metadata, status: 'draft' } });
    const captured = { ...draft, occurred_at: '1926-03-10T00:00:00Z', apply_handlers: false };
    const late = { ...captured, metadata: { ...draft.metadata, posting_date: '1926-03-10' } };
    const eventId = (await book.operation('create-event-block', late)).body.result.id;
    const { journalEntries } = await book.query('{ journalEntries { entries { id } } }');
    const entryId = journalEntries.entries[0].id;
    const before = [await everything(book), await book.query(months)];
    const payload = schedule(book, '6300', '1300', { period_start: '1926-03-01', period_end: '1927-02-28' });
    const answers = [
      await post(book, '1926-03-10'),
      await post(book, '2099-12-31'),
      await book.operation('update-journal-entry', { entry_id: entryId, posting_date: '1926-03-10' }),
      await book.operation('update-event-block', { event_id: eventId, transition_to: 'committed' }),
      await book.operation('create-information-block', { block_type: 'schedule', payload }),
    ];
    for (const answer of answers) expect(refusal(answer)).toEqual([422, expect.stringContaining('than 600 months')]);
    const preview = await book.operation('preview-event-block', entry(book, '1926-03-10', legs));
    expect(preview.body.result).toMatchObject({ would_succeed: false });
    expect([await everything(book), await book.query(months)]).toEqual(before);
    // Months before the first row are added on demand within the limit.
    expect((await post(book, '2025-12-10')).status).toBe(200);
  });

  it('rejects initialize with a start or closed month more than 600 months ago (ledger L-13, L-14)', async () => {
    const graph = await user.createGraph('Books', ['roboledger']);
    const path = `/extensions/ledger/${graph}/operations/initialize`;
    for (const field of ['earliest_data_period', 'closed_through']) {
      const refused = await user.post(path, { [field]: '1976-03' });
      expect(refusal(refused)).toEqual([
        422,
        `${field}: 1976-03 is more than 600 months before the current month. Begin with 1976-04 or later, and record older history as an opening balance.`,
      ]);
    }
    const none = await user.graphql(graph, '{ fiscalCalendar { closedThrough } }');
    expect(none.body.data.fiscalCalendar).toBeNull();
    expect((await user.post(path, { earliest_data_period: '1976-04' })).body.result.periods_created).toBe(601);
  });

  it('accepts early posting dates in books that began that early, however old the books are (ledger L-14, L-17)', async () => {
    const { key } = (await user.post('/v1/user/api-keys', { name: 'months' })).body;
    const lasting = new TestClient(service.url, { 'x-api-key': key });
    const book = await openScheduleBooks(lasting, 'services', { earliest_data_period: '1976-04' });
    clock.set('2026-06-01T12:00:00Z');
    expect((await post(book, '1976-04-30')).status).toBe(200);
    expect((await post(book, '1976-03-31')).status).toBe(422);
  });
});
