import { entry, type Leg, type Loose } from './books.ts';
import { captured } from './captured-event.ts';
import type { RefusalFixture } from './refusal-fixture-types.ts';
import { type Refusal, rowsOf } from './refusal-rows.ts';
import { failWithLockTimeout } from './statement-hook.ts';

const locked = { concurrently: () => failWithLockTimeout };
const busy = 'being written by another process';
const closed = 'Cannot write to closed period';
const sale: readonly Leg[] = [
  ['1000', 100, 0],
  ['4000', 0, 100],
];
const march = '2026-03-10';

/** A posted sale with further fields. */
const posting =
  (more: object = {}, legs = sale, date = march) =>
  ({ books }: RefusalFixture): object =>
    entry(books.open, date, legs, more);
const withMetadata =
  (metadata: object) =>
  (fixture: RefusalFixture): object => {
    const good: Loose = posting()(fixture);
    return { ...good, metadata: { ...good.metadata, ...metadata } };
  };
const reversing = (name: string) => (fixture: RefusalFixture) =>
  withMetadata({ line_items: undefined, entry_id: name === 'je_x' ? name : fixture.id(name) })(fixture);
const undo =
  (name: string) =>
  (fixture: RefusalFixture): object => ({ ...reversing(name)(fixture), event_type: 'journal_entry_reversed' });

const created = rowsOf('create-event-block', [
  [404, 'handler', "No active handler found for event_type='moon_landing'", posting({ event_type: 'moon_landing' })],
  [
    404,
    'schedule',
    'Schedule not found: struct_x',
    () => ({
      ...captured('schedule_entry_due', { schedule_id: 'struct_x', period_end: '2026-03-31' }),
      event_category: 'recognition',
      apply_handlers: true,
    }),
  ],
  [404, 'entry', 'Journal entry not found: je_x', undo('je_x')],
  [409, 'duplicate', 'already ingested', posting({ external_id: 'posted' })],
  [409, 'ambiguous handler', 'Ambiguous handlers', posting({ event_type: 'tied', amount: 5 })],
  [409, 'lock', busy, posting(), locked],
  [422, 'source', "Unknown event source 'nowhere'", posting({ source: 'nowhere' })],
  [422, 'metadata', 'metadata.entries: at least one entry', withMetadata({ line_items: undefined, entries: [] })],
  [422, 'template', "Field 'net' not found", posting({ event_type: 'unfillable', amount: 5 })],
  [422, 'unbalanced', 'does not balance', posting({}, [sale[0] ?? ['', 0, 0], ['4000', 0, 99]])],
  [422, 'closed period', closed, posting({}, sale, '2026-01-10')],
  [422, 'not posted', "'draft'; only posted entries can be reversed", undo('draft entry')],
  [422, 'already reversed', 'reversed at most once', undo('reversed entry')],
  [422, 'reserved type', 'written only by its own operation', posting({ event_type: 'balance_observed' })],
]);

/** A change of a row of the fixture. */
const change =
  (name: string, more: object) =>
  ({ id }: RefusalFixture) => ({ event_id: name === 'evt_x' ? name : id(name), ...more });
const commit = { transition_to: 'committed' };

const updated = rowsOf('update-event-block', [
  [404, 'event', 'Event not found: evt_x', change('evt_x', commit)],
  [
    404,
    'successor',
    'Event not found: evt_y',
    change('captured', { transition_to: 'superseded', superseded_by_id: 'evt_y' }),
  ],
  [404, 'schedule', 'Schedule not found: struct_x', change('due of nothing', commit)],
  [404, 'entry', 'Journal entry not found: je_x', change('reversal of nothing', commit)],
  [409, 'lock', busy, change('captured', { description: 'locked' }), locked],
  [422, 'transition', "Cannot transition event from 'fulfilled' to 'committed'", change('posted', commit)],
  [422, 'effects posted', 'cannot be retracted', change('posted', { transition_to: 'voided' })],
  [422, 'terminal corrections', 'can no longer be corrected', change('voided', { description: 'late' })],
  [
    422,
    'protected keys',
    'system-maintained keys: qb_sync_token',
    change('captured', { metadata_patch: { qb_sync_token: 1 } }),
  ],
  [422, 'classification', 'classified_element_id', change('bank line', { transition_to: 'classified' })],
  [422, 'closed period', closed, change('shut draft', { transition_to: 'voided' }), { book: 'shut' }],
  [422, 'closed period', closed, change('shut captured', commit), { book: 'shut' }],
  [422, 'unresolved accounts', 'could not be resolved', change('unresolved', commit)],
  [422, 'unbalanced', 'does not balance', change('uneven', commit)],
]);

const others = [
  ...rowsOf('preview-event-block', [
    [200, 'domain problem', 'does not balance', posting({}, [sale[0] ?? ['', 0, 0], ['4000', 0, 99]])],
    [422, 'schema', 'event_type: Field required', () => ({})],
  ]),
  ...rowsOf('execute-event-block', [
    [404, 'event', 'Event not found: evt_x', change('evt_x', {})],
    [409, 'lock', busy, change('draft', {}), locked],
    [409, 'retracted', 'it cannot be published', change('voided', {})],
    [422, 'closed period', closed, change('shut draft', {}), { book: 'shut' }],
    [
      422,
      'foreign connection',
      "'conn_x' is not a connection of this graph",
      change('draft', { connection_id: 'conn_x' }),
    ],
  ]),
];

export const eventRefusals: readonly Refusal[] = [...created, ...updated, ...others];
