/** @module-tag sessions */
// Goal: closing a month writes its statements, reopening deletes them, and a repeated close replaces them.
// Method: a real service over HTTP with the books of the worked example, read as information blocks.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportingService } from './example-books.ts';
import {
  createReport,
  type ExampleBooks,
  type Loose,
  openExampleBooks,
  postExample,
  startReporting,
} from './example-books.ts';

let reporting: ReportingService;
let books: ExampleBooks;
beforeAll(async () => {
  reporting = await startReporting();
  books = await openExampleBooks(reporting.user);
  await postExample(books);
});
afterAll(() => reporting.service.close());

const close = (period: string) => books.done('close-period', { period });
const reopen = (period: string) => books.done('reopen-period', { period, reason: 'A late bill' });

/** The income statement or balance sheet of the close as an information block. */
async function blockOf(id: string, args = ''): Promise<Loose> {
  const { informationBlock } = await books.query(`{ informationBlock(id: "${id}"${args}) { blockType
    factSet { id periodStart periodEnd factsetType reportId scenarioId provenance }
    verificationSummary { passed failed errored }
    view { rendering { periods { start end label forecast } rows { elementQname values } } } } }`);
  return informationBlock;
}

async function blocksByType(
  sets: Readonly<Record<string, string>>,
  args = '',
): Promise<Readonly<Record<string, Loose>>> {
  const found = await Promise.all(Object.keys(sets).map((id) => blockOf(id, args)));
  return Object.fromEntries(found.map((block) => [block.blockType, block]));
}

const amountsOf = (block: Loose, name: string) =>
  block.view.rendering.rows.find((row: Loose) => row.elementQname === `rs-gaap:${name}`)?.values;

describe('close-period with reports', () => {
  it('stamps the statements of the month, which carry their mapping and pass their rules (reporting F-10, Q-25, R-24)', async () => {
    const february = await close('2026-02');
    expect(february).toMatchObject({ statements_stamped: true, statement_stamp_note: null });
    const march = await close('2026-03');
    expect(march.statement_rule_summary).toMatchObject({ fail: 0, error: 0 });
    expect(march.statement_rule_summary.pass).toBeGreaterThan(0);
    const blocks = await blocksByType(march.stamped_statement_sets);
    expect(Object.keys(blocks).toSorted()).toEqual([
      'balance_sheet',
      'cash_flow_statement',
      'comprehensive_income',
      'equity_statement',
      'income_statement',
    ]);
    expect(amountsOf(blocks['cash_flow_statement'], 'NetCashProvidedByUsedInOperatingActivities')).toEqual([4_450]);
    expect(blocks['balance_sheet'].factSet).toMatchObject({
      periodStart: '2026-03-01',
      periodEnd: '2026-03-31',
      factsetType: 'report',
      reportId: null,
      scenarioId: null,
      provenance: { origin: 'pivot', mapping_id: books.mappingId, period: '2026-03-01/2026-03-31' },
    });
    expect(amountsOf(blocks['balance_sheet'], 'Assets')).toEqual([105_450]);
    expect(amountsOf(blocks['income_statement'], 'NetIncomeLoss')).toEqual([5_150]);
    expect(blocks['balance_sheet'].verificationSummary.failed).toBe(0);
  });

  it('shows closed months as a series, before a report of the same month (reporting B-21, B-23, F-13)', async () => {
    const { stamped_statement_sets: sets } = await close('2026-04');
    await createReport(books, { comparative: false });
    const newest = (await blocksByType(sets))['income_statement'];
    expect(Object.values(sets)).toContain(newest.factSet.id);
    const ends = (block: Loose) => block.view.rendering.periods.map(({ end }: Loose) => end);
    const series = (await blocksByType(sets, ', series: true'))['income_statement'];
    expect(ends(series)).toEqual(['2026-02-28', '2026-03-31', '2026-04-30']);
    expect(amountsOf(series, 'Revenues')).toEqual([null, 42_000, 45_000]);
    const limited = (await blocksByType(sets, ', series: true, seriesHistory: 1'))['income_statement'];
    expect(ends(limited)).toEqual(['2026-04-30']);
  });

  it('deletes the sets when the month is reopened and writes new ones when it is closed again (ledger L-169)', async () => {
    const { closeReceipt } = (
      await books.query(
        '{ periodCloseStatus(periodStart: "2026-04-01", periodEnd: "2026-04-30") { closeReceipt { stampedStatementSets } } }',
      )
    ).periodCloseStatus;
    const [structureId = ''] = Object.keys(closeReceipt.stampedStatementSets);
    await reopen('2026-04');
    expect((await blockOf(structureId)).factSet.reportId).not.toBeNull();
    await books.post('2026-04-29', [
      ['6100', 100, 0],
      ['1000', 0, 100],
    ]);
    const again = await close('2026-04');
    expect(Object.keys(again.stamped_statement_sets).toSorted()).toEqual(
      Object.keys(closeReceipt.stampedStatementSets).toSorted(),
    );
    const blocks = await blocksByType(again.stamped_statement_sets);
    expect(amountsOf(blocks['income_statement'], 'NetIncomeLoss')).toEqual([6_400]);
  });

  it('retires the networks of the earlier style when a month is closed again (reporting Y-5)', async () => {
    const { body } = await reporting.user.graphql(
      'library',
      '{ libraryStructures(blockType: "reporting_style") { id name } }',
    );
    const other = body.data.libraryStructures.find(({ name }: Loose) => name === 'Small Private Company');
    await reopen('2026-04');
    await books.done('change-reporting-style', { reporting_style_id: other.id });
    const again = await close('2026-04');
    const blocks = await blocksByType(again.stamped_statement_sets);
    expect(amountsOf(blocks['income_statement'], 'NetIncomeLoss')).toEqual([6_400]);
    expect(amountsOf(blocks['income_statement'], 'OperatingIncomeLoss')).toBeUndefined();
  });

  it('closes a month without a mapping and says why it has no statements (ledger L-158)', async () => {
    const graph = await reporting.user.createGraph('Bare Co.', ['ledger']);
    const operation = (name: string, body: object) =>
      reporting.user.post(`/extensions/ledger/${graph}/operations/${name}`, body);
    await operation('initialize', { earliest_data_period: '2026-03', fiscal_year_start_month: 1 });
    const answer = await operation('close-period', { period: '2026-03' });
    expect(answer.body.result).toMatchObject({
      statements_stamped: false,
      statement_stamp_note: 'no_taxonomy',
      stamped_statement_sets: {},
      statement_rule_summary: null,
    });
  });
});
