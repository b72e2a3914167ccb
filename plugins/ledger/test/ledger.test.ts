import taxonomy from '@pacioli/taxonomy';
import { type Answer, fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import ledger from '../src/index.ts';

const clock = fixedClock('2026-04-01T12:00:00Z');
let service: TestService;
let user: TestClient;

beforeAll(async () => {
  service = await startTestService({
    plugins: [taxonomy, ledger],
    aliases: { ledger: ['roboledger'] },
    clock,
    orgGraphs_max: -1,
  });
  user = await service.newUser('Ann');
});
afterAll(async () => {
  await service.close();
});

/** Whatever the wire carries. */
type Loose = Answer['body'];

/** A graph with a chart, and the ids of its accounts by code. */
interface Books {
  readonly graph: string;
  readonly id: (code: string) => string;
  readonly operation: (name: string, body?: object, headers?: Record<string, string>) => Promise<Answer>;
  readonly query: (text: string) => Promise<Loose>;
}

async function books(entityType = 'llc'): Promise<Books> {
  const graph = await user.createGraph('Books', ['roboledger']);
  const operation: Books['operation'] = (name, body = {}, headers = {}) =>
    user.post(`/extensions/ledger/${graph}/operations/${name}`, body, headers);
  const query: Books['query'] = async (text) => {
    const answer = await user.graphql(graph, text);
    if (answer.body.errors !== undefined) throw new Error(JSON.stringify(answer.body.errors));
    return answer.body.data;
  };
  await operation('initialize', { earliest_data_period: '2026-03' });
  await operation('initialize-chart-of-accounts', { template: 'services', entity_type: entityType });
  const { accounts } = await query('{ accounts(limit: 200) { accounts { id code } } }');
  const ids = new Map<string, string>(
    accounts.accounts.map((account: { id: string; code: string }) => [account.code, account.id]),
  );
  return { graph, operation, query, id: (code) => ids.get(code) ?? `no account ${code}` };
}

type Leg = readonly [code: string, debit: number, credit: number];

function entry(book: Books, date: string, legs: readonly Leg[], more: object = {}): object {
  const line_items = legs.map(([code, debit, credit]) => ({
    element_id: book.id(code),
    debit_amount: debit,
    credit_amount: credit,
  }));
  return {
    event_type: 'journal_entry_recorded',
    event_category: 'adjustment',
    occurred_at: `${date}T10:00:00Z`,
    source: 'manual',
    apply_handlers: true,
    metadata: { posting_date: date, memo: 'test', status: 'posted', line_items },
    ...more,
  };
}

const counts = '{ summary { transactionCount entryCount lineItemCount } }';

describe('the start of the books', () => {
  it('creates the calendar once, with its months (ledger L-12 to L-16)', async () => {
    const book = await books();
    const again = await book.operation('initialize');
    expect(again.status).toBe(409);
    expect(again.body.detail).toMatch(/is already initialized \(initialized_at=2026-04-01T12:00:00/);
    const { fiscalCalendar } = await book.query(
      '{ fiscalCalendar { closedThrough closeTarget periods { name status startDate endDate } } }',
    );
    expect(fiscalCalendar).toEqual({
      closedThrough: null,
      closeTarget: null,
      periods: [
        { name: '2026-03', status: 'open', startDate: '2026-03-01', endDate: '2026-03-31' },
        { name: '2026-04', status: 'open', startDate: '2026-04-01', endDate: '2026-04-30' },
      ],
    });
  });

  it('refuses months that cannot be (ledger L-13)', async () => {
    const graph = await user.createGraph('Late', ['ledger']);
    const initialize = (body: object) => user.post(`/extensions/ledger/${graph}/operations/initialize`, body);
    for (const body of [
      { closed_through: '2026-04' },
      { closed_through: 'March' },
      { fiscal_year_start_month: 13 },
      { earliest_data_period: '2026-05' },
    ]) {
      expect((await initialize(body)).status).toBe(422);
    }
    expect((await user.graphql(graph, '{ fiscalCalendar { closedThrough } }')).body.data.fiscalCalendar).toBeNull();
    expect((await initialize({ auto_seed_schedules: true })).body.result.warnings).toHaveLength(1);
  });

  it('makes a chart from a template once, mapped, for the legal form (ledger L-19 to L-23)', async () => {
    const graph = await user.createGraph('Chart', ['ledger']);
    const made = await user.post(`/extensions/roboledger/${graph}/operations/initialize-chart-of-accounts`, {
      template: 'services',
      entity_type: 'L.L.C',
    });
    expect(made.body.result).toMatchObject({
      template: 'services',
      name: 'Chart of Accounts',
      entity_type: 'corporation',
      elements_created: 47,
      mappings_created: 47,
      unresolved: [],
    });
    const again = await user.post(`/extensions/roboledger/${graph}/operations/initialize-chart-of-accounts`, {
      template: 'saas',
    });
    expect(again.status).toBe(409);
    const llc = await books();
    const { accounts, accountTree, mappings, entity } = await llc.query(
      '{ accounts(limit: 1) { accounts { code name balanceType currency } pagination { total hasMore } } accountTree { totalAccounts roots { code } } mappings { structures { id } } entity { name isParent } }',
    );
    expect(accounts).toEqual({
      accounts: [{ code: '1000', name: 'Operating cash', balanceType: 'debit', currency: 'USD' }],
      pagination: { total: 46, hasMore: true },
    });
    expect(accountTree.totalAccounts).toBe(46);
    expect(mappings.structures).toHaveLength(1);
    expect(entity).toEqual({ name: 'Books', isParent: true });
  });

  it('offers its templates (ledger L-25, L-26)', async () => {
    const book = await books();
    const { chartTemplates } = await book.query('{ chartTemplates { key accountCount } }');
    expect(chartTemplates.map((template: { key: string }) => template.key)).toEqual([
      'services',
      'saas',
      'product',
      'nonprofit',
      'cafe',
    ]);
    expect((await book.operation('initialize-chart-of-accounts', { template: 'none' })).status).toBe(422);
  });
});

describe('an event with journal entries', () => {
  it('writes transaction, entry and lines, and shows them in every read (ledger L-48 to L-50, L-64, L-65)', async () => {
    const book = await books();
    const recorded = await book.operation(
      'create-event-block',
      entry(
        book,
        '2026-03-31',
        [
          ['6000', 520_000, 0],
          ['1000', 0, 418_000],
          ['2200', 0, 102_000],
        ],
        { external_id: 'payroll-1', amount: -520_000 },
      ),
    );
    expect(recorded.status).toBe(200);
    expect(recorded.body.result).toMatchObject({
      status: 'fulfilled',
      event_type: 'journal_entry_recorded',
      external_id: 'payroll-1',
      amount: -520_000,
      currency: 'USD',
    });
    const data = await book.query(`{
      transactions { transactions { id amount date status type } pagination { total } }
      journalEntries { entries { transactionId totalDebit totalCredit balanced status triggeredByEventId lineItems { accountCode accountName debitAmount creditAmount lineOrder } } }
      trialBalance { totalDebits totalCredits rows { accountCode totalDebits totalCredits netBalance } }
      summary { transactionCount entryCount lineItemCount accountCount earliestTransactionDate }
      eventBlocks { id status externalId metadata } }`);
    expect(data['transactions'].transactions[0]).toMatchObject({
      amount: 5200,
      date: '2026-03-31',
      status: 'posted',
      type: 'journal_entry_recorded',
    });
    expect(data['journalEntries'].entries[0]).toMatchObject({
      totalDebit: 5200,
      balanced: true,
      status: 'posted',
      triggeredByEventId: recorded.body.result.id,
    });
    expect(
      data['journalEntries'].entries[0].lineItems.map((line: { accountCode: string; lineOrder: number }) => [
        line.accountCode,
        line.lineOrder,
      ]),
    ).toEqual([
      ['6000', 1],
      ['1000', 2],
      ['2200', 3],
    ]);
    expect(data['trialBalance']).toEqual({
      totalDebits: 5200,
      totalCredits: 5200,
      rows: [
        { accountCode: '1000', totalDebits: 0, totalCredits: 4180, netBalance: -4180 },
        { accountCode: '2200', totalDebits: 0, totalCredits: 1020, netBalance: -1020 },
        { accountCode: '6000', totalDebits: 5200, totalCredits: 0, netBalance: 5200 },
      ],
    });
    expect(data['summary']).toEqual({
      transactionCount: 1,
      entryCount: 1,
      lineItemCount: 3,
      accountCount: 46,
      earliestTransactionDate: '2026-03-31',
    });
    const detail = await book.query(
      `{ transaction(transactionId: "${data['transactions'].transactions[0].id}") { amount entries { memo lineItems { debitAmount } } } }`,
    );
    expect(detail['transaction']).toMatchObject({ amount: 5200, entries: [{ memo: 'test' }] });
    expect((await book.query('{ transaction(transactionId: "txn_none") { id } }'))['transaction']).toBeNull();
  });

  it('reproduces the month of the consultancy, once posted (ledger 13.1 rows 3 to 7)', async () => {
    const book = await books();
    const month: readonly (readonly [string, readonly Leg[]])[] = [
      [
        '2026-03-01',
        [
          ['1000', 4_000_000, 0],
          ['3000', 0, 4_000_000],
        ],
      ],
      [
        '2026-03-02',
        [
          ['6100', 240_000, 0],
          ['1000', 0, 240_000],
        ],
      ],
      [
        '2026-03-05',
        [
          ['1100', 1_250_000, 0],
          ['4000', 0, 1_250_000],
        ],
      ],
      [
        '2026-03-08',
        [
          ['1300', 360_000, 0],
          ['1000', 0, 360_000],
        ],
      ],
      [
        '2026-03-20',
        [
          ['1000', 750_000, 0],
          ['1100', 0, 750_000],
        ],
      ],
      [
        '2026-03-25',
        [
          ['5000', 185_000, 0],
          ['2000', 0, 185_000],
        ],
      ],
      [
        '2026-03-31',
        [
          ['6000', 520_000, 0],
          ['1000', 0, 418_000],
          ['2200', 0, 102_000],
        ],
      ],
      [
        '2026-03-31',
        [
          ['6300', 30_000, 0],
          ['1300', 0, 30_000],
        ],
      ],
    ];
    for (const [date, legs] of month)
      expect((await book.operation('create-event-block', entry(book, date, legs))).status).toBe(200);
    const { trialBalance } = await book.query(
      '{ trialBalance { totalDebits totalCredits rows { accountCode totalDebits totalCredits netBalance } } }',
    );
    expect(trialBalance.totalDebits).toBe(73_350);
    expect(
      trialBalance.rows.map((row: Record<string, unknown>) => [
        row['accountCode'],
        row['totalDebits'],
        row['totalCredits'],
        row['netBalance'],
      ]),
    ).toEqual([
      ['1000', 47_500, 10_180, 37_320],
      ['1100', 12_500, 7_500, 5_000],
      ['1300', 3_600, 300, 3_300],
      ['2000', 0, 1_850, -1_850],
      ['2200', 0, 1_020, -1_020],
      ['3000', 0, 40_000, -40_000],
      ['4000', 0, 12_500, -12_500],
      ['5000', 1_850, 0, 1_850],
      ['6000', 5_200, 0, 5_200],
      ['6100', 2_400, 0, 2_400],
      ['6300', 300, 0, 300],
    ]);
    const { mappings } = await book.query('{ mappings { structures { id } } }');
    const { mappedTrialBalance } = await book.query(
      `{ mappedTrialBalance(mappingId: "${mappings.structures[0].id}") { rows { qname netBalance } } }`,
    );
    expect(mappedTrialBalance.rows).toContainEqual({
      qname: 'rs-gaap:CashAndCashEquivalentsAtCarryingValue',
      netBalance: 37_320,
    });
    expect(
      mappedTrialBalance.rows.reduce(
        (sum: number, row: { netBalance: number }) => sum + Math.round(row.netBalance * 100),
        0,
      ),
    ).toBe(0);
    const april = await book.query('{ trialBalance(startDate: "2026-04-01") { rows { accountCode } totalDebits } }');
    expect(april['trialBalance']).toEqual({ rows: [], totalDebits: 0 });
  });

  it('leaves drafts out of every balance (ledger L-40)', async () => {
    const book = await books();
    const draft = entry(book, '2026-03-31', [
      ['1000', 5, 0],
      ['4000', 0, 5],
    ]);
    const made = await book.operation('create-event-block', {
      ...draft,
      metadata: { ...(draft as { metadata: object }).metadata, status: 'draft' },
    });
    expect(made.body.result.status).toBe('classified');
    const data = await book.query(
      '{ trialBalance { rows { accountCode } } journalEntries(status: "draft") { pagination { total } } transactions { transactions { status } } }',
    );
    expect(data).toMatchObject({
      trialBalance: { rows: [] },
      journalEntries: { pagination: { total: 1 } },
      transactions: { transactions: [{ status: 'pending' }] },
    });
  });

  it('may hold several entries in one transaction (ledger L-51, L-87)', async () => {
    const book = await books();
    const lines = (cents: number) => [
      { element_id: book.id('1000'), debit_amount: cents },
      { element_id: book.id('4000'), credit_amount: cents },
    ];
    const made = await book.operation('create-event-block', {
      ...entry(book, '2026-03-31', []),
      metadata: {
        status: 'posted',
        entries: [
          { posting_date: '2026-03-30', memo: 'a', line_items: lines(1) },
          { posting_date: '2026-04-01', memo: 'b', line_items: lines(2) },
        ],
      },
    });
    expect(made.status).toBe(200);
    expect((await book.query(counts))['summary']).toEqual({ transactionCount: 1, entryCount: 2, lineItemCount: 4 });
  });

  it('is only recorded without apply_handlers (ledger L-85)', async () => {
    const book = await books();
    const captured = await book.operation('create-event-block', {
      ...entry(book, '1999-01-01', []),
      apply_handlers: false,
      metadata: { note: 'kept' },
    });
    expect(captured.body.result).toMatchObject({ status: 'captured', metadata: { note: 'kept' } });
    expect((await book.query(counts))['summary']).toEqual({ transactionCount: 0, entryCount: 0, lineItemCount: 0 });
    const { eventBlock } = await book.query(`{ eventBlock(id: "${captured.body.result.id}") { status metadata } }`);
    expect(eventBlock).toEqual({ status: 'captured', metadata: { note: 'kept' } });
  });

  it('carries amounts beyond 32 bits (ledger L-4a)', async () => {
    const book = await books();
    const big = await book.operation(
      'create-event-block',
      entry(
        book,
        '2026-03-31',
        [
          ['1000', 3_000_000_000, 0],
          ['3000', 0, 3_000_000_000],
        ],
        { amount: 3_000_000_000 },
      ),
    );
    const { eventBlock } = await book.query(`{ eventBlock(id: "${big.body.result.id}") { amount } }`);
    expect(eventBlock.amount).toBe(3_000_000_000);
  });

  it('is taken once for a source and external id, also when callers race (ledger L-83, L-201)', async () => {
    const book = await books();
    const body = entry(
      book,
      '2026-03-31',
      [
        ['1000', 7, 0],
        ['4000', 0, 7],
      ],
      { external_id: 'same' },
    );
    const answers = await Promise.all(Array.from({ length: 8 }, () => book.operation('create-event-block', body)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    const refused = answers.filter((answer) => answer.status === 409);
    expect(refused).toHaveLength(7);
    expect(new Set(refused.map((answer) => answer.body.detail))).toEqual(
      new Set(['Event already ingested for this source and external_id']),
    );
    const later = await book.operation('create-event-block', body);
    expect(later.headers.get('x-existing-event-id')).toBe(
      answers.find((answer) => answer.status === 200)?.body.result.id,
    );
    expect((await book.query(counts))['summary'].transactionCount).toBe(1);
  });
});

describe('a reversal', () => {
  it('undoes a posted entry once, and can be undone itself (ledger L-60, L-61, L-63, L-204)', async () => {
    const book = await books();
    await book.operation(
      'create-event-block',
      entry(book, '2026-03-15', [
        ['6100', 240_000, 0],
        ['1000', 0, 240_000],
      ]),
    );
    const { journalEntries } = await book.query('{ journalEntries { entries { id } } }');
    const reverse = (id: string, more: object = {}) =>
      book.operation('create-event-block', {
        ...entry(book, '2026-04-01', []),
        event_type: 'journal_entry_reversed',
        metadata: { entry_id: id, ...more },
      });
    const undone = await reverse(journalEntries.entries[0].id, { posting_date: '2026-04-02' });
    expect(undone.body.result).toMatchObject({ status: 'fulfilled' });
    const after = await book.query(
      '{ march: trialBalance(endDate: "2026-03-31") { rows { netBalance } } april: trialBalance(startDate: "2026-04-01") { rows { accountCode netBalance } } all: trialBalance { rows { netBalance } } journalEntries { entries { id status type reversalOf memo } } }',
    );
    expect(after['march'].rows.map((row: { netBalance: number }) => row.netBalance)).toEqual([-2400, 2400]);
    expect(after['april'].rows).toEqual([
      { accountCode: '1000', netBalance: 2400 },
      { accountCode: '6100', netBalance: -2400 },
    ]);
    expect(after['all'].rows.map((row: { netBalance: number }) => row.netBalance)).toEqual([0, 0]);
    expect(after['journalEntries'].entries).toMatchObject([
      {
        status: 'posted',
        type: 'reversing',
        reversalOf: journalEntries.entries[0].id,
        memo: `Reversal of journal entry ${journalEntries.entries[0].id}`,
      },
      { status: 'reversed' },
    ]);
    expect((await reverse(journalEntries.entries[0].id)).body.detail).toContain('at most once');
    expect((await reverse('je_unknown')).status).toBe(404);
    expect((await reverse(after['journalEntries'].entries[0].id)).status).toBe(200);
  });

  it('is refused for a draft, and happens once among racing callers (ledger L-61, L-210)', async () => {
    const book = await books();
    const draft = entry(book, '2026-03-15', [
      ['6100', 1, 0],
      ['1000', 0, 1],
    ]);
    await book.operation('create-event-block', {
      ...draft,
      metadata: { ...(draft as { metadata: object }).metadata, status: 'draft' },
    });
    await book.operation(
      'create-event-block',
      entry(book, '2026-03-16', [
        ['6100', 2, 0],
        ['1000', 0, 2],
      ]),
    );
    const { journalEntries } = await book.query('{ journalEntries { entries { id status } } }');
    const idOf = (status: string) =>
      journalEntries.entries.find((each: { status: string }) => each.status === status).id;
    const reverse = (id: string) =>
      book.operation('create-event-block', {
        ...entry(book, '2026-04-01', []),
        event_type: 'journal_entry_reversed',
        metadata: { entry_id: id },
      });
    expect((await reverse(idOf('draft'))).body.detail).toContain("is 'draft'; only posted entries can be reversed");
    const answers = await Promise.all(Array.from({ length: 6 }, () => reverse(idOf('posted'))));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
  });
});

describe('bad input', () => {
  let book: Books;
  beforeAll(async () => {
    book = await books();
    await book.operation(
      'create-event-block',
      entry(
        book,
        '2026-03-31',
        [
          ['1000', 100, 0],
          ['4000', 0, 100],
        ],
        { external_id: 'there' },
      ),
    );
  });

  const good = (): Loose =>
    entry(book, '2026-03-31', [
      ['1000', 100, 0],
      ['4000', 0, 100],
    ]);
  const withLines = (line_items: unknown) => () => ({ ...good(), metadata: { ...good()['metadata'], line_items } });
  const legs = (debit: unknown, credit: unknown) => withLinesOf(debit, credit);
  function withLinesOf(debit: unknown, credit: unknown) {
    return () => ({
      ...good(),
      metadata: {
        ...good()['metadata'],
        line_items: [
          { element_id: book.id('1000'), debit_amount: debit },
          { element_id: book.id('4000'), credit_amount: credit },
        ],
      },
    });
  }

  const cases: readonly (readonly [string, () => object, number, RegExp])[] = [
    [
      'an unbalanced entry (ledger L-46)',
      legs(100, 99),
      422,
      /does not balance: total_debit=100 total_credit=99 \(difference=1\)/,
    ],
    ['an empty entry', withLines([]), 422, /at least 2/],
    ['one line', () => withLines([{ element_id: book.id('1000'), debit_amount: 1 }])(), 422, /at least 2/],
    ['a line without an amount (ledger L-45)', legs(0, 0), 422, /Line item 0: must have a non-zero/],
    ['a negative amount (ledger L-45)', legs(-5, -5), 422, /non-negative/],
    ['a fraction of a cent (ledger L-2)', legs(12.5, 12.5), 422, /whole number of minor units/],
    ['an amount as text (ledger L-2)', legs('1200', '1200'), 422, /whole number of minor units/],
    [
      'an amount beyond 2^53−1 (ledger L-2)',
      legs(9007199254740992, 9007199254740992),
      422,
      /whole number of minor units/,
    ],
    [
      'an unknown account (ledger L-47)',
      () => ({
        ...good(),
        metadata: {
          ...good()['metadata'],
          line_items: [
            { element_id: 'elem_none', debit_amount: 1 },
            { element_id: book.id('4000'), credit_amount: 1 },
          ],
        },
      }),
      422,
      /Element\(s\) not found: \[elem_none\]/,
    ],
    [
      'a line without an account (ledger L-45)',
      () => ({
        ...good(),
        metadata: {
          ...good()['metadata'],
          line_items: [{ debit_amount: 1 }, { element_id: book.id('4000'), credit_amount: 1 }],
        },
      }),
      422,
      /Line item 0: missing element_id/,
    ],
    ['an unknown currency (ledger L-5)', () => ({ ...good(), currency: 'usd' }), 422, /not an ISO 4217 code/],
    [
      'a date that does not exist',
      () => ({ ...good(), metadata: { ...good()['metadata'], posting_date: '2026-02-30' } }),
      422,
      /posting_date/,
    ],
    [
      'both metadata shapes (ledger L-87)',
      () => ({ ...good(), metadata: { ...good()['metadata'], entries: [] } }),
      422,
      /not both and not neither/,
    ],
    [
      'a category of another class (ledger L-66)',
      () => ({ ...good(), event_category: 'control' }),
      422,
      /is not valid for event_class/,
    ],
    [
      'a reserved type (ledger L-67)',
      () => ({ ...good(), event_type: 'balance_observed' }),
      422,
      /written only by its own operation/,
    ],
    [
      'an unknown source (ledger L-84)',
      () => ({ ...good(), source: 'somewhere' }),
      422,
      /Unknown event source 'somewhere'/,
    ],
    [
      'protected metadata (ledger L-76)',
      () => ({ ...good(), metadata: { ...good()['metadata'], qb_external_id: 'x' } }),
      422,
      /system-maintained/,
    ],
    [
      'a type without a handler (ledger L-86)',
      () => ({ ...good(), event_type: 'moon_landing' }),
      404,
      /No active handler found for event_type='moon_landing'/,
    ],
    [
      'a transaction that is not there (ledger L-50)',
      () => ({ ...good(), metadata: { ...good()['metadata'], transaction_id: 'txn_none' } }),
      422,
      /transaction 'txn_none' was not found/,
    ],
    ['an agent that is not there (ledger L-69)', () => ({ ...good(), agent_id: 'agt_none' }), 422, /agent_id/],
    ['a second delivery (ledger L-83)', () => ({ ...good(), external_id: 'there' }), 409, /already ingested/],
    ['a body that is no event', () => ({}), 422, /event_type: Field required/],
  ];

  it.each(cases)('refuses %s and changes nothing', async (_name, body, status, message) => {
    const before = await book.query(
      '{ summary { transactionCount entryCount lineItemCount } eventBlocks(limit: 1000) { id } trialBalance { totalDebits } }',
    );
    const refused = await book.operation('create-event-block', body());
    expect(refused.status).toBe(status);
    expect(refused.body.detail).toMatch(message);
    expect(
      await book.query(
        '{ summary { transactionCount entryCount lineItemCount } eventBlocks(limit: 1000) { id } trialBalance { totalDebits } }',
      ),
    ).toEqual(before);
  });

  it('refuses a closed month, also one before the first row, and takes an absent one that is open (ledger L-17, L-18, L-151)', async () => {
    const graph = await user.createGraph('Closed', ['ledger']);
    const post = (name: string, body: object) => user.post(`/extensions/ledger/${graph}/operations/${name}`, body);
    await post('initialize-chart-of-accounts', { template: 'services' });
    const { accounts } = (await user.graphql(graph, '{ accounts(limit: 200) { accounts { id code } } }')).body.data
      .accounts;
    const idOf = (code: string): string => accounts.find((account: { code: string }) => account.code === code).id;
    const own: Books = { ...book, id: idOf };
    const record = (date: string) =>
      post(
        'create-event-block',
        entry(own, date, [
          ['1000', 1, 0],
          ['4000', 0, 1],
        ]),
      );
    expect((await record('2019-05-05')).status).toBe(200); // Before there is a calendar, nothing is closed.
    await post('initialize', { closed_through: '2026-01', earliest_data_period: '2025-12' });
    const refused = await record('2026-01-15');
    expect(refused.status).toBe(422);
    expect(refused.body.detail).toBe(
      "Cannot write to closed period '2026-01' (posting_date=2026-01-15). Reopen the period first if an adjustment is needed.",
    );
    expect((await record('2025-06-15')).body.detail).toContain("closed period '2025-06'");
    expect((await record('2026-02-15')).status).toBe(200);
    expect((await record('2026-09-15')).status).toBe(200);
    const calendar = (await user.graphql(graph, '{ fiscalCalendar { periods { name status } } }')).body.data
      .fiscalCalendar;
    expect(calendar.periods.at(-1)).toEqual({ name: '2026-09', status: 'open' });
    expect((await user.graphql(graph, '{ trialBalance { totalDebits } }')).body.data.trialBalance.totalDebits).toBe(
      0.03,
    );
  });

  it('keeps a graph from posting to the accounts of another (ledger L-1)', async () => {
    const other = await books();
    const refused = await other.operation('create-event-block', good());
    expect(refused.body.detail).toMatch(/Element\(s\) not found/);
  });

  it('lets a viewer read and not write (ledger L-7)', async () => {
    const stranger = await service.newUser('Stranger');
    expect((await stranger.post(`/extensions/ledger/${book.graph}/operations/create-event-block`, good())).status).toBe(
      403,
    );
    expect((await stranger.graphql(book.graph, '{ summary { entryCount } }')).status).toBe(403);
  });
});
