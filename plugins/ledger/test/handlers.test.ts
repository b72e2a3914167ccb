/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import type { LedgerEntry, LedgerLineItem } from '../src/rows.gen.ts';
import type { Loose } from './books.ts';
import {
  add,
  book,
  event,
  everything,
  handler,
  inStore,
  item,
  leg,
  record,
  template,
  useHandlerBooks,
} from './handler-books.ts';

useHandlerBooks();

describe('event handlers', () => {
  it('turns an event into drafts, each in its own transaction (ledger 5.9, L-106, L-112)', async () => {
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

  it('resolves accounts of a template by code, role, id or a field of the event (ledger L-103, L-105)', async () => {
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
    const lines = await inStore(sql<Pick<LedgerLineItem, 'element_id'>>`
      SELECT l.element_id FROM ledger_line_item l JOIN ledger_entry e USING (graph_id) WHERE e.id = l.entry_id AND e.event_id = ${made.body.result.id}`);
    expect(lines.map(({ element_id }) => element_id).sort()).toEqual(
      ['1000', '1100', '4010', '4050'].map(book.id).sort(),
    );
  });

  it.each([
    ['payroll_liab', '2200'],
    ['retained', '3200'],
    ['gain_loss', '7200'],
  ])('resolves the role %s to the account that every chart has for it (ledger 1.3, L-105)', async (role, code) => {
    await add(handler(role, { transaction_template: template(item(leg('role:cash'), leg(`role:${role}`))) }));
    const made = await record(event(role));
    expect([made.status, made.body.detail]).toEqual([200, undefined]);
    const lines = await inStore(sql<Pick<LedgerLineItem, 'element_id'>>`
      SELECT element_id FROM ledger_line_item l JOIN ledger_entry e ON e.id = l.entry_id
      WHERE e.event_id = ${made.body.result.id} AND credit_amount > 0`);
    expect(lines).toEqual([{ element_id: book.id(code) }]);
  });

  it('chooses the handler by priority, then by the number of conditions, and rejects a tie (ledger L-108, L-109)', async () => {
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

  it('shows the handler and its plan in a preview (ledger L-96)', async () => {
    const rule = await add(handler('shown'));
    const { result } = (await book.operation('preview-event-block', event('shown'))).body;
    expect(result).toMatchObject({
      would_succeed: true,
      matched_handler: { id: rule.id, origin: 'tenant', transaction_template: rule.transaction_template },
      planned_transactions: [{ entry_index: 0, debit_element_id: book.id('1000'), interpolated_debit_amount: '12500' }],
      handler_metadata: { handler: rule.name, target_status: 'classified', entry_count: 1 },
    });
  });

  it('runs the handler when an event is committed, and leaves the event unchanged when it fails (ledger L-78)', async () => {
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
    const entries = await inStore(
      sql<Pick<LedgerEntry, 'status'>>`SELECT status FROM ledger_entry WHERE event_id = ${id}`,
    );
    expect(entries).toEqual([{ status: 'draft' }]);
  });
});

describe('events that their handler rejects', () => {
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
  ] as const)(
    'reports why a handler rejects an event, and writes nothing: %s (ledger L-104, L-97)',
    async (type, rule, more, message) => {
      await refused(type, rule(), more, message);
    },
  );

  it('writes nothing when the month of a handled event is closed (ledger L-106, L-151)', async () => {
    await inStore(sql`UPDATE ledger_fiscal_period SET status = 'closed' WHERE name = '2026-03'`);
    await refused('closed-month', {}, {}, "closed period '2026-03'");
    await inStore(sql`UPDATE ledger_fiscal_period SET status = 'open' WHERE name = '2026-03'`);
  });
});
