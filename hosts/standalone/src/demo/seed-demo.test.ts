import blocks from '@pacioli/blocks';
import graph from '@pacioli/graph';
import { connectLedger, type LedgerApi } from '@pacioli/import-beancount/client';
import ledger from '@pacioli/ledger';
import reporting from '@pacioli/reporting';
import taxonomy from '@pacioli/taxonomy';
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import Big from 'big.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { movementOf } from './company/demo-event.ts';
import { demoCompany, demoEvents } from './company.ts';
import { money, renderBooks } from './print-books.ts';
import { type DemoAccess, type DemoState, seedDemo } from './seed-demo.ts';
import { exampleRequests } from './welcome.ts';

/**
 * Goal: the service reports the totals that the demo rules add up to, even after an interrupted seeding.
 * Method: seeding is interrupted twice, resumes from its last state, and every number is compared to the cent.
 */
const events = demoEvents();
const end = { to: '2025-12-31' };
const results = ['4', '5', '6', '7', '8'];

let service: TestService;
let access: DemoAccess;
let client: TestClient;
let api: LedgerApi;
const states: DemoState[] = [];
const brokenOff = new Error('broken off');

beforeAll(async () => {
  service = await startTestService({
    plugins: [graph, taxonomy, blocks, ledger, reporting],
    aliases: { ledger: ['roboledger'] },
    clock: fixedClock('2026-03-02T09:00:00Z'),
  });
  const breakAt = (count: number) => (done: number) => {
    if (done === count) throw brokenOff;
  };
  const onState = (state: DemoState) => {
    states.push(state);
  };
  const { url } = service;
  await expect(seedDemo({ url, onState, onProgress: breakAt(30) })).rejects.toBe(brokenOff);
  // The second run knows only the user, as if the first was killed before it could save more.
  const { email, password } = states[0] ?? { email: '', password: '' };
  await expect(seedDemo({ url, state: { email, password }, onState, onProgress: breakAt(90) })).rejects.toBe(brokenOff);
  access = await seedDemo({ url, state: states.at(-1), onState });
  client = service.anonymous.withHeaders({ 'x-api-key': access.apiKey });
  api = connectLedger(access);
});
afterAll(async () => {
  await service.close();
});

/** Cents as formatted on the wire. */
function dollars(cents: number): number {
  return new Big(cents).div(100).toNumber();
}

interface PrintedBalance {
  readonly totalDebits: number;
  readonly totalCredits: number;
  readonly rows: readonly { readonly accountName: string; readonly netBalance: number }[];
}

interface BalanceRow {
  readonly accountCode: string;
  readonly netBalance: number;
}

describe('seeding after two interruptions', () => {
  it('keeps the user and the graph, and completes', async () => {
    expect(new Set(states.map((state) => state.password)).size).toBe(1);
    expect(new Set(states.flatMap((state) => state.graphId ?? [])).size).toBe(1);
    expect(states.at(-1)).toMatchObject({ isComplete: true, apiKey: access.apiKey, graphId: access.graphId });
    const { graphs } = (await client.get('/v1/graphs')).body;
    expect(graphs).toHaveLength(1);
  });

  it('writes every event exactly once', async () => {
    const { body } = await client.graphql(access.graphId, '{ summary { transactionCount lineItemCount } }');
    const lineItemCount = events.flatMap((event) => event.lines).length;
    expect(body.data.summary).toEqual({ transactionCount: events.length, lineItemCount });
  });
});

describe('seeded demo books', () => {
  it('match the trial balance of the demo rules for each account to the cent (ledger L-197)', async () => {
    const query = '{ trialBalance { totalDebits totalCredits rows { accountCode netBalance } } }';
    const { trialBalance } = (await client.graphql(access.graphId, query)).body.data;
    const debits = events.flatMap((event) => event.lines).reduce((sum, line) => sum + line.debitCents, 0);
    expect([trialBalance.totalDebits, trialBalance.totalCredits]).toEqual([dollars(debits), dollars(debits)]);
    const rows: readonly BalanceRow[] = trialBalance.rows;
    const codes = [...new Set(events.flatMap((event) => event.lines.map((line) => line.code)))].sort();
    expect(rows.map(({ accountCode, netBalance }) => [accountCode, netBalance])).toEqual(
      codes.map((code) => [code, dollars(movementOf(events, [code], end))]),
    );
  });

  it('print as tables of at most 100 columns without colors, in which debits equal credits', async () => {
    const text = await renderBooks(api, access.graphId);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(text).not.toContain('\u001b');
    const [, debits, credits, balance] = /│ Total +│ +([\d,.]+) │ +([\d,.]+) │ +([\d,.]+) │/.exec(text) ?? [];
    expect([debits, balance]).toEqual([credits, '0.00']);
  });

  it('print the totals and balances that the first example request returns', async () => {
    const [request] = exampleRequests(access);
    if (request === undefined) throw new Error('There is no request to try.');
    const { url, headers, body } = request;
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const { trialBalance } = ((await answer.json()) as { data: { trialBalance: PrintedBalance } }).data;
    const text = await renderBooks(api, access.graphId);
    const totals = [trialBalance.totalDebits, trialBalance.totalCredits, 0].map((amount) => money(new Big(amount)));
    expect(text).toMatch(new RegExp(`│ Total +│ +${totals.join(' │ +')} │`));
    for (const { accountName, netBalance } of trialBalance.rows)
      expect(text).toMatch(new RegExp(`${accountName.slice(0, 20)}.*│ +${money(new Big(netBalance))} │`));
  });

  it('print statements that balance at both year ends and show the net income of each year', async () => {
    const text = await renderBooks(api, access.graphId);
    const [, ...assets] = /^Assets +([\d,.]+) +([\d,.]+)$/m.exec(text) ?? [];
    const [, ...claims] = /^Liabilities and Equity +([\d,.]+) +([\d,.]+)$/m.exec(text) ?? [];
    const [, ...income] = /^Net Income \(Loss\) +([(\d,.]+\)?) +([(\d,.]+\)?)$/m.exec(text) ?? [];
    const inDollars = (cents: number): string => money(new Big(cents).div(100)).replace(/^-(.*)$/, '($1)');
    expect(assets).toEqual(['2025-12-31', '2024-12-31'].map((to) => inDollars(movementOf(events, ['1'], { to }))));
    expect(claims).toEqual(assets);
    expect(income).toEqual(
      ['2025', '2024'].map((year) =>
        inDollars(-movementOf(events, results, { from: `${year}-01-01`, to: `${year}-12-31` })),
      ),
    );
  });

  it('print each figure of a statement once, below the company, the dates and the currency (reporting G-7a)', async () => {
    const [, balanceSheet = '', incomeStatement = ''] = (await renderBooks(api, access.graphId)).split('\n\n\n');
    expect(incomeStatement.split('\n').slice(0, 3)).toEqual([
      demoCompany.name,
      'Income statement: Jan 1, 2025 to Dec 31, 2025 and Jan 1, 2024 to Dec 31, 2024',
      'Amounts in USD.',
    ]);
    for (const text of [balanceSheet, incomeStatement]) {
      expect(text).not.toMatch(/…| =/);
      // The amounts of a line that stands for its total, and of equal totals, would be there twice.
      const amounts = text
        .split('\n')
        .flatMap((line) => / {2,}(\(?\d[\d,.]+\)? +\(?\d[\d,.]+\)?)$/.exec(line)?.[1] ?? []);
      const repeated = amounts.filter((each, index) => amounts.indexOf(each) < index);
      // Assets equal liabilities and equity.
      expect(repeated).toHaveLength(text === balanceSheet ? 1 : 0);
    }
  });

  it('support each example request of the welcome text, and show the posted entry', async () => {
    const before = (await client.graphql(access.graphId, '{ trialBalance { totalDebits } }')).body.data.trialBalance;
    const answers = [];
    for (const { url, headers, body } of exampleRequests(access)) {
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      expect([url, response.status]).toEqual([url, 200]);
      answers.push(await response.json());
    }
    expect(answers[0]).toMatchObject({ data: { entity: { name: 'Larkspur Cycle Works, Inc.' } } });
    expect(answers[1]).toMatchObject({ status: 'completed', result: { status: 'fulfilled' } });
    expect(JSON.stringify(answers[2])).toContain('Operating cash');
    const after = (await client.graphql(access.graphId, '{ trialBalance { totalDebits } }')).body.data.trialBalance;
    expect(new Big(after.totalDebits).minus(before.totalDebits).toNumber()).toBe(12.5);
  });
});
