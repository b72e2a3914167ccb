/** @module-tag sessions */
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, callTool, entry, type Leg, type Loose, openBooks, startLedger } from './books.ts';

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

const everyone = '{ agents(isActive: null, limit: 1000) { id name email isActive updatedAt } }';

async function addAgent(name: string, more: object = {}, books: Books = book): Promise<string> {
  const made = await books.operation('create-agent', { agent_type: 'customer', name, ...more });
  expect(made.status).toBe(200);
  return made.body.result.id;
}

describe('agents', () => {
  it('stores every field of a new agent and returns it by id (ledger L-32, L-34)', async () => {
    const made = await book.operation('create-agent', {
      agent_type: 'vendor',
      name: 'Print House',
      legal_name: 'Print House GmbH',
      tax_id: 'DE1',
      email: 'office@example.org',
      lei: '5493001KJTIIGC8Y1R12',
      address: { line1: 'Main street 1', city: 'Graz' },
      is_1099_recipient: true,
    });
    expect(made.body.result).toMatchObject({
      agent_type: 'vendor',
      source: 'native',
      is_active: true,
      is_1099_recipient: true,
      address: { city: 'Graz' },
      external_id: null,
    });
    expect(made.body.result.id).toMatch(/^agt_[0-9A-HJKMNP-TV-Z]{26}$/);
    const { agent, none } = await book.query(`{
      agent(id: "${made.body.result.id}") { name legalName taxId address source createdBy is1099Recipient openReceivable { openBalanceCents } openPayable { currency } }
      none: agent(id: "agt_none") { id } }`);
    expect(agent).toMatchObject({
      name: 'Print House',
      legalName: 'Print House GmbH',
      taxId: 'DE1',
      address: { line1: 'Main street 1', city: 'Graz' },
      is1099Recipient: true,
      openReceivable: null,
      openPayable: null,
    });
    expect(none).toBeNull();
  });

  it('keeps the tax id when a tool is called with the mask that another tool showed (ai-surface PX-10)', async () => {
    const id = await addAgent('Mask & Co', { tax_id: '55-1234567' });
    const call = (name: string, given: object) => callTool({ service, user, graph: book.graph }, name, given);
    const { tax_id: shown } = await call('get-agent', { id });
    expect(shown).toBe('…4567');
    expect(await call('update-agent', { agent_id: id, tax_id: shown, email: 'office@example.org' })).toMatchObject({
      error: 'invalid_input',
      message: expect.stringMatching(/^tax_id: This value was masked .* Leave the field out/),
    });
    const kept = await call('update-agent', { agent_id: id, email: 'office@example.org' });
    expect(kept).toMatchObject({ email: 'office@example.org', tax_id: shown });
    expect((await book.query(`{ agent(id: "${id}") { taxId } }`)).agent).toEqual({ taxId: '55-1234567' });
  });

  it.each([
    [
      'a short LEI',
      { agent_type: 'customer', name: 'x', lei: '5493001KJTIIGC8Y1R1' },
      /^lei: 20 letters and digits are required\.$/,
    ],
    [
      'an invalid email',
      { agent_type: 'customer', name: 'x', email: 'office at example' },
      /^email: 'office at example' is not an address/,
    ],
    ['an unknown type', { agent_type: 'friend', name: 'x' }, /Unknown agent_type 'friend'/],
    ['a blank name', { agent_type: 'customer', name: '  ' }, /name:/],
    ['an unconnected source', { agent_type: 'customer', name: 'x', source: 'shop' }, /Unknown agent source 'shop'/],
    ['no type', { name: 'x' }, /agent_type: Field required/],
  ])('rejects creating an agent with %s, and stores nothing (ledger L-32, L-34)', async (_name, body, message) => {
    const before = await book.query(everyone);
    const refused = await book.operation('create-agent', body);
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringMatching(message)]);
    expect(await book.query(everyone)).toEqual(before);
  });

  it('creates one agent per source and external id, also when callers race (ledger L-33)', async () => {
    const body = { agent_type: 'customer', name: 'Same', external_id: 'c-1' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => book.operation('create-agent', body)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const refused = answers.find((answer) => answer.status === 409);
    expect(refused?.body.detail).toBe("Agent with source='native' and external_id='c-1' already exists.");
    expect((await book.operation('create-agent', { ...body, source: 'manual' })).status).toBe(200);
    // Without an external id, two agents of one name are two agents.
    await addAgent('Twin');
    await addAgent('Twin');
  });

  it('keeps the fields that an update omits, and deactivates an agent instead of deleting it (ledger L-35)', async () => {
    const id = await addAgent('Old name', { email: 'a@example.org', metadata: { terms: { days: 30, note: 'x' } } });
    const renamed = await book.operation('update-agent', {
      agent_id: id,
      name: 'New name',
      email: null,
      metadata_patch: { terms: { note: null, days: 14 }, fresh: true },
    });
    expect(renamed.body.result).toMatchObject({ name: 'New name', email: 'a@example.org', agent_type: 'customer' });
    const before = await book.query(everyone);
    expect((await book.operation('update-agent', { agent_id: id, metadata_patch: {} })).body.result).toMatchObject({
      name: 'New name',
    });
    expect(await book.query(everyone)).toEqual(before);
    await book.operation('update-agent', { agent_id: id, is_active: false });
    const lists = await book.query(
      '{ agents { id } all: agents(isActive: null) { id } retired: agents(isActive: false) { id isActive } }',
    );
    expect(lists['agents'].map((agent: Loose) => agent.id)).not.toContain(id);
    expect(lists['all'].map((agent: Loose) => agent.id)).toContain(id);
    expect(lists['retired']).toEqual([{ id, isActive: false }]);
  });

  it('rejects updating an unknown agent, or setting an invalid name, email or LEI, and changes nothing (ledger L-35, A)', async () => {
    const other = await openBooks(user);
    const stranger = await addAgent('Stranger', {}, other);
    const id = await addAgent('Named');
    const before = await book.query(everyone);
    for (const agentId of ['agt_none', stranger]) {
      const refused = await book.operation('update-agent', { agent_id: agentId, name: 'Mine' });
      expect([refused.status, refused.body.detail]).toEqual([404, `Agent not found: ${agentId}`]);
    }
    expect((await book.operation('update-agent', { agent_id: id, name: ' ' })).status).toBe(422);
    expect((await book.operation('update-agent', { agent_id: id, email: 'no address' })).status).toBe(422);
    expect((await book.operation('update-agent', { agent_id: id, lei: '5493' })).status).toBe(422);
    expect(await book.query(everyone)).toEqual(before);
    expect((await other.query('{ agents { name } }'))['agents']).toEqual([{ name: 'Stranger' }]);
  });

  it('lists agents by name, ignoring case, in pages and within the limits (ledger L-35a)', async () => {
    const own = await openBooks(user);
    for (const name of ['beta', 'Alpha', 'alpha', 'Gamma']) await addAgent(name, {}, own);
    await addAgent('Vendor', { agent_type: 'vendor', source: 'manual' }, own);
    const lists =
      await own.query(`{ agents { name } page: agents(limit: 2, offset: 1) { name } clamped: agents(limit: -5) { name }
      vendors: agents(agentType: "vendor") { name } manual: agents(source: "manual") { name } }`);
    const names = (list: readonly { name: string }[]) => list.map((agent) => agent.name);
    expect(names(lists['agents'])).toEqual(['Alpha', 'alpha', 'beta', 'Gamma', 'Vendor']);
    expect(names(lists['page'])).toEqual(['alpha', 'beta']);
    expect(names(lists['clamped'])).toEqual(['Alpha']);
    expect(names(lists['vendors'])).toEqual(['Vendor']);
    expect(names(lists['manual'])).toEqual(['Vendor']);
  });

  it('rejects create-agent by a user who is not a member of the graph (ledger L-7)', async () => {
    const own = await openBooks(user);
    const stranger = await service.newUser('Eve');
    const refused = await stranger.post(`/extensions/ledger/${own.graph}/operations/create-agent`, {
      agent_type: 'customer',
      name: 'x',
    });
    expect([403, 404]).toContain(refused.status);
    expect((await own.query('{ agents { id } }'))['agents']).toEqual([]);
  });
});

describe('openReceivables and openPayables', () => {
  const open = `{ openReceivables { totalOpenCents counterpartyCount openEventCount currency }
    openPayables { totalOpenCents counterpartyCount openEventCount }
    openReceivablesByAgent { agentId openBalanceCents openEventCount currency } openPayablesByAgent { agentId openBalanceCents }
    agents { name openReceivable { openBalanceCents openEventCount } openPayable { openBalanceCents } } }`;

  async function record(books: Books, type: string, cents: number, legs: readonly Leg[], more: object = {}) {
    const body = entry(books, '2026-03-20', legs, {
      event_type: type,
      event_category: 'sales',
      amount: cents,
      ...more,
    });
    const made = await books.operation('create-event-block', body);
    expect(made.status).toBe(200);
    return made.body.result;
  }

  it('reports zero open receivables and payables in new books (ledger L-100)', async () => {
    const own = await openBooks(user);
    expect(await own.query(open)).toMatchObject({
      openReceivables: { totalOpenCents: 0, counterpartyCount: 0, openEventCount: 0, currency: 'USD' },
      openReceivablesByAgent: [],
      openPayablesByAgent: [],
    });
  });

  it('reports open amounts equal to invoices and bills less their payments, and to the control account (ledger L-100, L-101, L-206)', async () => {
    const own = await openBooks(user);
    const client = await addAgent('Client', {}, own);
    const buyer = await addAgent('Buyer', {}, own);
    const vendor = await addAgent('Vendor', { agent_type: 'vendor' }, own);
    const sale = (cents: number): readonly Leg[] => [
      ['1100', cents, 0],
      ['4000', 0, cents],
    ];
    const payment = (cents: number): readonly Leg[] => [
      ['1000', cents, 0],
      ['1100', 0, cents],
    ];
    const invoice = await record(own, 'invoice_issued', 1_250_000, sale(1_250_000), { agent_id: client });
    await record(own, 'payment_received', 750_000, payment(750_000), {
      agent_id: client,
      discharges_event_id: invoice.id,
    });
    const small = await record(own, 'invoice_issued', 100, sale(100), { agent_id: buyer });
    await record(own, 'payment_received', 300, payment(300), { agent_id: buyer, discharges_event_id: small.id });
    await record(own, 'invoice_issued', 40, sale(40));
    // The first receipt is paid at once and leaves nothing open; the second one is not paid yet.
    await record(own, 'sales_receipt_recorded', 999, [
      ['1000', 999, 0],
      ['4000', 0, 999],
    ]);
    await record(own, 'sales_receipt_recorded', 60, sale(60), { agent_id: client });
    const bill: readonly Leg[] = [
      ['5000', 185_000, 0],
      ['2000', 0, 185_000],
    ];
    await record(own, 'bill_received', 185_000, bill, { agent_id: vendor });
    // Captured only, so it does not count.
    await own.operation('create-event-block', {
      ...(entry(own, '2026-03-20', [], { event_type: 'invoice_issued', amount: 5, agent_id: client }) as object),
      apply_handlers: false,
    });
    const data = await own.query(open);
    expect(data['openReceivables']).toEqual({
      totalOpenCents: 500_000 - 200 + 40 + 60,
      counterpartyCount: 2,
      openEventCount: 4,
      currency: 'USD',
    });
    expect(data['openReceivablesByAgent']).toEqual([
      { agentId: client, openBalanceCents: 500_060, openEventCount: 2, currency: 'USD' },
      { agentId: buyer, openBalanceCents: -200, openEventCount: 1, currency: 'USD' },
      { agentId: '', openBalanceCents: 40, openEventCount: 1, currency: 'USD' },
    ]);
    expect(data['openPayables']).toEqual({ totalOpenCents: 185_000, counterpartyCount: 1, openEventCount: 1 });
    expect(data['openPayablesByAgent']).toEqual([{ agentId: vendor, openBalanceCents: 185_000 }]);
    expect(data['agents']).toEqual([
      { name: 'Buyer', openReceivable: { openBalanceCents: -200, openEventCount: 1 }, openPayable: null },
      { name: 'Client', openReceivable: { openBalanceCents: 500_060, openEventCount: 2 }, openPayable: null },
      { name: 'Vendor', openReceivable: null, openPayable: { openBalanceCents: 185_000 } },
    ]);
    const { trialBalance } = await own.query('{ trialBalance { rows { accountCode netBalance } } }');
    const control = trialBalance.rows.find((row: Loose) => row.accountCode === '1100');
    expect(Math.round(control.netBalance * 100)).toBe(data['openReceivables'].totalOpenCents);
  });

  it('applies a payment to the invoices that it references by number, oldest first (ledger L-90)', async () => {
    const own = await openBooks(user);
    const sale = (cents: number): readonly Leg[] => [
      ['1100', cents, 0],
      ['4000', 0, cents],
    ];
    const lines = (legs: readonly Leg[], more: object) =>
      ({ metadata: { ...(entry(own, '2026-03-20', legs) as Loose).metadata, ...more } }) as object;
    const first = await record(own, 'invoice_issued', 100, [], { external_id: 'Invoice_1', ...lines(sale(100), {}) });
    await record(own, 'invoice_issued', 200, [], { external_id: 'Invoice_2', ...lines(sale(200), {}) });
    const third = await record(own, 'invoice_issued', 70, [], lines(sale(70), { qb_doc_number: 'N-3' }));
    const paid: readonly Leg[] = [
      ['1000', 250, 0],
      ['1100', 0, 250],
    ];
    const payment = await record(
      own,
      'payment_received',
      250,
      [],
      lines(paid, { qb_linked_txns: ['Invoice_2', 'Invoice_1'] }),
    );
    expect(payment.discharges_event_id).toBe(first.id);
    expect((await own.query(open))['openReceivables']).toMatchObject({ totalOpenCents: 120, openEventCount: 2 });
    const cash: readonly Leg[] = [
      ['1000', 70, 0],
      ['1100', 0, 70],
    ];
    const byNumber = await record(own, 'payment_received', 70, [], lines(cash, { qb_reference_number: 'N-3' }));
    expect(byNumber.discharges_event_id).toBe(third.id);
    const agent = await addAgent('Another', {}, own);
    const stranger = await record(own, 'payment_received', 70, [], {
      agent_id: agent,
      ...lines(cash, { qb_reference_number: 'N-3' }),
    });
    expect(stranger.discharges_event_id).toBeNull();
    expect((await own.query(open))['openReceivables']).toMatchObject({ totalOpenCents: 50, openEventCount: 1 });
    const { eventBlock } = await own.query(`{ eventBlock(id: "${payment.id}") { dischargesEventId } }`);
    expect(eventBlock.dischargesEventId).toBe(first.id);
  });
});
