/** @module-tag sessions */
// Goal: the statements of a report tie in every style, whatever changes equity.
// Method: a real service over HTTP; books with other accounts than the worked example.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createReport,
  type ExampleBooks,
  type Loose,
  openExampleBooks,
  postExample,
  type ReportingService,
  startReporting,
  statementOf,
  valuesOf,
} from './example-books.ts';
import { askForDownload } from './report-files.ts';

let reporting: ReportingService;
beforeAll(async () => {
  reporting = await startReporting();
});
afterAll(() => reporting.service.close());

const equity = 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest';
const named = ({ rows }: Loose) =>
  rows.map(({ elementQname, values }: Loose) => [elementQname.replace('rs-gaap:', ''), values]);

/** Files a report, which a failed check or rule would refuse, and returns its id. */
async function fileReport(books: ExampleBooks, more: object = {}): Promise<string> {
  const report = await createReport(books, more);
  expect(report.rule_summary).toMatchObject({ fail: 0, error: 0 });
  expect((await books.done('file-report', { report_id: report.id })).filing_status).toBe('filed');
  return report.id;
}

describe('the statements of a report', () => {
  it('explain every change in equity (reporting R-5, S-16b)', async () => {
    const books = await openExampleBooks(reporting.user, {
      accounts: [
        ['3100', 'contraEquity', 'TreasuryStockValue'],
        ['3200', 'equity', 'AccumulatedOtherComprehensiveIncomeLossNetOfTax'],
        ['3300', 'equity', 'AdditionalPaidInCapital'],
        ['6900', 'expense', 'AllocatedShareBasedCompensationExpense'],
      ],
    });
    await books.post('2026-04-02', [
      ['1000', 900, 0],
      ['3000', 0, 900],
    ]);
    await books.post('2026-04-03', [
      ['3100', 300, 0],
      ['1000', 0, 300],
    ]);
    await books.post('2026-04-04', [
      ['6900', 50, 0],
      ['3300', 0, 50],
    ]);
    await books.post('2026-04-05', [
      ['1200', 40, 0],
      ['3200', 0, 40],
    ]);
    const id = await fileReport(books);
    expect(named(await statementOf(books, id, 'equity_statement'))).toEqual([
      [equity, [0, 0]],
      ['ProfitLoss', [-50, null]],
      ['OtherComprehensiveIncomeLossNetOfTax', [40, 0]],
      ['StockIssuedDuringPeriodValueNewIssues', [900, 0]],
      ['AdjustmentsToAdditionalPaidInCapitalSharebasedCompensationRequisiteServicePeriodRecognitionValue', [50, 0]],
      ['StockRepurchasedDuringPeriodValue', [-300, 0]],
      [equity, [640, 0]],
    ]);
    expect(valuesOf(await statementOf(books, id, 'comprehensive_income'))).toMatchObject({
      ProfitLoss: [-50, null],
      OtherComprehensiveIncomeLossNetOfTax: [40, 0],
      ComprehensiveIncomeNetOfTax: [-10, null],
    });
  });

  it('split other comprehensive income by the accounts that it was posted to (reporting S-16b)', async () => {
    const translation = 'OtherComprehensiveIncomeLossForeignCurrencyTransactionAndTranslationAdjustmentNetOfTax';
    const books = await openExampleBooks(reporting.user, {
      accounts: [['8000', 'comprehensiveIncome', translation]],
    });
    await books.post('2026-04-02', [
      ['1000', 70, 0],
      ['8000', 0, 70],
    ]);
    const { id } = await createReport(books, { comparative: false });
    expect(named(await statementOf(books, id, 'equity_statement'))).toEqual([
      [equity, [0]],
      ['OtherComprehensiveIncomeLossNetOfTax', [70]],
      [equity, [70]],
    ]);
    expect(valuesOf(await statementOf(books, id, 'comprehensive_income'))).toMatchObject({
      [translation]: [70],
      OtherComprehensiveIncomeLossNetOfTax: [70],
      ComprehensiveIncomeNetOfTax: [70],
    });
  });

  it('count amounts of accounts that are mapped to a total (reporting S-32)', async () => {
    const books = await openExampleBooks(reporting.user, {
      style: 'Detailed',
      accounts: [['6200', 'expense', 'GeneralAndAdministrativeExpense']],
    });
    await books.post('2026-04-02', [
      ['6000', 900, 0],
      ['6200', 100, 0],
      ['1000', 0, 1_000],
    ]);
    const id = await fileReport(books);
    expect(valuesOf(await statementOf(books, id, 'income_statement'))).toMatchObject({
      LaborAndRelatedExpense: [900, null],
      GeneralAndAdministrativeExpense: [1_000, null],
    });
    const { omittedContent } = await askForDownload(books, id, ', format: XBRL_2_1');
    expect(omittedContent).toContain(
      'calculation_arc:rs-gaap:GeneralAndAdministrativeExpense>rs-gaap:LaborAndRelatedExpense',
    );
  });

  it('roll all equity of a partnership forward if it has other equity than its capital (reporting S-16b)', async () => {
    const books = await openExampleBooks(reporting.user, {
      style: 'Partnership',
      accounts: [
        ['3000', 'equity', 'PartnersCapital'],
        ['3200', 'equity', 'AccumulatedOtherComprehensiveIncomeLossNetOfTax'],
        ['3900', 'equity', 'PartnersCapital'],
      ],
    });
    await books.post('2026-03-02', [
      ['1000', 500, 0],
      ['3000', 0, 500],
    ]);
    const plain = await fileReport(books, { period_start: '2026-03-01', period_end: '2026-03-31' });
    expect(named(await statementOf(books, plain, 'equity_statement'))).toEqual([
      ['PartnersCapital', [0, 0]],
      ['PartnersCapitalAccountContributions', [500, 0]],
      ['PartnersCapital', [500, 0]],
    ]);
    await books.post('2026-04-02', [
      ['1200', 40, 0],
      ['3200', 0, 40],
    ]);
    const id = await fileReport(books);
    const expected = [
      [equity, [500, 0]],
      ['OtherComprehensiveIncomeLossNetOfTax', [40, 0]],
      ['PartnersCapitalAccountContributions', [0, 500]],
      [equity, [540, 500]],
    ];
    expect(named(await statementOf(books, id, 'equity_statement'))).toEqual(expected);
    const { reportPackage } = await books.query(
      `{ reportPackage(reportId: "${id}") { items { block { blockType view { rendering { rows { elementQname values } } } } } } }`,
    );
    const { block } = reportPackage.items.find(({ block: each }: Loose) => each.blockType === 'equity_statement');
    const rows = block.view.rendering.rows.filter(({ values }: Loose) =>
      values.some((value: unknown) => value !== null),
    );
    expect(named({ rows })).toEqual(expected.map(([name, values]) => [name, (values as number[]).toReversed()]));
  });

  it('show the direct cash flow with a schedule that reconciles it to net income (reporting S-17, F-8)', async () => {
    const books = await openExampleBooks(reporting.user, { style: 'Direct Cash Flow' });
    await postExample(books);
    const id = await fileReport(books);
    const statement = await statementOf(books, id, 'cash_flow_statement');
    expect(valuesOf(statement)).toMatchObject({
      ProceedsFromCustomers: [44_000, 39_500],
      PaymentsToSuppliers: [-36_900, -32_800],
      PaymentsForRent: [-2_000, -2_000],
      InterestPaidNet: [-250, -250],
    });
    const rows = named(statement);
    const start = rows.findIndex(([name]: Loose) => name === 'ProfitLoss');
    expect(rows[start - 1][0]).toBe('CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents');
    expect(rows.slice(start)).toEqual([
      ['ProfitLoss', [6_500, 5_150]],
      ['DepreciationDepletionAndAmortization', [1_050, 1_000]],
      ['GainLossOnSaleOfPropertyPlantEquipment', [-400, null]],
      ['AdjustmentsNoncashItemsToReconcileNetIncomeLossToCashProvidedByUsedInOperatingActivities', [650, 1_000]],
      ['IncreaseDecreaseInAccountsReceivable', [-1_000, -2_500]],
      ['IncreaseDecreaseInInventories', [-500, -800]],
      ['IncreaseDecreaseInPrepaidDeferredExpenseAndOtherAssets', [200, 200]],
      ['IncreaseDecreaseInAccountsPayable', [-800, 1_200]],
      ['IncreaseDecreaseInAccruedLiabilities', [-200, 200]],
      ['IncreaseDecreaseInOperatingCapital', [-2_300, -1_700]],
      ['AdjustmentsToReconcileNetIncomeLossToCashProvidedByUsedInOperatingActivities', [-1_650, -700]],
      ['NetCashProvidedByUsedInOperatingActivities', [4_850, 4_450]],
    ]);
    const window = { period_start: '2026-04-01', period_end: '2026-04-30' };
    const live = await books.done('live-financial-statement', { statement_type: 'cash_flow_statement', ...window });
    const current = (list: Loose) =>
      list.map(([name, [value]]: Loose) => [name, value]).filter(([, value]: Loose) => value);
    expect(live.facts.map(({ qname, values }: Loose) => [qname.replace('rs-gaap:', ''), values[0]])).toEqual(
      current(rows),
    );
    const { reportPackage } = await books.query(
      `{ reportPackage(reportId: "${id}") { items { block { blockType view { rendering { rows { elementQname values } } } } } } }`,
    );
    const { block } = reportPackage.items.find(({ block: each }: Loose) => each.blockType === 'cash_flow_statement');
    const drawn = block.view.rendering.rows.filter(({ values }: Loose) =>
      values.some((value: Loose) => value !== null),
    );
    expect(named({ rows: drawn })).toEqual(rows.map(([name, values]: Loose) => [name, values.toReversed()]));
  });
});
