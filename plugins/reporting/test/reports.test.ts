/** @module-tag sessions */
// Goal: a report has the statements of the worked example, equals the live view, and is found by queries.
// Method: a real service over HTTP; the entries of the specification, and its figures as golden values.
import { sql } from '@pacioli/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  april,
  createReport,
  type ExampleBooks,
  type Loose,
  openExampleBooks,
  postExample,
  type ReportingService,
  startReporting,
  statementOf,
  valuesOf,
  years,
} from './example-books.ts';
import { statementsOf } from './observed-store.ts';

let reporting: ReportingService;
let books: ExampleBooks;
beforeAll(async () => {
  reporting = await startReporting();
  books = await openExampleBooks(reporting.user);
  await postExample(books);
});
afterAll(() => reporting.service.close());

const columns = [
  { start: '2026-04-01', end: '2026-04-30', label: 'Current' },
  { start: '2026-03-01', end: '2026-03-31', label: 'Prior' },
];
const months = ['2026-04', '2026-03', '2026-02'].map((month) => ({
  start: `${month}-01`,
  end: `${month}-${month === '2026-04' ? 30 : month === '2026-03' ? 31 : 28}`,
  label: month,
}));

describe('create-report for the worked example', () => {
  it('produces the income statement of the specification (reporting 15.2)', async () => {
    const { id } = await createReport(books);
    const statement = await statementOf(books, id, 'income_statement');
    expect(statement).toMatchObject({
      reportId: id,
      blockType: 'income_statement',
      periods: columns,
      unmappedCount: 0,
    });
    expect(valuesOf(statement)).toEqual({
      RevenueFromContractWithCustomerExcludingAssessedTax: [45_000, 42_000],
      Revenues: [45_000, 42_000],
      CostOfGoodsAndServicesSold: [27_000, 25_200],
      CostOfRevenue: [27_000, 25_200],
      GrossProfit: [18_000, 16_800],
      GeneralAndAdministrativeExpense: [10_600, 10_400],
      DepreciationDepletionAndAmortization: [1_050, 1_000],
      GainLossOnDispositionOfAssets: [400, null],
      OperatingExpenses: [11_250, 11_400],
      OperatingIncomeLoss: [6_750, 5_400],
      InterestExpense: [250, 250],
      NonoperatingIncomeExpense: [-250, -250],
      IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest: [6_500, 5_150],
      IncomeLossFromContinuingOperationsIncludingPortionAttributableToNoncontrollingInterest: [6_500, 5_150],
      ProfitLoss: [6_500, 5_150],
      NetIncomeLoss: [6_500, 5_150],
      NetIncomeLossAvailableToCommonStockholdersBasic: [6_500, 5_150],
    });
    expect(statement.validation).toMatchObject({
      passed: true,
      status: 'passed',
      checks: ['net_income_equation', 'totals_foot'],
      failures: [],
    });
  });

  it('produces the balance sheet of the specification for listed columns (reporting 15.3, S-34)', async () => {
    const report = await createReport(books, { periods: months });
    expect(report).toMatchObject({ period_start: '2026-02-01', period_end: '2026-04-30', periods: months });
    const statement = await statementOf(books, report.id, 'balance_sheet');
    expect(statement.periods).toEqual(months);
    expect(valuesOf(statement)).toMatchObject({
      CashAndCashEquivalentsAtCarryingValue: [30_700, 22_950, 24_500],
      ReceivablesNetCurrent: [21_500, 20_500, 18_000],
      InventoryNet: [13_300, 12_800, 12_000],
      PrepaidExpenseCurrent: [2_000, 2_200, 2_400],
      AssetsCurrent: [67_500, 58_450, 56_900],
      PropertyPlantAndEquipmentNet: [44_950, 47_000, 42_000],
      Assets: [112_450, 105_450, 98_900],
      AccountsPayableCurrent: [9_900, 10_700, 9_500],
      AccruedLiabilitiesCurrent: [3_000, 3_200, 3_000],
      LiabilitiesCurrent: [12_900, 13_900, 12_500],
      LongTermDebtNoncurrent: [28_500, 30_000, 30_000],
      Liabilities: [41_400, 43_900, 42_500],
      CommonStockValue: [45_000, 40_000, 40_000],
      RetainedEarningsAccumulatedDeficit: [26_050, 21_550, 16_400],
      StockholdersEquity: [71_050, 61_550, 56_400],
      LiabilitiesAndStockholdersEquity: [112_450, 105_450, 98_900],
    });
    expect(statement.validation).toMatchObject({ passed: true, failures: [] });
  });

  it.each(['income_statement', 'balance_sheet'])(
    'shows the same %s as the live view, row by row (reporting V-4)',
    async (kind) => {
      const { id } = await createReport(books);
      const { rows, validation } = await statementOf(books, id, kind);
      const { period_type, ...window } = april;
      const live = await books.done('live-financial-statement', { statement_type: kind, ...window });
      const shown = rows.map((row: Loose) => ({
        qname: row.elementQname,
        name: row.elementName,
        values: row.values,
        trait: row.trait,
        depth: row.depth,
        is_subtotal: row.isSubtotal,
      }));
      expect(shown).toEqual(live.facts);
      const { warnings, ...checks } = validation;
      expect(live.validation).toMatchObject(checks);
      // A report also warns about its open months (reporting P-13).
      expect(warnings).toEqual([...live.validation.warnings, 'period 2026-03 is open', 'period 2026-04 is open']);
    },
  );

  it('evaluates the rules of each statement over its own facts (reporting R-22, R-24)', async () => {
    const { rule_summary: summary } = await createReport(books);
    expect(summary).toMatchObject({ fail: 0, error: 0 });
    expect(summary.pass).toBeGreaterThan(10);
  });

  it('keeps cents exactly, whatever a double makes of them (reporting B-0.7)', async () => {
    const exact = await openExampleBooks(reporting.user);
    await exact.post('2026-04-10', [
      ['1000', 70_368_744_177_664.05, 0],
      ['3000', 0, 70_368_744_177_664.05],
    ]);
    const { id } = await createReport(exact);
    const { CashAndCashEquivalentsAtCarryingValue: cash } = valuesOf(await statementOf(exact, id, 'balance_sheet'));
    expect(cash).toEqual([70_368_744_177_664.05, null]);
  });

  it('returns the report that queries return, newest first (reporting P-18, P-19, P-20)', async () => {
    const other = await openExampleBooks(reporting.user);
    await other.post('2026-04-10', [
      ['1000', 1, 0],
      ['3000', 0, 1],
    ]);
    const first = await createReport(other);
    expect(first).toMatchObject({
      name: 'April 2026',
      generation_status: 'published',
      filing_status: 'draft',
      period_type: 'monthly',
      comparative: true,
      period_start: '2026-04-01',
      period_end: '2026-04-30',
      periods: null,
      mapping_id: other.mappingId,
      ai_generated: false,
      entity_name: 'Larkfield Tool Co.',
      filed_at: null,
      supersedes_id: null,
    });
    const types = first.structures.map(({ block_type }: Loose) => block_type);
    expect(types).toEqual([...types].sort());
    expect(types).toEqual(expect.arrayContaining(['balance_sheet', 'income_statement']));
    expect(types).not.toContain('coa_mapping');
    reporting.clock.advance(1000);
    const second = await createReport(other, { name: 'Second', comparative: false });
    const { reports } = await other.query('{ reports { reports { id name createdAt } } }');
    expect(reports.reports.map(({ id }: Loose) => id)).toEqual([second.id, first.id]);
    const { report } = await other.query(
      `{ report(reportId: "${first.id}") { id name entityName filingStatus periods { label } ruleSummary
        structures { id name blockType } } }`,
    );
    expect(report).toMatchObject({ id: first.id, entityName: 'Larkfield Tool Co.', periods: null });
    expect(report.structures.map(({ id }: Loose) => id)).toEqual(first.structures.map(({ id }: Loose) => id));
    expect(report.ruleSummary).toEqual(first.rule_summary);
    expect((await statementOf(other, second.id, 'balance_sheet')).periods).toEqual([columns[0]]);
  });

  it('is one of at most 500 in the list of reports (reporting P-20)', async () => {
    const other = await openExampleBooks(reporting.user);
    const { id } = await createReport(other);
    const copy = (count: number) =>
      reporting.service.store.transaction({ graphId: other.graph }, (tx) =>
        tx.query(sql`insert into reporting_report
          select c.* from reporting_report r cross join generate_series(1, ${count}::int) n
          cross join lateral jsonb_populate_record(r, jsonb_build_object('id', ${`rpt_${count}_`}::text || n,
            'created_at', r.created_at + interval '1 hour')) c
          where r.graph_id = ${other.graph} and r.id = ${id}`),
      );
    const listed = async () => (await other.query('{ reports { reports { id } } }')).reports.reports;
    await copy(499);
    expect(await listed()).toHaveLength(500);
    expect((await listed()).at(-1).id).toBe(id);
    await copy(1);
    expect(await listed()).toHaveLength(500);
    expect((await listed()).at(-1).id).not.toBe(id);
  });

  it('answers null for a report of another graph, which no list has (reporting P-20, P-22)', async () => {
    const { id } = await createReport(books);
    const other = await openExampleBooks(reporting.user);
    expect((await other.query(`{ report(reportId: "${id}") { id } }`)).report).toBeNull();
    expect(await statementOf(other, id, 'balance_sheet')).toBeNull();
    expect((await other.query('{ reports { reports { id } } }')).reports.reports).toEqual([]);
  });
});

describe('the statements sent to the store', () => {
  it('are as many for 24 columns as for one, and for eight reports as for three (reporting P-7)', async () => {
    const { service } = reporting;
    const fresh = await openExampleBooks(reporting.user);
    await postExample(fresh);
    // Rules look at earlier reports, so the first one is not typical.
    await createReport(fresh);
    const creating = async (periods: readonly object[]) => {
      let id = '';
      const statements = await statementsOf(service, async () => {
        ({ id } = await createReport(fresh, { periods }));
      });
      return { id, statements };
    };
    const [one, all] = [await creating(years(1)), await creating(years(24))];
    expect(all.statements).toBe(one.statements);
    const reading = (id: string) => statementsOf(service, () => statementOf(fresh, id, 'balance_sheet'));
    expect(await reading(all.id)).toBe(await reading(one.id));
    const listing = () => statementsOf(service, () => fresh.query('{ reports { reports { id structures { id } } } }'));
    const before = await listing();
    for (let at = 0; at < 5; at += 1) await createReport(fresh);
    expect(await listing()).toBe(before);
  });
});

describe('reportPackage', () => {
  it('has every statement as an information block with the facts of the report (reporting P-24)', async () => {
    const { id } = await createReport(books);
    const text = (reportId: string) => `{ reportPackage(reportId: "${reportId}") { id name description filingStatus
      entityName createdBy items { factSetId structureId displayOrder block { id name blockType factSet { id }
      facts { value } verificationSummary { failed } view { rendering { rows { elementQname values } } } } } } }`;
    const { reportPackage } = await books.query(text(id));
    expect(reportPackage).toMatchObject({ id, name: 'April 2026', description: null, filingStatus: 'draft' });
    expect(reportPackage.createdBy).toMatch(/^user_/);
    const [sheet, income, cashFlow, equity, ...others] = reportPackage.items;
    expect(new Set(others.map(({ block }: Loose) => block.blockType))).toEqual(
      new Set(['comprehensive_income', 'regulatory_disclosure']),
    );
    const names = others.map(({ block }: Loose) => block.name);
    expect(names).toEqual(names.toSorted());
    expect(new Set(others.map(({ displayOrder }: Loose) => displayOrder))).toEqual(new Set([50]));
    expect(cashFlow).toMatchObject({ displayOrder: 3, block: { blockType: 'cash_flow_statement' } });
    expect(equity).toMatchObject({ displayOrder: 4, block: { blockType: 'equity_statement' } });
    expect(sheet).toMatchObject({ displayOrder: 1, block: { blockType: 'balance_sheet' } });
    expect(income).toMatchObject({ displayOrder: 2, block: { blockType: 'income_statement' } });
    expect(sheet.structureId).toBe((await statementOf(books, id, 'balance_sheet')).structureId);
    for (const { factSetId, block } of reportPackage.items) {
      expect(block.factSet.id).toBe(factSetId);
      expect(block.verificationSummary?.failed ?? 0).toBe(0);
    }
    const assets = sheet.block.view.rendering.rows.find((row: Loose) => row.elementQname === 'rs-gaap:Assets');
    expect(assets.values).toEqual([105_450, 112_450]);
    expect((await books.query(text('rpt_none'))).reportPackage).toBeNull();
  });
});

describe('statement', () => {
  const codeOf = async (reportId: string, blockType: string) => {
    const text = `{ statement(reportId: "${reportId}", blockType: "${blockType}") { reportId } }`;
    return (await reporting.user.graphql(books.graph, text)).body.errors[0].extensions.code;
  };

  it('is null without the report, and refuses types that the report lacks or nobody knows (reporting P-22)', async () => {
    const { id } = await createReport(books);
    expect(await statementOf(books, 'rpt_none', 'balance_sheet')).toBeNull();
    expect((await books.query('{ report(reportId: "rpt_none") { id } }')).report).toBeNull();
    expect(await codeOf(id, 'schedule')).toBe('NOT_FOUND');
    expect(await codeOf(id, 'metric')).toBe('INVALID_ARGUMENT');
  });
});
