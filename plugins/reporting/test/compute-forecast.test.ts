/** @module-tag sessions */
// Goal: a forecast writes the statements of its months, which are found by their scenario and never touch actuals.
// Method: a real service over HTTP with the books and the figures of the worked example.
import { sql } from '@pacioli/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, openExampleBooks, postExample, type ReportingService } from './example-books.ts';
import { createForecast, type ForecastBooks, openForecastBooks, rowsOf, startForecasts } from './forecast-books.ts';

let reporting: ReportingService;
let books: ForecastBooks;
beforeAll(async () => {
  reporting = await startForecasts();
  books = await openForecastBooks(reporting);
});
afterAll(() => reporting.service.close());

const compute = (structureId: string, more: object = {}, on: ForecastBooks = books): Promise<Loose> =>
  on.done('compute-forecast', { structure_id: structureId, ...more });

/** The sets of actuals with the sum of their facts. */
const actuals = (on: ForecastBooks = books) =>
  reporting.service.store.transaction({ graphId: on.graph }, (tx) =>
    tx.query(sql`SELECT s.id, s.structure_id, s.period_end, count(f.id)::int AS facts, sum(f.value)::text AS sum
      FROM blocks_fact_set AS s LEFT JOIN blocks_fact AS f ON f.graph_id = s.graph_id AND f.fact_set_id = s.id
      WHERE s.scenario_id IS NULL GROUP BY s.graph_id, s.id, s.structure_id, s.period_end ORDER BY s.id`),
  );

const seriesOf = async (type: string, scenarioId: string, args = '', on: ForecastBooks = books): Promise<Loose> =>
  on.block(on.structures[type] ?? '', `, scenarioId: "${scenarioId}", series: true${args}`);

describe('compute-forecast for the worked example', () => {
  it('writes the months of the specification, verified and under the scenario (reporting 15.7, Q-19, F-15)', async () => {
    const before = await actuals();
    const { id } = await createForecast(books);
    const done = await compute(id);
    expect(done).toMatchObject({
      structure_id: id,
      scenario_id: id,
      base_period: '2026-04',
      anchor_period: '2026-04',
      months: 3,
      halted_at: null,
      skipped: [],
      diagnostics: [],
    });
    expect(done.months_computed.map(({ period, verification_passed: passed }: Loose) => [period, passed])).toEqual([
      ['2026-05', true],
      ['2026-06', true],
      ['2026-07', true],
    ]);
    const income = rowsOf(await seriesOf('income_statement', id));
    expect(income['Revenues']?.slice(-3)).toEqual([45_900, 46_818, 47_754.36]);
    expect(income['CostOfRevenue']?.slice(-3)).toEqual([27_540, 28_090.8, 28_652.62]);
    expect(income['GeneralAndAdministrativeExpense']?.slice(-3)).toEqual([10_918, 10_918, 10_918]);
    expect(income['NetIncomeLoss']?.slice(-3)).toEqual([6_142, 6_509.2, 6_883.74]);
    const balances = rowsOf(await seriesOf('balance_sheet', id));
    expect(balances['CashAndCashEquivalentsAtCarryingValue']?.slice(-4)).toEqual([
      30_700, 37_758, 45_278.52, 53_168.81,
    ]);
    expect(balances['PropertyPlantAndEquipmentNet']?.slice(-3)).toEqual([43_900, 42_850, 41_800]);
    expect(balances['PrepaidExpenseCurrent']?.slice(-3)).toEqual([1_800, 1_600, 1_400]);
    expect(balances['Assets']?.slice(-3)).toEqual([119_708, 126_437.52, 133_545.99]);
    expect(balances['LiabilitiesAndStockholdersEquity']?.slice(-3)).toEqual([119_708, 126_437.52, 133_545.99]);
    const change = (await seriesOf('cash_flow_statement', id)).view.rendering.rows.find(({ elementQname }: Loose) =>
      elementQname.endsWith('PeriodIncreaseDecreaseIncludingExchangeRateEffect'),
    );
    expect(change.values.slice(-4)).toEqual([7_750, 7_058, 7_520.52, 7_890.29]);
    expect(await actuals()).toEqual(before);
    const [dimension] = await reporting.service.store.transaction({ graphId: books.graph }, (tx) =>
      tx.query(sql<Loose>`SELECT d.display_name, count(*)::int AS facts FROM blocks_dimension AS d
        JOIN blocks_fact_dimension AS l ON l.graph_id = d.graph_id AND l.dimension_id = d.id
        WHERE d.dimension_type = 'scenario' AND d.value = ${id} GROUP BY d.display_name`),
    );
    const count = done.months_computed.reduce((sum: number, month: Loose) => sum + month.computed_count, 0);
    expect(dimension).toEqual({ display_name: 'Plan 2026', facts: count });
  });

  it('shows the series with actual months first, and the latest month without a series (reporting B-20 to B-24)', async () => {
    const { id } = await createForecast(books);
    await compute(id);
    const series = await seriesOf('income_statement', id, ', seriesHistory: 1, seriesForecast: 2');
    expect(series.view.rendering.periods).toEqual([
      { start: '2026-04-01', end: '2026-04-30', label: null, forecast: null },
      { start: '2026-05-01', end: '2026-05-31', label: 'May 2026 (forecast)', forecast: true },
      { start: '2026-06-01', end: '2026-06-30', label: 'Jun 2026 (forecast)', forecast: true },
    ]);
    const structureId = books.structures['income_statement'] ?? '';
    const latest = await books.block(structureId, `, scenarioId: "${id}"`);
    expect(latest.factSet).toMatchObject({ periodEnd: '2026-07-31', scenarioId: id, factsetType: 'report' });
    expect(latest.factSet.provenance).toEqual({
      origin: 'forecast',
      scenario_structure_id: id,
      base_period: '2026-04',
      month_index: 3,
      drivers: [
        'rs-driver:CostOfRevenueRate',
        'rs-driver:DaysPayableOutstanding',
        'rs-driver:DaysSalesOutstanding',
        'rs-driver:RevenueGrowthRate',
      ],
    });
    expect((await books.block(structureId)).factSet).toMatchObject({ periodEnd: '2026-04-30', scenarioId: null });
    const unknown = await books.block(structureId, ', scenarioId: "struct_none"');
    expect([unknown.factSet, unknown.view.rendering.rows]).toEqual([null, []]);
  });

  it('keeps sets and values when it is repeated, and deletes months of a longer run (reporting Q-20, Q-21)', async () => {
    const { id } = await createForecast(books);
    const first = await compute(id);
    const rows = rowsOf(await seriesOf('balance_sheet', id));
    const again = await compute(id);
    expect(again).toEqual(first);
    expect(rowsOf(await seriesOf('balance_sheet', id))).toEqual(rows);
    const short = await compute(id, { months: 1 });
    expect(short.months_computed).toEqual(first.months_computed.slice(0, 1));
    const { periods } = (await seriesOf('balance_sheet', id)).view.rendering;
    expect(periods.filter(({ forecast }: Loose) => forecast).map(({ end }: Loose) => end)).toEqual(['2026-05-31']);
    expect((await books.block(id)).artifact.mechanics.computed_months).toBe(1);
  });

  it('computes two scenarios side by side (reporting F-11)', async () => {
    const [one, two] = [await createForecast(books), await createForecast(books, { name: 'Budget' })];
    await books.done('update-information-block', {
      block_type: 'forecast',
      payload: { structure_id: two.id, levers: [{ qname: 'rs-driver:RevenueGrowthRate', value: 0.1 }] },
    });
    await compute(one.id);
    await compute(two.id);
    const revenuesOf = async (id: string) => rowsOf(await seriesOf('income_statement', id))['Revenues']?.slice(-3);
    expect(await revenuesOf(one.id)).toEqual([45_900, 46_818, 47_754.36]);
    expect(await revenuesOf(two.id)).toEqual([49_500, 54_450, 59_895]);
  });

  it('halts at a month that fails a rule of severity error (reporting Q-19, R-24)', async () => {
    const own = await openForecastBooks(reporting, { hasSchedules: false });
    const { body } = await reporting.user.graphql('library', '{ libraryTaxonomy(standard: "rs-gaap") { id } }');
    const rule = (operand: string, limit: number, severity: string) => ({
      name: `${operand} stays below ${limit}`,
      rule_category: 'ReportingSystemSpecificRule',
      rule_pattern: 'LessThan',
      expression: `$${operand} < ${limit}`,
      variables: [{ variable_name: operand, variable_qname: `rs-gaap:${operand}` }],
      target_element_qname: `rs-gaap:${operand}`,
      severity,
    });
    await own.done('create-taxonomy-block', {
      name: 'Limits',
      taxonomy_type: 'reporting_extension',
      parent_taxonomy_id: body.data.libraryTaxonomy.id,
      elements: [{ qname: 'acme:Fleet', name: 'Fleet', trait: 'asset', balance_type: 'debit' }],
      rules: [rule('Revenues', 46_500, 'error'), rule('GrossProfit', 100, 'warning')],
    });
    const { id } = await createForecast(own, { line_growth: [] });
    const done = await compute(id, {}, own);
    expect(done.halted_at).toBe('2026-06');
    expect(done.months_computed.map(({ period, verification_passed: passed }: Loose) => [period, passed])).toEqual([
      ['2026-05', true],
      ['2026-06', false],
    ]);
    expect(done.months_computed[1].verification_failures).toHaveLength(1);
  });

  it('names the line and the month of an amount that is too large to store (reporting Q-18)', async () => {
    const levers = [{ qname: 'rs-driver:RevenueGrowthRate', value: 1_000_000 }];
    const { id } = await createForecast(books, { levers });
    const { status, body } = await books.operation('compute-forecast', { structure_id: id });
    expect([status, body.detail]).toEqual([
      422,
      expect.stringMatching(/^rs-gaap:Revenue\w* has more than 18 digits in 2026-07\. Lower the levers/),
    ]);
    expect(await books.done('compute-forecast', { structure_id: id, months: 2 })).toMatchObject({ halted_at: null });
  });

  it('uses the months of a metric block with the scenario (reporting B-25, M-5)', async () => {
    const { id } = await createForecast(books);
    await compute(id);
    const { libraryStructures } = await books.query('{ libraryStructures(blockType: "metric") { id } }');
    const structureId = libraryStructures[0].id;
    const done = await books.done('compute-metrics', {
      structure_id: structureId,
      period_start: '2026-05-01',
      period_end: '2026-05-31',
      scenario_id: id,
    });
    const margin = done.computed.find(({ element_qname: qname }: Loose) => qname === 'rs-metric:NetProfitMargin');
    expect(margin.value).toBe(0.133813);
    const { view } = await books.block(structureId, `, scenarioId: "${id}"`);
    expect(view.rendering.periods.at(-1)).toMatchObject({ end: '2026-05-31', forecast: true });
  });
});

describe('a forecast after its first month is closed', () => {
  it('starts from the closed month unless its anchor is fixed, and stops when all are closed (reporting Q-11, Q-20)', async () => {
    const own = await openForecastBooks(reporting, { hasSchedules: false });
    const seam = (await createForecast(own, { horizon_months: 2 })).id;
    const fixed = (await createForecast(own, { horizon_months: 2, base_anchor: 'fixed' })).id;
    await compute(seam, {}, own);
    await compute(fixed, {}, own);
    reporting.clock.set('2026-07-02T12:00:00Z');
    await own.post('2026-05-05', [
      ['1100', 60_000, 0],
      ['4000', 0, 60_000],
    ]);
    await own.done('close-period', { period: '2026-05' });
    const again = await compute(seam, {}, own);
    expect(again).toMatchObject({ base_period: '2026-04', anchor_period: '2026-05' });
    // The month is verified against the closed one, and not against the month that the plan had before.
    expect(again.halted_at).toBe(null);
    const verified = again.months_computed.map((month: Loose) => [month.period, month.verification_passed]);
    expect(verified).toEqual([['2026-06', true]]);
    const series = await seriesOf('income_statement', seam, '', own);
    expect(rowsOf(series)['Revenues']?.slice(-2)).toEqual([60_000, 61_200]);
    expect(series.view.rendering.periods.slice(-2).map(({ forecast }: Loose) => forecast)).toEqual([null, true]);
    // The plan stays readable month by month, and the series shows the actual month in its place.
    const kept = await compute(fixed, {}, own);
    expect(kept).toMatchObject({ anchor_period: '2026-04' });
    expect(kept.months_computed).toHaveLength(2);
    expect(rowsOf(await seriesOf('income_statement', fixed, '', own))['Revenues']?.slice(-2)).toEqual([60_000, 46_818]);
    await own.done('close-period', { period: '2026-06' });
    const over = await compute(seam, {}, own);
    expect(over).toMatchObject({
      anchor_period: '2026-06',
      months_computed: [],
      diagnostics: ['every month of the horizon is closed'],
    });
    expect((await own.block(seam)).artifact.mechanics.computed_months).toBe(0);
    const { levers } = (await own.block(seam)).artifact.mechanics;
    expect(levers[0].values_by_period).toEqual({ '2026-05': 0.02, '2026-06': 0.02 });
    reporting.clock.set('2026-05-04T12:00:00Z');
  });
});

describe('a forecast in a style with finer lines', () => {
  it('keeps the amounts of accounts that are mapped to a total of the style (reporting S-32, Q-19)', async () => {
    const own = await openExampleBooks(reporting.user, {
      style: 'Detailed',
      accounts: [['6200', 'expense', 'GeneralAndAdministrativeExpense']],
    });
    await postExample(own);
    for (const period of ['2026-02', '2026-03', '2026-04']) await own.done('close-period', { period });
    const { id } = await createForecast(own, { line_growth: [] });
    const done = await own.done('compute-forecast', { structure_id: id });
    expect(done.halted_at).toBe(null);
    expect(done.months_computed.map((month: Loose) => month.verification_passed)).toEqual([true, true, true]);
  });
});

describe('compute-forecast refuses', () => {
  const refused = async (body: object, on = books): Promise<string> => {
    const { status, body: answer } = await on.operation('compute-forecast', body);
    expect(status).toBe(422);
    return answer.detail;
  };

  it('a structure that does not exist or is no forecast (reporting Q-10)', async () => {
    expect(await refused({ structure_id: 'struct_none' })).toBe('Structure not found: struct_none');
    expect(await refused({ structure_id: books.structures['balance_sheet'] })).toContain("is 'balance_sheet'");
  });

  it.each([0, 4])('%i months of a horizon of three (reporting Q-10)', async (months) => {
    const { id } = await createForecast(books);
    expect(await refused({ structure_id: id, months })).toContain('months: give 1 to 3');
  });

  it('an unknown entity (reporting B-0.9)', async () => {
    const { id } = await createForecast(books);
    expect(await refused({ structure_id: id, entity_id: 'ent_none' })).toContain("Entity 'ent_none' not found");
  });

  it('a base period without an income statement (reporting Q-10)', async () => {
    const { id } = await createForecast(books, { base_period: '2026-07', base_anchor: 'fixed', line_growth: [] });
    expect(await refused({ structure_id: id })).toContain('No actual income statement at the base period 2026-07');
  });
});
