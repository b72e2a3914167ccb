import { sql } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, type Loose, openBooks, startLedger } from './books.ts';

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

const everything = `{ eventBlocks(limit: 1000) { id status metadata } journalEntries(limit: 1000) { entries { id status } }
  transactions(limit: 1000) { transactions { id status } } }`;

const leg = (element_id: string, amount = '{{ event.amount }}') => ({ element_id, amount });
const item = (debit: object, credit: object, more: object = {}) => ({ entry_template: { debit, credit }, ...more });
const template = (...transactions: readonly object[]) => ({ transactions });
const cashSale = () => template(item(leg('code:1000'), leg(book.id('4000'))));

let number = 0;
/** A handler for a type of its own, unless one is given. */
const handler = (event_type: string, more: object = {}): Loose => {
  number += 1;
  return { name: `Rule ${number}`, event_type, transaction_template: cashSale(), ...more };
};
const event = (event_type: string, more: object = {}): Loose => ({
  event_type,
  event_category: 'sales',
  occurred_at: '2026-03-20T10:00:00Z',
  source: 'manual',
  amount: 12_500,
  apply_handlers: true,
  ...more,
});
const add = async (body: object) => {
  const answer = await book.operation('create-event-handler', body);
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  return answer.body.result;
};
const record = (body: object) => book.operation('create-event-block', body);
const inStore = <T>(statement: ReturnType<typeof sql<T>>) =>
  service.store.transaction({ graphId: book.graph }, (tx) => tx.query(statement));

describe('a handler', () => {
  it('turns an event into drafts, each in a transaction of its own (ledger 5.9, L-106, L-112)', async () => {
    const rule = await add(
      handler('payout_settled', {
        transaction_template: template(
          item(leg('code:1050'), leg('code:4000')),
          item(leg('code:1000', '{{ event.metadata.net }}'), leg('code:1050', '{{ event.metadata.net }}')),
          item(
            leg('{{ event.metadata.fee_account }}', '{{ event.metadata.fee }}'),
            leg('code:1050', '{{ event.metadata.fee }}'),
          ),
          item(leg('code:1000', '0'), leg('code:1050', '0')),
        ),
      }),
    );
    const metadata = { net: 9_550, fee: '2950', fee_account: book.id('6800') };
    const made = await record(
      event('payout_settled', { metadata, external_id: 'po-88', effective_at: '2026-03-28T00:00:00Z' }),
    );
    expect([made.status, made.body.result.status]).toEqual([200, 'classified']);
    const { transactions } = (
      await book.query(
        '{ transactions(type: "payout_settled") { transactions { id amount status date description source } } }',
      )
    )['transactions'];
    expect(transactions.map(({ amount }: Loose) => amount).sort()).toEqual([125, 29.5, 95.5]);
    expect(transactions[0]).toMatchObject({
      status: 'pending',
      date: '2026-03-28',
      description: rule.name,
      source: 'manual',
    });
    const { journalEntries } = await book.query(
      '{ journalEntries(provenance: "event_handler") { entries { transactionId status memo } } }',
    );
    expect(journalEntries.entries).toContainEqual({
      transactionId: transactions[0].id,
      status: 'draft',
      memo: rule.name,
    });
    const kept = await inStore(
      sql<{ metadata: unknown }>`SELECT DISTINCT metadata FROM ledger_transaction WHERE type = 'payout_settled'`,
    );
    expect(kept).toEqual([{ metadata: { handler_id: rule.id, handler_version: 1 } }]);
    const again = await record(event('payout_settled', { metadata, external_id: 'po-88' }));
    expect([again.status, again.body.detail]).toEqual([409, 'Event already ingested for this source and external_id']);
  });

  it('names accounts by code, by role, by id or by what the event says (ledger L-103, L-105)', async () => {
    await add(
      handler('named', {
        transaction_template: template(item(leg('role:ar'), leg('{{ event.resource_element_id }}')), {
          ...item(leg('role:cash'), leg('code:{{ event.metadata.code }}')),
          when: "{{ event.metadata.kind }} == 'fee'",
        }),
      }),
    );
    const made = await record(
      event('named', { resource_element_id: book.id('4010'), metadata: { code: '4050', kind: 'fee' } }),
    );
    expect(made.status).toBe(200);
    const lines = await inStore(sql<{ element_id: string }>`
      SELECT l.element_id FROM ledger_line_item l JOIN ledger_entry e USING (graph_id) WHERE e.id = l.entry_id AND e.event_id = ${made.body.result.id}`);
    expect(lines.map(({ element_id }) => element_id).sort()).toEqual(
      ['1000', '1100', '4010', '4050'].map(book.id).sort(),
    );
  });

  it('is chosen by priority, then by how much it asks; a tie is refused (ledger L-108, L-109)', async () => {
    const agent = (await book.operation('create-agent', { agent_type: 'customer', name: 'Otto' })).body.result.id;
    await add(handler('chosen', { name: 'everything' }));
    await add(handler('chosen', { name: 'customers', match_agent_type: 'customer' }));
    await add(handler('chosen', { name: 'off', priority: 9, is_active: false }));
    await add(
      handler('chosen', { name: 'gifts', priority: 3, match_metadata_expression: { 'metadata.kind': 'gift' } }),
    );
    const chosen = async (more: object = {}) =>
      (await book.operation('preview-event-block', event('chosen', more))).body.result.matched_handler?.name;
    expect(await chosen()).toBe('everything');
    expect(await chosen({ agent_id: agent })).toBe('customers');
    expect(await chosen({ agent_id: agent, metadata: { kind: 'gift' } })).toBe('gifts');
    await add(handler('chosen', { name: 'sales', event_category: 'sales' }));
    const before = await book.query(everything);
    const tied = await record(event('chosen', { agent_id: agent }));
    expect([tied.status, tied.body.detail]).toEqual([
      409,
      "Ambiguous handlers for event_type='chosen': multiple rows share priority 0: [customers, sales]. Assign unique priorities to disambiguate.",
    ]);
    expect(await book.query(everything)).toEqual(before);
  });

  it('shows in a preview with what it plans (ledger L-96)', async () => {
    const rule = await add(handler('shown'));
    const { result } = (await book.operation('preview-event-block', event('shown'))).body;
    expect(result).toMatchObject({
      would_succeed: true,
      matched_handler: { id: rule.id, origin: 'tenant', transaction_template: rule.transaction_template },
      planned_transactions: [{ entry_index: 0, debit_element_id: book.id('1000'), interpolated_debit_amount: '12500' }],
      handler_metadata: { handler: rule.name, target_status: 'classified', entry_count: 1 },
    });
  });

  it('runs when an event is committed, and a rule that fails leaves the event as it was (ledger L-78)', async () => {
    await add(
      handler('later', {
        transaction_template: template(item(leg('code:1000', '{{ event.metadata.net }}'), leg('code:4000'))),
      }),
    );
    const id = (await record(event('later', { apply_handlers: false }))).body.result.id;
    const before = await book.query(everything);
    const failed = await book.operation('update-event-block', { event_id: id, transition_to: 'committed' });
    expect([failed.status, failed.body.detail]).toEqual([422, expect.stringContaining("Field 'net' not found")]);
    expect(await book.query(everything)).toEqual(before);
    const done = await book.operation('update-event-block', {
      event_id: id,
      transition_to: 'committed',
      metadata_patch: { net: 12_500 },
    });
    expect(done.body.result).toMatchObject({ status: 'committed', metadata: { net: 12_500 } });
    const entries = await inStore(sql<{ status: string }>`SELECT status FROM ledger_entry WHERE event_id = ${id}`);
    expect(entries).toEqual([{ status: 'draft' }]);
  });
});

describe('an event that its handler refuses', () => {
  const refused = async (type: string, rule: object, more: object, message: string) => {
    await add(handler(type, rule));
    const before = await book.query(everything);
    const preview = await book.operation('preview-event-block', event(type, more));
    const made = await record(event(type, more));
    expect([made.status, made.body.detail]).toEqual([422, expect.stringContaining(message)]);
    expect(preview.body.result).toMatchObject({ would_succeed: false, validation_errors: [made.body.detail] });
    expect(await book.query(everything)).toEqual(before);
  };
  const half = () => template(item(leg('code:1000'), leg('code:4000', '{{ event.amount }} / 2')));

  it.each([
    [
      'no-field',
      () => ({ transaction_template: template(item(leg('code:1000', '{{ event.metadata.x }}'), leg('code:4000'))) }),
      {},
      "Field 'x' not found",
    ],
    ['no-amount', () => ({}), { amount: null }, "'event.amount' is null"],
    ['negative', () => ({}), { amount: -5 }, 'is below zero'],
    ['lopsided', () => ({ transaction_template: half() }), {}, 'Template entry 0 is unbalanced'],
    [
      'no-account',
      () => ({ transaction_template: template(item(leg('code:{{ event.metadata.code }}'), leg('code:4000'))) }),
      { metadata: { code: '99' } },
      "'code:99'",
    ],
    [
      'no-element',
      () => ({ transaction_template: template(item(leg('{{ event.metadata.id }}'), leg('code:4000'))) }),
      { metadata: { id: 'elem_x' } },
      'Element(s) not found: [elem_x]',
    ],
    ['after-all-calendars', () => ({}), { occurred_at: '9999-12-31T00:00:00Z' }, 'date'],
  ] as const)('says why and leaves nothing behind: %s (ledger L-104, L-97)', async (type, rule, more, message) => {
    await refused(type, rule(), more, message);
  });

  it('because its month is closed leaves nothing behind (ledger L-106, L-151)', async () => {
    await inStore(sql`UPDATE ledger_fiscal_period SET status = 'closed' WHERE name = '2026-03'`);
    await refused('closed-month', {}, {}, "closed period '2026-03'");
    await inStore(sql`UPDATE ledger_fiscal_period SET status = 'open' WHERE name = '2026-03'`);
  });
});

describe('the handlers of a graph', () => {
  const rows = () => inStore(sql<object>`SELECT * FROM ledger_event_handler ORDER BY id`);
  const refusal = async (operation: string, body: object) => {
    const before = await rows();
    const { status, body: answer } = await book.operation(operation, body);
    expect(await rows()).toEqual(before);
    return [status, answer.detail];
  };

  it('are refused when they could not run, and nothing is kept (ledger L-110)', async () => {
    const taken = await add(handler('taken'));
    const cases: readonly (readonly [object, number, string])[] = [
      [handler('x', { name: taken.name }), 409, `'${taken.name}' already exists`],
      [handler('x', { name: '  ' }), 422, 'name: 1 to 200 characters'],
      [handler('x', { origin: 'hub' }), 403, 'not made by tenants'],
      [handler('no good'), 422, 'event_type'],
      [handler('x', { transaction_template: template() }), 422, 'at least one item'],
      [
        handler('x', { transaction_template: template(item(leg('elem_x'), leg('code:4000'))) }),
        422,
        'Element(s) not found: [elem_x]',
      ],
      [handler('x', { transaction_template: template(item(leg('code:99'), leg('code:4000'))) }), 422, "'code:99'"],
      [
        handler('x', { transaction_template: template(item(leg('role:boss'), leg('code:4000'))) }),
        422,
        'Roles are cash',
      ],
      [
        handler('x', {
          transaction_template: template(item(leg('code:1000', '{{ event.amount }} ++'), leg('code:4000'))),
        }),
        422,
        'at character 21',
      ],
      [{ name: 'x', event_type: 'x' }, 422, ''],
    ];
    for (const [body, status, message] of cases)
      expect(await refusal('create-event-handler', body)).toEqual([status, expect.stringContaining(message)]);
  });

  it('do not name accounts of a provider that are not active (ledger L-105)', async () => {
    const body = handler('x', {
      match_source: 'quickbooks',
      transaction_template: template(item(leg('external:77'), leg('code:4000'))),
    });
    await inStore(sql`
      UPDATE taxonomy_element SET external_id = '77', external_source = 'quickbooks', is_active = false WHERE id = ${book.id('1510')}`);
    const message = "No active account was found for 'external:77'.";
    expect(await refusal('create-event-handler', body)).toEqual([422, message]);
    await inStore(sql`UPDATE taxonomy_element SET is_active = true WHERE id = ${book.id('1510')}`);
    await add(body);
  });

  it('change field by field, and every version is kept (ledger L-111, L-112)', async () => {
    const rule = await add(
      handler('changing', { description: 'first', match_source: 'manual', metadata: { a: { b: 1, c: 2 } } }),
    );
    const update = async (change: object) =>
      (await book.operation('update-event-handler', { event_handler_id: rule.id, ...change })).body.result;
    expect(await update({ priority: 7 })).toEqual({ ...rule, priority: 7, updated_at: expect.any(String) });
    const whole = template(item(leg('code:1000', '1'), leg('code:4000', '1')));
    expect(await update({ transaction_template: whole })).toMatchObject({ transaction_template: whole, priority: 7 });
    const approved = await update({ approve: true, metadata_patch: { a: { b: 3 } } });
    expect(approved).toMatchObject({ approved_by: approved.created_by, approved_at: '2026-04-01T12:00:00.000Z' });
    expect(await update({ approve: false })).toMatchObject({ approved_by: null, approved_at: null });
    await update({});
    const versions = await inStore(sql<{ version: number; metadata: unknown }>`
      SELECT version, content->'metadata' AS metadata FROM ledger_event_handler_version WHERE handler_id = ${rule.id} ORDER BY version`);
    expect(versions.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
    expect(versions[4]?.metadata).toEqual({ a: { b: 3, c: 2 } });
    await expect(inStore(sql`UPDATE ledger_event_handler_version SET version = 9`)).rejects.toThrow();
  });

  it('do not change what an event has made already (ledger L-111)', async () => {
    const rule = await add(handler('made'));
    await record(event('made'));
    const before = await book.query(everything);
    await book.operation('update-event-handler', { event_handler_id: rule.id, is_active: false });
    expect(await book.query(everything)).toEqual(before);
    const gone = await record(event('made'));
    expect([gone.status, gone.body.detail]).toEqual([
      404,
      expect.stringContaining("No active handler found for event_type='made'"),
    ]);
    expect(await book.query(everything)).toEqual(before);
  });

  it('cannot take the name of another, and those of the hub only go on and off (ledger L-110, L-111)', async () => {
    const [one, other] = [await add(handler('one')), await add(handler('one'))];
    const update = (change: object) => refusal('update-event-handler', { event_handler_id: one.id, ...change });
    expect(await update({ name: other.name })).toEqual([409, expect.stringContaining('already exists')]);
    expect(await update({ transaction_template: template(item(leg('code:99'), leg('code:1000'))) })).toEqual([
      422,
      expect.any(String),
    ]);
    expect(await update({ event_handler_id: 'hdl_none' })).toEqual([404, 'Event handler not found: hdl_none']);
    await inStore(sql`UPDATE ledger_event_handler SET origin = 'hub', version = version + 1 WHERE id = ${one.id}`);
    expect(await update({ priority: 2 })).toEqual([403, expect.stringContaining('Only is_active')]);
    const off = await book.operation('update-event-handler', { event_handler_id: one.id, is_active: false });
    expect(off.body.result).toMatchObject({ is_active: false, origin: 'hub' });
  });

  it('that a machine suggested run once they are approved (ledger L-107)', async () => {
    const rule = await add(handler('suggested'));
    await inStore(
      sql`UPDATE ledger_event_handler SET suggested_by = 'ai', version = version + 1 WHERE id = ${rule.id}`,
    );
    expect((await record(event('suggested'))).status).toBe(404);
    await book.operation('update-event-handler', { event_handler_id: rule.id, approve: true });
    expect((await record(event('suggested'))).status).toBe(200);
  });

  it('belong to their graph alone (ledger L-1)', async () => {
    const rule = await add(handler('own'));
    const other = await openBooks(await service.newUser('Eve'));
    const foreign = await other.operation('update-event-handler', { event_handler_id: rule.id, is_active: false });
    expect(foreign.status).toBe(404);
    expect((await other.operation('create-event-block', event('own'))).status).toBe(404);
  });
});
