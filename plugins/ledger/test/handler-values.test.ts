import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, done, openBooks, startLedger } from './books.ts';
import { graphDigest } from './graph-digest.ts';
import { handler } from './refusal-books.ts';

let service: TestService;
let user: TestClient;
let book: Books;
let id: string;
beforeAll(async () => {
  ({ service, user } = await startLedger());
  book = await openBooks(user);
  id = (await done(book, 'create-event-handler', handler('Payouts', 'payout'))).id;
});
afterAll(() => service.close());

const shown = handler('x', 'x', {}, '{{ event.amount / 3 }}');
const create = (more: object) => ['create-event-handler', () => handler('New', 'anything', more)] as const;
const update = (more: object) => ['update-event-handler', () => ({ event_handler_id: id, ...more })] as const;

const cases: readonly (readonly [operation: string, request: () => object, says: string])[] = [
  [...create({ event_category: 'sale' }), "event_category: 'sale' is not one of [sales, purchase,"],
  [...create({ event_category: 'control' }), "event_category: 'control' is not one of"],
  [...create({ match_agent_type: 'client' }), "match_agent_type: 'client' is not one of [customer, vendor,"],
  [...create({ match_resource_type: 'gold' }), "match_resource_type: 'gold' is not one of [goods,"],
  [...create({ event_type: 'balance_observed' }), 'written only by its own operation'],
  [...create({ event_type: 'schedule_created' }), 'written only by its own operation'],
  [...create({ event_type: 'invoice_issued' }), 'has a built-in handler'],
  [...create({ event_type: 'asset_disposed' }), 'has a built-in handler'],
  [...create({ event_type: 'two words' }), '1 to 100 characters are required: letters'],
  [
    ...create({ transaction_template: shown.transaction_template }),
    'at character 17: write only a path between the braces',
  ],
  [...create(handler('New', 'anything', {}, 'about {{ event.amount }}')), 'cannot be read at character 1'],
  [...create(handler('New', 'anything', {}, '{{ event.total }}')), "'total' is not a field of event. Fields are id,"],
  [...update({ event_category: 'sale' }), "event_category: 'sale' is not one of"],
  [...update({ match_agent_type: 'client' }), "match_agent_type: 'client' is not one of"],
  [...update({ match_resource_type: 'gold' }), "match_resource_type: 'gold' is not one of"],
  [
    ...update({ transaction_template: shown.transaction_template }),
    'calculate after them, as in {{ event.amount }} / 2',
  ],
];

describe('handlers that could never match or be filled in', () => {
  it.each(cases)(
    'rejects an unusable handler in %s, and changes nothing (ledger L-103, L-107, L-110) %#',
    async (operation, request, says) => {
      const before = await graphDigest(service.store, book.graph);
      const answer = await book.operation(operation, request());
      expect([answer.status, answer.body.detail]).toEqual([422, expect.stringContaining(says)]);
      expect(await graphDigest(service.store, book.graph)).toEqual(before);
    },
  );

  it('accepts bank event types and every known value in a handler (ledger L-86, L-95)', async () => {
    const known = { event_category: 'treasury', match_agent_type: 'vendor', match_resource_type: 'money' };
    expect(await done(book, 'create-event-handler', handler('Fees', 'bank_fee', known))).toMatchObject(known);
  });
});
