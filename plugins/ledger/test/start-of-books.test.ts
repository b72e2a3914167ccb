/** @module-tag sessions */
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bookOf, entry, type Loose, openBooks, startLedger } from './books.ts';

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  ({ service, user } = await startLedger());
});
afterAll(async () => {
  await service.close();
});

describe('initialize and initialize-chart-of-accounts', () => {
  it('creates the calendar once, with its months (ledger L-12 to L-16)', async () => {
    const book = await openBooks(user);
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

  it('rejects invalid months (ledger L-13)', async () => {
    const graph = await user.createGraph('Late', ['ledger']);
    const initialize = (body: object) => user.post(`/extensions/ledger/${graph}/operations/initialize`, body);
    for (const body of [
      { closed_through: '2026-04' },
      { closed_through: 'March' },
      { fiscal_year_start_month: 13 },
      { earliest_data_period: '2026-05' },
      { earliest_data_period: '0001-01' },
      { note: 'a\u0000b' },
    ]) {
      expect((await initialize(body)).status).toBe(422);
    }
    expect((await user.graphql(graph, '{ fiscalCalendar { closedThrough } }')).body.data.fiscalCalendar).toBeNull();
    expect((await initialize({ auto_seed_schedules: true })).body.result.warnings).toHaveLength(1);
  });

  it('does not close months over drafts, which nothing would post then (ledger L-13)', async () => {
    const graph = await user.createGraph('Drafts', ['ledger']);
    const operation = (name: string, body: object) => user.post(`/extensions/ledger/${graph}/operations/${name}`, body);
    await operation('initialize-chart-of-accounts', { template: 'services', entity_type: 'llc' });
    const book = await bookOf(user, graph);
    for (const [date, status] of [
      ['2025-11-10', 'draft'],
      ['2026-02-28', 'draft'],
      ['2026-01-05', 'posted'],
      ['2026-03-01', 'draft'],
    ] as const) {
      const event = entry(book, date, [
        ['1000', 5, 0],
        ['4000', 0, 5],
      ]) as Loose;
      const answer = await operation('create-event-block', { ...event, metadata: { ...event.metadata, status } });
      expect(answer.status).toBe(200);
    }
    const calendar = { earliest_data_period: '2025-12', closed_through: '2026-02' };
    const refused = await operation('initialize', calendar);
    expect([refused.status, refused.body.detail]).toMatchObject([
      422,
      expect.stringMatching(/^closed_through: 2 draft\(s\) from 2025-11-10 to 2026-02-28 lie in months/),
    ]);
    expect((await user.graphql(graph, '{ fiscalCalendar { closedThrough } }')).body.data.fiscalCalendar).toBeNull();
    expect((await operation('initialize', { ...calendar, closed_through: '2025-10' })).status).toBe(200);
  });

  it('creates a mapped chart from a template once, for the legal form (ledger L-19 to L-23)', async () => {
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
    const llc = await openBooks(user);
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

  it.each([
    ['services', 47, 47],
    ['saas', 54, 54],
    ['product', 56, 56],
    ['nonprofit', 41, 40],
    ['cafe', 54, 54],
  ])(
    'creates the whole %s chart, with every concept known to the library (ledger L-23, L-27)',
    async (template, accounts, mapped) => {
      const graph = await user.createGraph('Template', ['ledger']);
      const made = await user.post(`/extensions/ledger/${graph}/operations/initialize-chart-of-accounts`, { template });
      expect(made.body.result).toMatchObject({ elements_created: accounts, mappings_created: mapped, unresolved: [] });
      const { chartTemplates } = (await user.graphql(graph, '{ chartTemplates { key accountCount } }')).body.data;
      expect(chartTemplates).toContainEqual({ key: template, accountCount: accounts });
    },
  );

  it('offers the chart templates (ledger L-25, L-26)', async () => {
    const book = await openBooks(user);
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

describe('journal_entry_reversed', () => {
  it('reverses a posted entry once, and can be reversed itself (ledger L-60, L-61, L-63, L-204)', async () => {
    const book = await openBooks(user);
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

  it('rejects reversing a draft, and reverses an entry once among racing callers (ledger L-61, L-210)', async () => {
    const book = await openBooks(user);
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
