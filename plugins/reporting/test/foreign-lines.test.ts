/** @module-tag sessions */
import blocks from '@pacioli/blocks';
import ledger from '@pacioli/ledger';
import taxonomy from '@pacioli/taxonomy';
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import reporting from '../src/index.ts';
import { createReport, type Loose, openExampleBooks } from './example-books.ts';

let service: TestService;
let user: TestClient;
beforeAll(async () => {
  service = await startTestService({
    plugins: [reporting, taxonomy, blocks, ledger],
    aliases: { ledger: ['roboledger'] },
    clock: fixedClock('2026-05-10T12:00:00Z'),
    settings: { orgs: { maxGraphs: -1 } },
  });
  user = await service.newUser('Ann');
});
afterAll(async () => {
  await service.close();
});

/** Creates books with one owner contribution in each of these currencies, on the given day. */
async function books(contributions: readonly (readonly [currency: string, date: string])[]): Promise<string> {
  const graph = await user.createGraph('Statements', ['roboledger']);
  const base = `/extensions/roboledger/${graph}/operations`;
  await user.post(`${base}/initialize-chart-of-accounts`, { template: 'services', entity_type: 'corporation' });
  const answer = await user.graphql(graph, '{ accounts(limit: 200) { accounts { id code } } }');
  const accounts: readonly { id: string; code: string }[] = answer.body.data.accounts.accounts;
  const idOf = (code: string) => accounts.find((account) => account.code === code)?.id;
  for (const [currency, date] of contributions) {
    const made = await user.post(`${base}/create-event-block`, {
      event_type: 'journal_entry_recorded',
      event_category: 'financing',
      occurred_at: `${date}T09:00:00Z`,
      source: 'manual',
      currency,
      apply_handlers: true,
      metadata: {
        posting_date: date,
        memo: 'test',
        status: 'posted',
        line_items: [
          { element_id: idOf('1000'), debit_amount: 10_000, credit_amount: 0 },
          { element_id: idOf('3000'), debit_amount: 0, credit_amount: 10_000 },
        ],
      },
    });
    expect([made.status, made.body.detail]).toEqual([200, undefined]);
  }
  return graph;
}

const validation = async (graph: string, body: object) =>
  (await user.post(`/extensions/roboledger/${graph}/operations/live-financial-statement`, body)).body.result.validation;

describe('live-financial-statement', () => {
  it('fails a balance sheet that leaves out posted lines in another currency, column by column (ledger L-5a)', async () => {
    const graph = await books([
      ['USD', '2026-03-05'],
      ['EUR', '2026-03-06'],
      ['GBP', '2026-04-06'],
    ]);
    const found = await validation(graph, {
      statement_type: 'balance_sheet',
      period_start: '2026-04-01',
      period_end: '2026-04-30',
    });
    expect(found).toMatchObject({
      passed: false,
      status: 'failed',
      checks: ['accounting_equation', 'totals_foot', 'foreign_currency_lines'],
      failures: [
        '[Current] foreign_currency_lines: 4 posted lines are not in USD and left out: EUR 2, GBP 2',
        '[Prior] foreign_currency_lines: 2 posted lines are not in USD and left out: EUR 2',
      ],
    });
  });

  it('fails an income statement only for lines within its own window (ledger L-5a)', async () => {
    const graph = await books([
      ['USD', '2026-03-05'],
      ['EUR', '2026-03-06'],
    ]);
    const of = (periodStart: string, periodEnd: string) =>
      validation(graph, { statement_type: 'income_statement', period_start: periodStart, period_end: periodEnd });
    expect(await of('2026-03-01', '2026-03-31')).toMatchObject({
      status: 'failed',
      failures: ['[Current] foreign_currency_lines: 2 posted lines are not in USD and left out: EUR 2'],
    });
    expect(await of('2026-05-01', '2026-05-31')).toMatchObject({
      status: 'passed',
      checks: ['net_income_equation', 'totals_foot'],
    });
  });
});

describe('a report', () => {
  it('dates a statement that foreign lines leave empty by its period (reporting G-7a)', async () => {
    const books = await openExampleBooks(user);
    // The first posted entry sets the currency of the books (ledger L-5a).
    await books.post('2026-02-27', [
      ['1000', 500, 0],
      ['3000', 0, 500],
    ]);
    const { accounts } = await books.query('{ accounts(limit: 200) { accounts { id code } } }');
    const idOf = (code: string) => accounts.accounts.find((account: Loose) => account.code === code)?.id;
    await books.done('create-event-block', {
      event_type: 'journal_entry_recorded',
      event_category: 'other',
      occurred_at: '2026-03-06T09:00:00Z',
      source: 'manual',
      currency: 'EUR',
      apply_handlers: true,
      metadata: {
        posting_date: '2026-03-06',
        memo: 'sale',
        status: 'posted',
        line_items: [
          { element_id: idOf('1100'), debit_amount: 10_000, credit_amount: 0 },
          { element_id: idOf('4000'), debit_amount: 0, credit_amount: 10_000 },
        ],
      },
    });
    const { id } = await createReport(books, {
      period_start: '2026-03-01',
      period_end: '2026-03-31',
      comparative: false,
    });
    const path = `/v1/graphs/${books.graph}/reports/${id}/download?format=text`;
    const text = await (await fetch(`${user.url}${path}`, { headers: user.headers })).text();
    expect(text).toContain('Income Statement, Multi-Step\nCurrent: Mar 1, 2026 to Mar 31, 2026\n');
    expect(text).toContain('Cash Flow Statement, Indirect\nCurrent: Mar 1, 2026 to Mar 31, 2026\n');
    expect(text).toContain('Balance Sheet, Classified\nCurrent: Mar 31, 2026\n');
  });
});
