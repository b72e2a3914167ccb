/**
 * @module-tag sessions
 * @module-tag engines
 */
// Goal: the views over the analytical graph give the figures of the books. Method: the worked example with two reports
// and metrics, materialized; the views are compared with the figures of the specification.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createReport,
  type ExampleBooks,
  openExampleBooks,
  postExample,
  type ReportingService,
  startReporting,
  statementOf,
} from './example-books.ts';
import { materialize, startWithGraphs } from './graph-books.ts';

let reporting: ReportingService;
let books: ExampleBooks;
let reportId: string;
beforeAll(async () => {
  reporting = await startWithGraphs();
  books = await openExampleBooks(reporting.user);
  await postExample(books);
  reportId = (await createReport(books)).id;
  await createReport(books, { name: 'Again' });
  await materialize(reporting, books);
});
afterAll(() => reporting.service.close());

const cash = 'rs-gaap:CashAndCashEquivalentsAtCarryingValue';
const revenues = 'rs-gaap:Revenues';
const grid = (body: object) => books.done('build-fact-grid', body);

describe('build-fact-grid', () => {
  it('has each fact once, newest first, and says which aspects they span (reporting V-5, V-6, V-9)', async () => {
    const { facts, dimensions, metadata, summary } = await grid({
      elements: [cash, revenues],
      periods: ['2026-04-30', '2026-03-31'],
    });
    const balance = { duration_type: null, period_start: null, element_id: cash };
    const flow = { duration_type: 'monthly', element_id: revenues };
    expect(facts).toMatchObject([
      { ...balance, period_end: '2026-04-30', value: 30_700, unit: 'USD' },
      { ...flow, period_start: '2026-04-01', period_end: '2026-04-30', value: 45_000 },
      { ...balance, period_end: '2026-03-31', value: 22_950 },
      { ...flow, period_start: '2026-03-01', period_end: '2026-03-31', value: 42_000 },
    ]);
    expect(Object.keys(facts[0])).not.toContain('entity_name');
    expect(dimensions).toEqual([
      { name: 'Element', type: 'element', members: [cash, revenues] },
      { name: 'Period', type: 'period', members: ['2026-04-30', '2026-03-31'] },
      { name: 'Entity', type: 'entity', members: ['LT'] },
    ]);
    expect(metadata).toMatchObject({
      // Of two reports, each value in two sets.
      facts_processed: 16,
      source: 'graph',
      truncated: false,
      period_start: '2026-03-01',
      period_end: '2026-04-30',
    });
    expect(summary).toBe(null);
  });

  it('finds concepts by their canonical name, and filters by kind of period and entity (reporting V-5)', async () => {
    const request = { canonical_concepts: ['CurrentAssets'], period_type: 'instant', limit: 1 };
    const first = await grid({ ...request, entity: 'Larkfield Tool Co.' });
    expect(first.facts).toMatchObject([
      { element_id: 'rs-gaap:AssetsCurrent', value: 67_500, entity_name: 'Larkfield Tool Co.', entity_ticker: 'LT' },
    ]);
    expect(first.metadata.truncated).toBe(true);
    expect((await grid({ ...request, entities: ['lt'] })).facts).toEqual(first.facts);
    expect((await grid({ ...request, entities: ['Nobody'] })).facts).toEqual([]);
    expect((await grid({ ...request, elements: [revenues], fiscal_year: 2026 })).facts).toHaveLength(1);
    expect((await grid({ elements: [cash], fiscal_year: 2025 })).facts).toEqual([]);
    expect((await grid({ elements: [revenues], period_type: 'annual' })).facts).toEqual([]);
  });

  it('adds up movements and not balances, and selects members of axes (reporting V-8)', async () => {
    const { summary } = await grid({ elements: [cash, revenues], fiscal_year: 2026, include_summary: true });
    expect(summary).toEqual({
      [cash]: { count: 2, min: 22_950, max: 30_700 },
      [revenues]: { count: 2, min: 42_000, max: 45_000, total: 87_000, average: 43_500 },
    });
    const selected = await grid({
      elements: [cash, revenues],
      fiscal_year: 2026,
      view_config: {
        rows: [{ type: 'element', selected_members: [cash] }],
        columns: [{ type: 'period', selected_members: ['2026-03-31'] }],
      },
    });
    expect(selected.facts).toMatchObject([{ element_id: cash, value: 22_950 }]);
  });

  it.each([
    [{ periods: ['2026-04-30'] }, 'Provide elements'],
    [{ elements: [cash] }, 'Provide periods'],
    [{ elements: [cash], period_type: 'weekly' }, 'period_type is'],
    [{ elements: [cash], fiscal_year: 2026, limit: 5_001 }, 'limit is from 1 to 5000'],
    [{ elements: [cash], fiscal_year: 2026, view_config: { rows: [{ type: 'color' }] } }, 'The type of an axis'],
    [{ elements: Array.from({ length: 501 }, () => cash), fiscal_year: 2026 }, 'at most 500'],
  ])('refuses request %# and names the argument (reporting V-5)', async (body, detail) => {
    const { status, body: answer } = await books.operation('build-fact-grid', body);
    expect(status).toBe(400);
    expect(answer.detail).toContain(detail);
  });
});

describe('financial-statement-analysis', () => {
  it('has the facts of the statement of the report, in print order (reporting V-10)', async () => {
    for (const statementType of ['income_statement', 'balance_sheet']) {
      const result = await books.done('financial-statement-analysis', {
        statement_type: statementType,
        report_id: reportId,
      });
      const { rows, periods } = await statementOf(books, reportId, statementType);
      const shown = result.facts.filter(({ end_date }: { end_date: string }) => end_date === periods[0].end);
      const expected = rows
        .filter(({ values }: { values: (number | null)[] }) => values[0] !== null && values[0] !== 0)
        .map((row: { elementQname: string; values: number[] }) => `${row.elementQname} ${row.values[0]}`);
      const found = shown.map(({ qname, value }: { qname: string; value: number }) => `${qname} ${value}`);
      expect(found).toEqual(expect.arrayContaining(expected));
      const inOrder = found.filter((each: string) => expected.includes(each));
      expect(new Set(found).size).toBe(found.length);
      expect(inOrder).toEqual(expected);
      expect(result).toMatchObject({
        report_id: reportId,
        statement_type: statementType,
        resolved_report: { report_id: reportId, fiscal_year: 2026, fiscal_period: null },
      });
    }
  });

  it('limits its rows and filters by kind of period (reporting V-10)', async () => {
    const request = { statement_type: 'income_statement', report_id: reportId };
    expect((await books.done('financial-statement-analysis', { ...request, limit: 3 })).facts).toHaveLength(3);
    expect((await books.done('financial-statement-analysis', { ...request, period_type: 'annual' })).facts).toEqual([]);
  });

  it.each([
    [{ statement_type: 'poem', report_id: 'x' }, 400, 'statement_type is'],
    [{ statement_type: 'balance_sheet' }, 400, 'Provide report_id'],
    [{ statement_type: 'balance_sheet', report_id: 'rpt_unknown' }, 404, 'not in the analytical graph'],
    [{ statement_type: 'balance_sheet', report_id: 'x', period_type: 'weekly' }, 400, 'period_type is'],
    [{ statement_type: 'balance_sheet', report_id: 'x', limit: 0 }, 400, 'limit is'],
  ])('refuses request %# and says what is wrong with it (reporting V-10)', async (body, status, detail) => {
    const answer = await books.operation('financial-statement-analysis', body);
    expect(answer.status).toBe(status);
    expect(answer.body.detail).toContain(detail);
  });
});

describe('views over the analytical graph', () => {
  it('name the next step while the graph was never built (reporting V-1)', async () => {
    const graph = await reporting.user.createGraph('New', ['ledger']);
    const path = `/extensions/ledger/${graph}/operations`;
    const answer = await reporting.user.post(`${path}/build-fact-grid`, { elements: [cash], fiscal_year: 2026 });
    expect([answer.status, answer.body.code]).toEqual([422, 'GRAPH_NOT_MATERIALIZED']);
    expect(answer.body.detail).toContain('materialize');
  });

  it('answer 501 in a deployment without analytical graphs, which starts nevertheless (reporting V-1, Z-6)', async () => {
    const { service, user } = await startReporting();
    const graph = await user.createGraph('New', ['ledger']);
    for (const name of ['build-fact-grid', 'financial-statement-analysis']) {
      const body = { elements: [cash], fiscal_year: 2026, statement_type: 'balance_sheet', report_id: 'x' };
      const answer = await user.post(`/extensions/ledger/${graph}/operations/${name}`, body);
      expect([answer.status, answer.body.code]).toEqual([501, 'NO_ANALYTICAL_GRAPHS']);
    }
    await service.close();
  });
});
