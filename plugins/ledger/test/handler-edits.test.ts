/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import type { LedgerEventHandlerVersion } from '../src/rows.gen.ts';
import { openBooks } from './books.ts';
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
  service,
  template,
  useHandlerBooks,
} from './handler-books.ts';

useHandlerBooks();

describe('create-event-handler and update-event-handler', () => {
  const rows = () => inStore(sql<object>`SELECT * FROM ledger_event_handler ORDER BY id`);
  const refusal = async (operation: string, body: object) => {
    const before = await rows();
    const { status, body: answer } = await book.operation(operation, body);
    expect(await rows()).toEqual(before);
    return [status, answer.detail];
  };

  const constant = (amount: string) =>
    handler('x', { transaction_template: template(item(leg('code:1000', '1'), leg('code:4000', amount))) });

  it('rejects a handler that could not run, and stores nothing (ledger L-110)', async () => {
    const taken = await add(handler('taken'));
    const cases: readonly (readonly [object, number, string])[] = [
      [handler('x', { name: taken.name }), 409, `'${taken.name}' already exists`],
      [handler('x', { name: '  ' }), 422, 'name: 1 to 200 characters'],
      [handler('x', { origin: 'hub' }), 403, 'Tenants cannot create handlers of the hub'],
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
      [
        constant('1 + 9007199254740992'),
        422,
        "entry_template.credit.amount: '1 + 9007199254740992' cannot be read at character 5",
      ],
      [constant(' 9007199254740991 + 1'), 422, 'at character 2: this exceeds 9007199254740991 minor units.'],
      [constant('{{ event.amount | default 9007199254740992 }}'), 422, 'at character 27'],
      [{ name: 'x', event_type: 'x' }, 422, ''],
    ];
    for (const [body, status, message] of cases)
      expect(await refusal('create-event-handler', body)).toEqual([status, expect.stringContaining(message)]);
  });

  it('accepts the largest amount, and larger intermediate results in an expression (ledger L-2, L-105)', async () => {
    await add(constant('9007199254740991'));
    await add(constant('9007199254740991 * 2 / 2'));
  });

  it('rejects external references to inactive accounts (ledger L-105)', async () => {
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

  it('changes single fields of a handler and keeps every version (ledger L-111, L-112)', async () => {
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
    const versions = await inStore(sql<Pick<LedgerEventHandlerVersion, 'version'> & { metadata: unknown }>`
      SELECT version, content->'metadata' AS metadata FROM ledger_event_handler_version WHERE handler_id = ${rule.id} ORDER BY version`);
    expect(versions.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
    expect(versions[4]?.metadata).toEqual({ a: { b: 3, c: 2 } });
    await expect(inStore(sql`UPDATE ledger_event_handler_version SET version = 9`)).rejects.toThrow();
  });

  it('leaves existing entries unchanged when a handler changes (ledger L-111)', async () => {
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

  it('rejects a duplicate name, and allows only is_active to change on a hub handler (ledger L-110, L-111)', async () => {
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

  it('requires approval before a suggested handler runs (ledger L-107)', async () => {
    const rule = await add(handler('suggested'));
    await inStore(
      sql`UPDATE ledger_event_handler SET suggested_by = 'ai', version = version + 1 WHERE id = ${rule.id}`,
    );
    expect((await record(event('suggested'))).status).toBe(404);
    await book.operation('update-event-handler', { event_handler_id: rule.id, approve: true });
    expect((await record(event('suggested'))).status).toBe(200);
  });

  it('applies a handler only to events of its own graph (ledger L-1)', async () => {
    const rule = await add(handler('own'));
    const other = await openBooks(await service.newUser('Eve'));
    const foreign = await other.operation('update-event-handler', { event_handler_id: rule.id, is_active: false });
    expect(foreign.status).toBe(404);
    expect((await other.operation('create-event-block', event('own'))).status).toBe(404);
  });
});
