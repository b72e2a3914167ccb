/** @module-tag sessions */
// Goal: a report has the cash flow, the equity statement and comprehensive income of the worked example.
// Method: a real service over HTTP; the entries of the specification, and its figures as golden values.
import { factStore } from '@pacioli/blocks';
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

let reporting: ReportingService;
let books: ExampleBooks;
let reportId: string;
beforeAll(async () => {
  reporting = await startReporting();
  books = await openExampleBooks(reporting.user);
  await postExample(books);
  reportId = (await createReport(books)).id;
});
afterAll(() => reporting.service.close());

const cash = 'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents';
const netChange = `${cash}PeriodIncreaseDecreaseIncludingExchangeRateEffect`;
const equity = 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest';

/** The stored facts of a report by set, as local name, last day and value. */
async function storedFacts(id: string, blockType: string): Promise<readonly (readonly [string, string, number])[]> {
  const { reportPackage } = await books.query(`{ reportPackage(reportId: "${id}") { items { factSetId
    block { blockType elements { id qname } } } } }`);
  const item = reportPackage.items.find(({ block }: Loose) => block.blockType === blockType);
  const names = new Map<string, string>(item.block.elements.map(({ id: each, qname }: Loose) => [each, qname]));
  const { store, service } = reporting.service;
  const facts = await store.transaction({ graphId: books.graph }, (tx) =>
    service.services.resolve(factStore).facts(tx, { scenario: 'actuals', factSetIds: [item.factSetId] }),
  );
  return facts.map((fact) => [
    (names.get(fact.elementId) ?? '').replace('rs-gaap:', ''),
    fact.periodEnd,
    Number(fact.value),
  ]);
}

describe('create-report for the flows of the worked example', () => {
  it('produces the cash flow of the specification as effects on cash (reporting 15.4, S-30)', async () => {
    const statement = await statementOf(books, reportId, 'cash_flow_statement');
    expect(valuesOf(statement)).toEqual({
      ProfitLoss: [6_500, 5_150],
      DepreciationDepletionAndAmortization: [1_050, 1_000],
      GainLossOnSaleOfPropertyPlantEquipment: [-400, null],
      AdjustmentsNoncashItemsToReconcileNetIncomeLossToCashProvidedByUsedInOperatingActivities: [650, 1_000],
      IncreaseDecreaseInAccountsReceivable: [-1_000, -2_500],
      IncreaseDecreaseInInventories: [-500, -800],
      IncreaseDecreaseInPrepaidDeferredExpenseAndOtherAssets: [200, 200],
      IncreaseDecreaseInAccountsPayable: [-800, 1_200],
      IncreaseDecreaseInAccruedLiabilities: [-200, 200],
      IncreaseDecreaseInOperatingCapital: [-2_300, -1_700],
      AdjustmentsToReconcileNetIncomeLossToCashProvidedByUsedInOperatingActivities: [-1_650, -700],
      NetCashProvidedByUsedInOperatingActivities: [4_850, 4_450],
      PaymentsToAcquirePropertyPlantAndEquipment: [null, -6_000],
      ProceedsFromSaleOfPropertyPlantAndEquipment: [1_400, 0],
      NetCashProvidedByUsedInInvestingActivities: [1_400, -6_000],
      ProceedsFromIssuanceOfCommonStock: [5_000, null],
      RepaymentsOfLongTermDebt: [-1_500, null],
      PaymentsOfDividends: [-2_000, null],
      NetCashProvidedByUsedInFinancingActivities: [1_500, null],
      [netChange]: [7_750, -1_550],
      [cash]: [30_700, 22_950],
    });
    expect(statement.validation).toMatchObject({ passed: true, checks: ['cash_tie', 'totals_foot'], failures: [] });
  });

  it('stores the published signs, and the cash before the first column (reporting 15.4, F-8, X-40)', async () => {
    const facts = await storedFacts(reportId, 'cash_flow_statement');
    const april = Object.fromEntries(
      facts.flatMap(([name, end, value]) => (end === '2026-04-30' ? [[name, value]] : [])),
    );
    expect(april).toMatchObject({
      ProfitLoss: 6_500,
      GainLossOnSaleOfPropertyPlantEquipment: 400,
      IncreaseDecreaseInAccountsReceivable: 1_000,
      IncreaseDecreaseInPrepaidDeferredExpenseAndOtherAssets: -200,
      IncreaseDecreaseInAccountsPayable: -800,
      ProceedsFromSaleOfPropertyPlantAndEquipment: 1_400,
      RepaymentsOfLongTermDebt: 1_500,
      PaymentsOfDividends: 2_000,
      [netChange]: 7_750,
    });
    expect(facts.filter(([, end]) => end === '2026-02-28')).toEqual([[cash, '2026-02-28', 24_500]]);
    const march = facts.filter(([name, end]) => name === cash && end === '2026-03-31');
    expect(march).toEqual([[cash, '2026-03-31', 22_950]]);
  });

  it('produces the roll-forward of equity of the specification (reporting 15.5, S-16b)', async () => {
    const { rows, validation } = await statementOf(books, reportId, 'equity_statement');
    expect(rows.map((row: Loose) => [row.elementQname.replace('rs-gaap:', ''), row.values])).toEqual([
      [equity, [61_550, 56_400]],
      ['ProfitLoss', [6_500, 5_150]],
      ['StockIssuedDuringPeriodValueNewIssues', [5_000, 0]],
      ['DividendsCommonStock', [-2_000, 0]],
      [equity, [71_050, 61_550]],
    ]);
    expect(rows[0].elementName).toMatch(/, beginning of period$/);
    expect(validation).toMatchObject({ passed: true, checks: ['equity_tie'], failures: [] });
    const facts = await storedFacts(reportId, 'equity_statement');
    expect(facts).toEqual(
      expect.arrayContaining([
        [equity, '2026-02-28', 56_400],
        ['DividendsCommonStock', '2026-04-30', 2_000],
      ]),
    );
  });

  it('has comprehensive income with the net income of the others, and no check for it (reporting R-25)', async () => {
    const { rows, validation } = await statementOf(books, reportId, 'comprehensive_income');
    expect(rows.map((row: Loose) => [row.elementQname.replace('rs-gaap:', ''), row.values])).toEqual([
      ['ProfitLoss', [6_500, 5_150]],
      ['ComprehensiveIncomeNetOfTaxIncludingPortionAttributableToNoncontrollingInterest', [6_500, 5_150]],
      ['ComprehensiveIncomeNetOfTax', [6_500, 5_150]],
    ]);
    expect(validation).toMatchObject({ passed: false, status: 'inconclusive', checks: [], failures: [] });
  });

  it.each(['cash_flow_statement', 'equity_statement'])(
    'shows the same numbers as the live %s of each column (reporting V-4)',
    async (kind) => {
      const { rows, periods } = await statementOf(books, reportId, kind);
      for (const [index, { start, end }] of periods.entries()) {
        const window = { period_start: start, period_end: end };
        const live = await books.done('live-financial-statement', { statement_type: kind, ...window });
        const shown = rows
          .map((row: Loose) => ({
            qname: row.elementQname,
            name: row.elementName,
            values: [row.values[index]],
            trait: row.trait,
            depth: row.depth,
            is_subtotal: row.isSubtotal,
          }))
          .filter(({ values }: Loose) => values[0] !== null && values[0] !== 0);
        expect(shown).toEqual(live.facts.filter(({ values }: Loose) => values[0] !== 0));
      }
    },
  );

  it('shows the same rows in the envelopes of the package, oldest column first (reporting B-24, R-25, S-30)', async () => {
    const { reportPackage } = await books.query(`{ reportPackage(reportId: "${reportId}") { items { block { blockType
      view { rendering { rows { elementQname elementName values isSubtotal } periods { start end }
      validation { status checks } } } } } } }`);
    const isStatement = ({ block }: Loose) => block.blockType !== 'regulatory_disclosure';
    expect(reportPackage.items.filter(isStatement)).toHaveLength(5);
    for (const { block } of reportPackage.items.filter(isStatement)) {
      const { rendering } = block.view;
      expect(rendering.periods).toEqual([
        { start: '2026-03-01', end: '2026-03-31' },
        { start: '2026-04-01', end: '2026-04-30' },
      ]);
      const statement = await statementOf(books, reportId, block.blockType);
      expect(rendering.validation).toMatchObject({
        status: statement.validation.status,
        checks: statement.validation.checks,
      });
      const rows = rendering.rows
        .filter(({ values }: Loose) => values.some((value: unknown) => value !== null))
        .map(({ elementQname, elementName, values, isSubtotal }: Loose) => [
          elementQname,
          elementName,
          values.toReversed().map((value: number | null) => value ?? 0),
          isSubtotal,
        ]);
      expect(rows).toEqual(
        statement.rows.map((row: Loose) => [
          row.elementQname,
          row.elementName,
          row.values.map((value: number | null) => value ?? 0),
          row.isSubtotal,
        ]),
      );
    }
  });

  it('gives each concept one value in all statements (reporting F-7, S-22)', async () => {
    const types = ['income_statement', 'cash_flow_statement', 'equity_statement', 'comprehensive_income'];
    const each = await Promise.all(types.map((type) => storedFacts(reportId, type)));
    const netIncome = each.map((facts) => facts.filter(([name]) => name === 'ProfitLoss').map(([, , value]) => value));
    expect(netIncome).toEqual(types.map(() => [5_150, 6_500]));
  });

  it('has zero facts of equity without postings, and its earnings (reporting S-6)', async () => {
    const fresh = await openExampleBooks(reporting.user);
    await fresh.post('2026-04-02', [
      ['6100', 100, 0],
      ['2000', 0, 100],
    ]);
    const { id } = await createReport(fresh, { comparative: false });
    const { reportPackage } = await fresh.query(`{ reportPackage(reportId: "${id}") { items { block { blockType
      facts { elementQname value } } } } }`);
    const sheet = reportPackage.items.find(({ block }: Loose) => block.blockType === 'balance_sheet').block.facts;
    const values = Object.fromEntries(sheet.map(({ elementQname, value }: Loose) => [elementQname, value]));
    expect(values).toMatchObject({
      'rs-gaap:CommonStockValue': 0,
      'rs-gaap:RetainedEarningsAccumulatedDeficit': -100,
    });
    expect(values).not.toHaveProperty('rs-gaap:InventoryNet');
  });

  it('passes every rule, and is filed with its five statements (reporting R-5, P-16, P-21)', async () => {
    const report = await createReport(books);
    expect(report.rule_summary).toMatchObject({ fail: 0, error: 0 });
    expect((await books.done('file-report', { report_id: report.id })).filing_status).toBe('filed');
    const before = await statementOf(books, report.id, 'cash_flow_statement');
    await books.post('2026-04-29', [
      ['1000', 10, 0],
      ['3000', 0, 10],
    ]);
    expect(await statementOf(books, report.id, 'cash_flow_statement')).toEqual(before);
    const changed = await books.done('regenerate-report', { report_id: reportId });
    const { [netChange]: change } = valuesOf(await statementOf(books, changed.id, 'cash_flow_statement'));
    expect(change).toEqual([7_760, -1_550]);
  });
});

describe('a closing entry in imported books', () => {
  const closing = (warnings: readonly string[]) => warnings.filter((text) => text.includes('closing_entry'));
  const year = { period_start: '2026-03-01', period_end: '2026-03-31', comparative: false };

  it('is named with its day while something else was posted on that day (reporting S-2a)', async () => {
    const imported = await openExampleBooks(reporting.user);
    await imported.post('2026-03-10', [
      ['1000', 500, 0],
      ['4000', 0, 500],
    ]);
    await imported.post('2026-03-31', [
      ['4000', 500, 0],
      ['3900', 0, 500],
    ]);
    const read = async (kind: string) => {
      const { id } = await createReport(imported, year);
      return statementOf(imported, id, kind);
    };
    const clean = await read('income_statement');
    expect(closing(clean.validation.warnings)).toEqual([]);
    expect(valuesOf(clean)).toMatchObject({ NetIncomeLoss: [500] });
    await imported.post('2026-03-31', [
      ['1000', 20, 0],
      ['4000', 0, 20],
    ]);
    for (const kind of ['income_statement', 'cash_flow_statement', 'equity_statement']) {
      const { validation } = await read(kind);
      expect(closing(validation.warnings)).toEqual([expect.stringContaining('an entry of 2026-03-31 closes income')]);
    }
    const window = { period_start: year.period_start, period_end: year.period_end };
    const live = await imported.done('live-financial-statement', { statement_type: 'income_statement', ...window });
    expect(closing(live.validation.warnings)).toEqual([expect.stringContaining('2026-03-31')]);
  });

  it('is not suspected in an entry that charges income to equity (reporting S-2a)', async () => {
    const corrected = await openExampleBooks(reporting.user);
    await corrected.post('2026-03-31', [
      ['6100', 300, 0],
      ['3900', 0, 300],
    ]);
    const { id } = await createReport(corrected, year);
    expect(closing((await statementOf(corrected, id, 'income_statement')).validation.warnings)).toEqual([]);
  });
});
