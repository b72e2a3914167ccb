import { ServiceError, sql } from '@pacioli/core';
import { type Books, entry, type Leg, type Loose } from './books.ts';
import { handler } from './refusal-books.ts';
import type { RefusalFixture } from './refusal-fixture-types.ts';
import { type Refusal, rowsOf } from './refusal-rows.ts';
import { schedule } from './schedule-books.ts';
import { beforeFirstAdvisoryLock, failWithLockTimeout } from './statement-hook.ts';

const locked = { concurrently: () => failWithLockTimeout };
const busy = 'being written by another process';
const closed = 'Cannot write to closed period';
const shut = { book: 'shut' } as const;

const started = [
  ...rowsOf('initialize', [
    [409, 'started', 'is already initialized', () => ({})],
    [422, 'dates', 'later than the last completed month', () => ({ closed_through: '2026-04' }), { book: 'bare' }],
  ]),
  ...rowsOf('initialize-chart-of-accounts', [
    [409, 'chart', 'already has a chart of accounts', () => ({ template: 'services' })],
    [422, 'template', 'template', () => ({ template: 'bakery' }), { book: 'bare' }],
  ]),
  ...rowsOf('link-entity-taxonomy', [
    [404, 'taxonomy', 'Taxonomy not found: tax_x', () => ({ taxonomy_id: 'tax_x' })],
    [404, 'entity', 'no entity', ({ id }) => ({ taxonomy_id: id('orphan chart') }), { book: 'orphan' }],
  ]),
  ...rowsOf('update-entity', [
    [400, 'empty', 'No fields provided for update.', () => ({ name: null })],
    [404, 'entity', 'no entity', () => ({ name: 'Nobody' }), { book: 'orphan' }],
    [422, 'fields', 'lei', () => ({ lei: 'short' })],
  ]),
  ...rowsOf('create-agent', [
    [409, 'duplicate', 'already exists', () => ({ agent_type: 'customer', name: 'Again', external_id: 'a1' })],
    [409, 'lock', busy, () => ({ agent_type: 'customer', name: 'Late' }), locked],
  ]),
  ...rowsOf('update-agent', [
    [404, 'agent', 'Agent not found: agt_x', () => ({ agent_id: 'agt_x', name: 'New' })],
    [409, 'lock', busy, ({ id }) => ({ agent_id: id('agent'), name: 'New' }), locked],
  ]),
];

const renamed =
  (name: string, more: object) =>
  ({ id }: RefusalFixture) => ({ event_handler_id: name === 'hdl_x' ? name : id(name), ...more });
const unreadable = handler('x', 'x', {}, '{{ event.amount').transaction_template;

const rules = [
  ...rowsOf('create-event-handler', [
    [403, 'hub', 'Tenants cannot create handlers of the hub', () => handler('x', 'x', { origin: 'hub' })],
    [409, 'name', "named 'Payouts' already exists", () => handler('Payouts', 'x')],
    [409, 'lock', busy, () => handler('x', 'x'), locked],
    [
      422,
      'template',
      'cannot be read at character',
      () => ({ ...handler('x', 'x'), transaction_template: unreadable }),
    ],
  ]),
  ...rowsOf('update-event-handler', [
    [403, 'hub', 'Only is_active', renamed('hub rule', { name: 'Mine' })],
    [404, 'handler', 'Event handler not found: hdl_x', renamed('hdl_x', { name: 'x' })],
    [409, 'name', "named 'Fees' already exists", renamed('rule', { name: 'Fees' })],
    [409, 'lock', busy, renamed('rule', { name: 'Renamed' }), locked],
    [422, 'template', 'cannot be read at character', renamed('rule', { transaction_template: unreadable })],
  ]),
];

/** A change of the lines of a draft. */
const relined =
  (name: string, legs: readonly Leg[]) =>
  ({ id, books }: RefusalFixture) => ({
    entry_id: id(name),
    line_items: (entry(books.open, '2026-03-10', legs) as Loose).metadata.line_items,
  });
const entryRequest =
  (name: string, more: object = {}) =>
  ({ id }: RefusalFixture) => ({ entry_id: name === 'je_x' ? name : id(name), ...more });

const drafts = [
  ...rowsOf('update-journal-entry', [
    [404, 'entry', 'Journal entry not found: je_x', entryRequest('je_x', { memo: 'x' })],
    [409, 'lock', busy, entryRequest('draft entry', { memo: 'x' }), locked],
    [422, 'not draft', "'posted'; only draft entries", entryRequest('posted entry', { memo: 'x' })],
    [422, 'closed period', closed, entryRequest('draft entry', { posting_date: '2026-01-31' })],
    [422, 'closed period', closed, entryRequest('shut draft entry', { memo: 'x' }), shut],
    [
      422,
      'unbalanced',
      'does not balance',
      relined('draft entry', [
        ['1000', 5, 0],
        ['4000', 0, 4],
      ]),
    ],
    [
      422,
      'retired account',
      'is retired',
      relined('draft entry', [
        ['6600', 5, 0],
        ['1000', 0, 5],
      ]),
    ],
  ]),
  ...rowsOf('delete-journal-entry', [
    [404, 'entry', 'Journal entry not found: je_x', entryRequest('je_x')],
    [409, 'lock', busy, entryRequest('two drafts entry'), locked],
    [422, 'not draft', "'reversed'; only draft entries", entryRequest('reversed entry')],
    [422, 'closed period', closed, entryRequest('shut draft entry'), shut],
    [422, 'last draft', 'the last draft of event', entryRequest('draft entry')],
  ]),
];

const named =
  (name: string, more: object = {}) =>
  ({ id }: RefusalFixture) => ({ structure_id: name === 'struct_x' ? name : id(name), ...more });
const end = (newEndDate: string, reason = 'sold') => ({ new_end_date: newEndDate, reason });
const arm =
  (payload: (fixture: RefusalFixture) => object) =>
  (fixture: RefusalFixture): object => ({ block_type: 'schedule', payload: payload(fixture) });
const plan = (book: Books): Loose =>
  schedule(book, '6900', '1590', { period_start: '2026-04-01', period_end: '2026-12-31' });
const months = (more: object) => arm(({ books }) => ({ ...plan(books.open), ...more }));

const schedules = [
  ...rowsOf('promote-obligations', [[409, 'lock', busy, () => ({}), locked]]),
  ...rowsOf('rebuild-schedule', [
    [404, 'schedule', 'Schedule not found: struct_x', named('struct_x')],
    [409, 'lock', busy, named('Rent'), locked],
    [422, 'disposed', 'ended with the disposal of its asset', named('Van')],
  ]),
  ...rowsOf('terminate-schedule', [
    [404, 'schedule', 'Schedule not found: struct_x', named('struct_x', end('2026-04-30'))],
    [409, 'lock', busy, named('Rent', end('2026-04-30')), locked],
    [422, 'no month end', 'is not the last day of a month', named('Rent', end('2026-04-29'))],
    [422, 'before the first month', 'new_end_date', named('Rent', end('2026-03-31'))],
    [422, 'posted later', 'Cannot truncate: 1 posted entries', named('Posted', end('2026-02-28'))],
    [422, 'reason', 'say why', named('Rent', end('2026-04-30', ' '))],
  ]),
  ...rowsOf('create-information-block', [
    [404, 'taxonomy', 'Taxonomy not found: tax_x', months({ taxonomy_id: 'tax_x' })],
    [422, 'definition', 'period_end', months({ period_end: '2026-01-31' })],
    [
      422,
      'elements',
      'Element(s) not found: [elem_x]',
      arm(({ books }) => ({ ...plan(books.open), element_ids: [...plan(books.open).element_ids, 'elem_x'] })),
    ],
  ]),
  ...rowsOf('update-information-block', [
    [404, 'schedule', "Schedule 'struct_x' not found", arm(named('struct_x', { name: 'x' }))],
    [422, 'definition', 'must not be negative', arm(named('Rent', { schedule_metadata: { original_amount: -1 } }))],
  ]),
  ...rowsOf('delete-information-block', [
    [404, 'schedule', "Schedule 'struct_x' not found", arm(named('struct_x'))],
    [422, 'closed period', closed, arm(named('shut schedule')), shut],
  ]),
];

/** March, in books where nothing else blocks closing it. */
const march = () => ({ period: '2026-03' });
const publishing = {
  connections: [
    {
      connectionId: 'conn_q',
      writePolicy: 'qb_authoritative' as const,
      lastSyncAt: new Date('2026-04-01T00:00:00Z'),
      createdAt: new Date('2026-01-01T00:00:00Z'),
    },
  ],
};

const calendar = [
  ...rowsOf('set-close-target', [
    [404, 'calendar', 'Fiscal calendar not initialized', march, { book: 'bare' }],
    [409, 'lock', busy, march, locked],
    [422, 'target', 'later than the last completed month', () => ({ period: '2026-04' })],
  ]),
  ...rowsOf('close-period', [
    [404, 'calendar', 'Fiscal calendar not initialized', march, { book: 'bare' }],
    [404, 'period', "Fiscal period '2027-05' not found", () => ({ period: '2027-05' })],
    [409, 'lock', busy, march, { ...locked, book: 'month' }],
    [
      409,
      'already closed',
      'closed by another caller',
      march,
      {
        book: 'month',
        concurrently: () =>
          beforeFirstAdvisoryLock((tx) =>
            tx.query(sql`UPDATE ledger_fiscal_period SET status = 'closed' WHERE name = '2026-03'`),
          ),
      },
    ],
    [422, 'blockers', 'sequence_violation', march],
    [422, 'blockers', 'period_incomplete', () => ({ period: '2026-04' }), { book: 'month' }],
    [422, 'unbalanced', 'Balance sheet equation broken', march, { book: 'broken' }],
    [422, 'write-back', 'WRITE_BACK_FAILED', march, { book: 'month', otherPlugins: publishing }],
    [
      422,
      'statements',
      'STATEMENT_STAMP_FAILED',
      march,
      {
        book: 'month',
        otherPlugins: {
          stampError: new ServiceError(
            'invalid_input',
            'STATEMENT_STAMP_FAILED',
            'The balance sheet could not be written.',
          ),
        },
      },
    ],
  ]),
  ...rowsOf('reopen-period', [
    [404, 'calendar', 'Fiscal calendar not initialized', () => ({ ...march(), reason: 'late' }), { book: 'bare' }],
    [404, 'period', "Fiscal period '2027-05' not found", () => ({ period: '2027-05', reason: 'late' })],
    [409, 'lock', busy, () => ({ period: '2026-02', reason: 'late' }), { ...locked, book: 'month' }],
    [422, 'not closed', "is not closed (status='open')", () => ({ ...march(), reason: 'late' })],
    [422, 'order', 'reopen 2026-02', () => ({ period: '2026-01', reason: 'late' }), { book: 'month' }],
    [422, 'reason', 'say why', () => ({ period: '2026-02', reason: ' ' }), { book: 'month' }],
  ]),
];

export const bookRefusals: readonly Refusal[] = [...started, ...rules, ...drafts, ...schedules, ...calendar];
