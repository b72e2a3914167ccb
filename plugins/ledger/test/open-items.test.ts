/** @module-tag sessions */
import { sql } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerOpenItem } from '../src/rows.gen.ts';
import { type Books, done, type Leg, type Loose, openBooks, startLedger } from './books.ts';
import { bodyOf, newestEntry, open, receipt, recordEvent, reverse, sale } from './receivable-books.ts';
import { type Interference, interfereWith } from './statement-hook.ts';

let service: TestService;
let user: TestClient;
let book: Books;
let interference: Interference;
beforeAll(async () => {
  ({ service, user } = await startLedger());
  interference = interfereWith(service.store);
});
beforeEach(async () => {
  interference.beforeStatement = undefined;
  book = await openBooks(user);
  // The first posted entry sets the currency of the books, which takes a second run of the statement.
  await recordEvent(book, { type: 'journal_entry_recorded', amount: null, legs: paidAtOnce(1) });
});
afterAll(() => service.close());

const paidAtOnce = (cents: number): readonly Leg[] => [
  ['1000', cents, 0],
  ['4000', 0, cents],
];
const invoice = (cents: number, more: object = {}): Promise<Loose> =>
  recordEvent(book, { type: 'invoice_issued', amount: cents, legs: sale(cents), more });
const payment = (cents: number, invoiceId: string) => ({
  type: 'payment_received',
  amount: cents,
  legs: receipt(cents),
  more: { discharges_event_id: invoiceId },
});
const draftReceipt = (legs: readonly Leg[], cents: number): Promise<Loose> =>
  recordEvent(book, { type: 'sales_receipt_recorded', amount: cents, legs, status: 'draft' });
const edit = async (legs: readonly Leg[]): Promise<Loose> =>
  done(book, 'update-journal-entry', {
    entry_id: await newestEntry(book),
    line_items: legs.map(([code, debit, credit]) => ({
      element_id: book.id(code),
      debit_amount: debit,
      credit_amount: credit,
    })),
  });

/** The stored open amounts of the books by event. */
const stored = async (): Promise<Readonly<Record<string, number>>> => {
  const rows = await service.store.transaction({ graphId: book.graph }, (tx) =>
    tx.query(sql<Pick<LedgerOpenItem, 'event_id' | 'amount'>>`SELECT event_id, amount FROM ledger_open_item`),
  );
  return Object.fromEntries(rows.map(({ event_id, amount }) => [event_id, amount]));
};

/** The statements that a call sends in a graph; background work of the service meanwhile uses the scope `kernel`. */
async function statementsOf(call: () => Promise<unknown>): Promise<readonly string[]> {
  const found: string[] = [];
  interference.beforeStatement = async (statement, tx) => {
    if (tx.scope !== 'kernel') found.push(statement);
  };
  await call();
  interference.beforeStatement = undefined;
  return found;
}

describe('stored open amounts', () => {
  it('have a row for each event that is open and none for the others (ledger L-100c)', async () => {
    const { id } = await invoice(100);
    expect(await stored()).toEqual({ [id]: 100 });
    await recordEvent(book, payment(30, id));
    expect(await stored()).toEqual({ [id]: 70 });
    await recordEvent(book, payment(70, id));
    expect(await stored()).toEqual({});
    await reverse(book, await newestEntry(book));
    expect([await stored(), await open(book)]).toEqual([{ [id]: 70 }, [70, 0]]);
  });

  it('count every one of many payments that settle one invoice at the same time (ledger L-100c, L-210)', async () => {
    const { id } = await invoice(1_000);
    const bodies = Array.from({ length: 8 }, () => bodyOf(book, payment(100, id)));
    const answers = await Promise.all(bodies.map((body) => book.operation('create-event-block', body)));
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200));
    expect([await stored(), await open(book)]).toEqual([{ [id]: 200 }, [200, 0]]);
  });

  it.each([
    ['invoice_issued', 'payment_received', '1100', '4000'],
    ['bill_received', 'bill_paid', '6100', '2000'],
  ] as const)('are not hidden by %s that is voided (ledger L-72, L-100a)', async (type, paid, debit, credit) => {
    const legs = (cents: number): readonly Leg[] => [
      [debit, cents, 0],
      [credit, 0, cents],
    ];
    const opposite = (cents: number): readonly Leg[] => [
      [credit, cents, 0],
      [debit, 0, cents],
    ];
    const credited = (id: string) => ({ type, amount: -300, legs: opposite(300), more: { discharges_event_id: id } });
    const { id } = await recordEvent(book, { type, amount: 500, legs: legs(500), status: 'draft' });
    const note = await recordEvent(book, credited(id));
    const voided = { event_id: id, transition_to: 'voided' };
    const refused = await book.operation('update-event-block', voided);
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      `Event ${id} cannot be retracted from 'classified': it is settled by ${note.id}. ` +
        'Change the discharges_event_id of these events first; an empty text removes it.',
    ]);
    await done(book, 'update-event-block', { event_id: note.id, discharges_event_id: '' });
    expect(await stored()).toEqual({ [note.id]: -300 });
    await done(book, 'update-event-block', voided);
    for (const event of [
      credited(id),
      { type: paid, amount: 5, legs: opposite(5), more: { discharges_event_id: id } },
    ]) {
      const late = await book.operation('create-event-block', bodyOf(book, event));
      expect([late.status, late.body.detail]).toMatchObject([
        422,
        expect.stringContaining('that is voided cannot be settled. Name another event'),
      ]);
    }
    expect(await stored()).toEqual({ [note.id]: -300 });
  });

  it('do not lose a payment that meets the retraction of its invoice (ledger L-72, L-100a)', async () => {
    const { id } = await recordEvent(book, { type: 'invoice_issued', amount: 500, legs: sale(500), status: 'draft' });
    const answers = await Promise.all([
      book.operation('create-event-block', bodyOf(book, payment(500, id))),
      book.operation('update-event-block', { event_id: id, transition_to: 'voided' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  it('follow drafts when a close posts them, and not before (ledger L-100b, L-100c)', async () => {
    const drafted = await recordEvent(book, {
      type: 'invoice_issued',
      amount: 500,
      legs: sale(500),
      status: 'draft',
    });
    await done(book, 'update-event-block', { event_id: drafted.id, transition_to: 'committed' });
    const posted = await invoice(80);
    await recordEvent(book, { ...payment(50, posted.id), status: 'draft' });
    expect(await stored()).toEqual({ [posted.id]: 80 });
    await done(book, 'close-period', { period: '2026-03' });
    expect(await stored()).toEqual({ [drafted.id]: 500, [posted.id]: 30 });
  });

  it('leave out a draft invoice that is voided (ledger L-73, L-100c)', async () => {
    const drafted = await recordEvent(book, { type: 'invoice_issued', amount: 5, legs: sale(5), status: 'draft' });
    await done(book, 'update-event-block', { event_id: drafted.id, transition_to: 'voided' });
    await done(book, 'close-period', { period: '2026-03' });
    expect(await stored()).toEqual({});
  });

  it('include a sales receipt once a posted entry of it debits a receivable (ledger L-100c, L-101)', async () => {
    const onAccount = await recordEvent(book, { type: 'sales_receipt_recorded', amount: 60, legs: sale(60) });
    await recordEvent(book, { type: 'sales_receipt_recorded', amount: 45, legs: paidAtOnce(45) });
    expect(await stored()).toEqual({ [onAccount.id]: 60 });
    await draftReceipt(sale(7), 7);
    expect(await stored()).toEqual({ [onAccount.id]: 60 });
    await edit(paidAtOnce(7));
    await done(book, 'close-period', { period: '2026-03' });
    expect(await stored()).toEqual({ [onAccount.id]: 60 });
  });

  it('include a draft receipt that was changed to debit a receivable before it posted (ledger L-100c, L-101)', async () => {
    const { id } = await draftReceipt(paidAtOnce(20), 20);
    await edit(sale(20));
    expect(await stored()).toEqual({});
    await done(book, 'close-period', { period: '2026-03' });
    expect(await stored()).toEqual({ [id]: 20 });
  });

  it('include a receipt that was captured first and booked on account later (ledger L-100c, L-101)', async () => {
    const captured = { type: 'sales_receipt_recorded', amount: 33, legs: sale(33), more: { apply_handlers: false } };
    const { id } = await recordEvent(book, captured);
    expect(await stored()).toEqual({});
    await done(book, 'update-event-block', { event_id: id, transition_to: 'committed' });
    expect(await stored()).toEqual({ [id]: 33 });
  });

  it('cost a sale that was paid at once no statement (ledger L-100c)', async () => {
    const posting = (type: string) => statementsOf(() => recordEvent(book, { type, amount: 45, legs: paidAtOnce(45) }));
    const entry = await posting('journal_entry_recorded');
    expect(entry.length).toBeGreaterThan(0);
    expect(await posting('sales_receipt_recorded')).toHaveLength(entry.length);
    expect(entry.filter((statement) => /open_/.test(statement))).toEqual([]);
  });
});

describe('agents', () => {
  const reads = async (fields: string): Promise<number> =>
    (await statementsOf(() => book.query(`{ agents { ${fields} } }`))).filter((each) =>
      each.includes('ledger_open_item'),
    ).length;

  it('reads open balances only when they are selected, with one statement for a side (ledger L-35a)', async () => {
    const agents: string[] = [];
    for (const name of ['Ada', 'Bob', 'Cleo'])
      agents.push((await done(book, 'create-agent', { agent_type: 'customer', name })).id);
    for (const id of agents) await invoice(10, { agent_id: id });
    expect(await reads('id name')).toBe(0);
    expect(await reads('id openReceivable { openBalanceCents }')).toBe(1);
    expect(await reads('id openReceivable { openBalanceCents } other: openReceivable { currency }')).toBe(1);
    expect(await reads('openReceivable { openBalanceCents } openPayable { openBalanceCents }')).toBe(2);
    const { agents: rows } = await book.query(
      '{ agents { openReceivable { openBalanceCents } openPayable { currency } } }',
    );
    expect(rows).toEqual(agents.map(() => ({ openReceivable: { openBalanceCents: 10 }, openPayable: null })));
  });
});
