import { deliverIn, newer } from './refusal-books.ts';
import type { RefusalFixture } from './refusal-fixture-types.ts';
import { type Refusal, rowsOf } from './refusal-rows.ts';
import { beforeFirstAdvisoryLock, failWithLockTimeout } from './statement-hook.ts';

const shut = { book: 'shut' } as const;
const item =
  (name: string, more: object = {}) =>
  ({ id }: RefusalFixture) => ({ event_id: name === 'evt_x' ? name : id(name), ...more });
const restate = { disposition: 'restate' };
const catchUp = { disposition: 'catch_up' };

/** Refusals of the reconciliation operations (ledger L-137 to L-144). */
export const itemRefusals: readonly Refusal[] = [
  ...rowsOf('preview-reconciling-item', [
    [404, 'event', 'Event not found: evt_x', item('evt_x')],
    [409, 'not flagged', 'is not a reconciling item', item('settled')],
  ]),
  ...rowsOf('resolve-reconciling-item', [
    [404, 'event', 'Event not found: evt_x', item('evt_x', restate)],
    [409, 'not flagged', 'is not a reconciling item', item('settled', restate)],
    [
      409,
      're-flagged',
      'was re-flagged with a newer payload',
      item('flagged', restate),
      { concurrently: ({ service }) => beforeFirstAdvisoryLock((tx) => deliverIn(service, tx, newer('flagged', 2))) },
    ],
    [
      409,
      'lock',
      'being written by another process',
      item('flagged', restate),
      { concurrently: () => failWithLockTimeout },
    ],
    [422, 'blockers', 'cannot be restated', item('blocked', restate)],
    [422, 'closed period', 'closed', item('shut flagged', restate), shut],
    [
      422,
      'closed period',
      'Cannot write to closed period',
      item('shut flagged', { ...catchUp, posting_date: '2026-03-31' }),
      shut,
    ],
    [422, 'unmapped', 'Map them first', item('unmapped', catchUp)],
    [422, 'note missing', 'note: say how', item('flagged', { disposition: 'acknowledge' })],
    [422, 'no open period', 'No month is open', item('shut flagged', catchUp), shut],
  ]),
];
