/** @module-tag sessions */
// Goal: forecasts are authored as blocks, and their envelope shows plans next to what was realized.
// Method: a real service over HTTP with the closed months of the worked example.
import { sql } from '@pacioli/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, openExampleBooks, type ReportingService } from './example-books.ts';
import {
  createForecast,
  examplePlan,
  type ForecastBooks,
  openForecastBooks,
  rowsOf,
  startForecasts,
} from './forecast-books.ts';

let reporting: ReportingService;
let books: ForecastBooks;
beforeAll(async () => {
  reporting = await startForecasts();
  books = await openForecastBooks(reporting, { hasSchedules: false });
});
afterAll(() => reporting.service.close());

const update = (structureId: string, more: object) =>
  books.operation('update-information-block', {
    block_type: 'forecast',
    payload: { structure_id: structureId, ...more },
  });
const create = (more: object, on = books) =>
  on.operation('create-information-block', { block_type: 'forecast', payload: { ...examplePlan, ...more } });
const growth = { qname: 'rs-driver:RevenueGrowthRate', value: 0.02 };

describe('create-information-block for a forecast', () => {
  it('stores levers and assertions as facts of its own scenario, from the last closed month on (reporting Q-1 to Q-6)', async () => {
    const block = await createForecast(books);
    expect(block).toMatchObject({
      block_type: 'forecast',
      name: 'Plan 2026',
      category: 'Planning',
      information_model: { concept_arrangement: 'set' },
      fact_set: {
        factset_type: 'custom',
        scenario_id: block.id,
        structure_id: block.id,
        period_start: '2026-05-01',
        period_end: '2026-07-31',
      },
    });
    expect(block.artifact.mechanics).toMatchObject({
      kind: 'forecast',
      scenario_kind: 'forecast',
      base_anchor: 'seam',
      base_period: '2026-04',
      horizon_months: 3,
      computed_months: 0,
    });
    expect(block.artifact.mechanics.levers[2]).toMatchObject({
      qname: 'rs-driver:DaysSalesOutstanding',
      item_type: 'days',
      values_by_period: { '2026-05': 15, '2026-06': 15, '2026-07': 15 },
    });
    expect(block.artifact.mechanics.line_growth).toEqual([
      expect.objectContaining({ item_type: 'percent', values_by_period: { '2026-05': 0.03 } }),
    ]);
    const units = new Map(block.facts.map((fact: Loose) => [fact.element_qname, fact.unit]));
    expect(Object.fromEntries(units)).toEqual({
      'rs-driver:RevenueGrowthRate': 'pure',
      'rs-driver:CostOfRevenueRate': 'pure',
      'rs-driver:DaysSalesOutstanding': 'days',
      'rs-driver:DaysPayableOutstanding': 'days',
      'rs-gaap:GainLossOnDispositionOfAssets': 'USD',
    });
    expect(block.facts).toHaveLength(5 * 3);
  });

  it('overrides the value of single months, exactly to six places (reporting Q-4, F-5)', async () => {
    const block = await createForecast(books, {
      levers: [{ ...growth, value: 0.1, values_by_period: { '2026-06': 0.123_456_75 } }],
    });
    expect(block.artifact.mechanics.levers[0].values_by_period).toEqual({
      '2026-05': 0.1,
      '2026-06': 0.123457,
      '2026-07': 0.1,
    });
  });

  it.each([
    ['a month outside the horizon', { levers: [{ ...growth, values_by_period: { '2026-08': 1 } }] }, /2026-08/],
    ['a lever without a value', { levers: [{ qname: growth.qname }] }, /no value for: rs-driver:RevenueGrowthRate/],
    ['a lever twice', { levers: [growth, growth] }, /duplicate qname\(s\)/],
    ['no lever', { levers: [] }, /at least one/],
    [
      'an unknown lever',
      { levers: [{ qname: 'rs-driver:Luck', value: 1 }] },
      /not in the driver catalog: \[rs-driver:Luck/,
    ],
    ['a line as a lever', { levers: [{ qname: 'rs-gaap:Revenues', value: 1 }] }, /not in the driver catalog/],
    [
      'the heading as a lever',
      { levers: [{ qname: 'rs-driver:ForecastDriversAbstract', value: 1 }] },
      /driver catalog/,
    ],
    ['a horizon of 37 months', { horizon_months: 37 }, /horizon_months: give 1 to 36/],
    ['no horizon', { horizon_months: 0 }, /horizon_months/],
    ['a base period that is no month', { base_period: '2026-13' }, /base_period/],
    ['a blank name', { name: ' ' }, /name: give 1 to 255/],
    ['an unknown entity', { entity_id: 'ent_none' }, /Entity 'ent_none'/],
    ['a value of 19 digits', { levers: [{ ...growth, value: 1e19 }] }, /more than 18 digits/],
    ['an unknown line', { line_assertions: [{ qname: 'rs-gaap:Luck', value: 1 }] }, /rs-gaap:Luck is unknown/],
    [
      'an assertion on a total',
      { line_assertions: [{ qname: 'rs-gaap:Assets', value: 1 }] },
      /rs-gaap:Assets is a total/,
    ],
    [
      'an assertion on a driver',
      { line_assertions: [{ qname: 'rs-driver:CostOfRevenueRate', value: 1 }] },
      /is a driver or a metric/,
    ],
    [
      'an assertion on cash',
      { line_assertions: [{ qname: 'rs-gaap:CashAndCashEquivalentsAtCarryingValue', value: 1 }] },
      /balances the balance sheet/,
    ],
    [
      'an assertion on a detail of a line',
      { line_assertions: [{ qname: 'rs-gaap:LaborAndRelatedExpense', value: 1 }] },
      /has no line of its own: the statements show it in rs-gaap:GeneralAndAdministrativeExpense; state that line/,
    ],
    [
      'growth of a balance',
      { line_growth: [{ qname: 'rs-gaap:InventoryNet', value: 0.1 }] },
      /rs-gaap:InventoryNet cannot grow/,
    ],
    [
      'growth of an asserted line',
      { line_growth: [{ qname: 'rs-gaap:GainLossOnDispositionOfAssets', value: 0.1 }] },
      /both line_growth and line_assertions/,
    ],
  ])('refuses %s (reporting Q-1 to Q-5)', async (_title, more, message) => {
    const { status, body } = await create(more);
    expect(status).toBe(422);
    expect(body.detail).toMatch(message);
  });

  it('needs a closed month, a report or a base period (reporting Q-2)', async () => {
    const open = await openExampleBooks(reporting.user);
    const plan = { ...examplePlan, line_growth: [] };
    const send = (more: object) =>
      open.operation('create-information-block', { block_type: 'forecast', payload: { ...plan, ...more } });
    const refused = await send({});
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('base_period')]);
    expect((await send({ base_period: '2026-02' })).status).toBe(200);
  });
});

describe('update-information-block for a forecast', () => {
  it('replaces the given lists and fields and computes nothing (reporting Q-7)', async () => {
    const { id } = await createForecast(books);
    await books.done('compute-forecast', { structure_id: id });
    const { status, body } = await update(id, {
      name: 'Budget',
      scenario_kind: 'budget',
      base_anchor: 'fixed',
      levers: [{ ...growth, value: 0.5 }],
      line_assertions: [],
      line_growth: [],
    });
    expect(status).toBe(200);
    expect(body.result).toMatchObject({ name: 'Budget' });
    expect(body.result.artifact.mechanics).toMatchObject({
      scenario_kind: 'budget',
      base_anchor: 'fixed',
      line_assertions: [],
      line_growth: [],
      computed_months: 3,
    });
    expect(body.result.facts).toHaveLength(3);
    expect(body.result.elements.map(({ qname }: Loose) => qname)).toEqual([
      'rs-driver:ForecastDriversAbstract',
      'rs-driver:RevenueGrowthRate',
    ]);
  });

  it('refuses a horizon that leaves out values of a kept list, and accepts it with the lists (reporting Q-7)', async () => {
    const { id } = await createForecast(books);
    const refused = await update(id, { horizon_months: 2 });
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('2026-07')]);
    expect((await update(id, { horizon_months: 6 })).status).toBe(200);
    const { levers, line_assertions } = examplePlan;
    expect((await update(id, { horizon_months: 2, levers, line_assertions })).status).toBe(200);
  });

  it('refuses to remove all levers, and a block of another type (reporting Q-3, B-5)', async () => {
    const { id } = await createForecast(books);
    expect((await update(id, { levers: [] })).status).toBe(422);
    expect((await update(books.structures['balance_sheet'] ?? '', { name: 'X' })).status).toBe(404);
  });
});

describe('delete-information-block for a forecast', () => {
  it('deletes the scenario with its months and leaves actuals (reporting Q-7)', async () => {
    const { id } = await createForecast(books);
    await books.done('compute-forecast', { structure_id: id });
    const left = () =>
      reporting.service.store.transaction({ graphId: books.graph }, (tx) =>
        tx.query(sql<Loose>`SELECT (SELECT count(*)::int FROM blocks_fact_set WHERE scenario_id = ${id}) AS sets,
          (SELECT count(*)::int FROM blocks_dimension WHERE value = ${id}) AS dimensions,
          (SELECT count(*)::int FROM blocks_fact_set WHERE scenario_id IS NULL) AS actuals`),
      );
    const [before] = await left();
    expect(before).toMatchObject({ sets: 1 + 3 * 3, dimensions: 1 });
    await books.done('delete-information-block', { block_type: 'forecast', payload: { structure_id: id } });
    expect(await left()).toEqual([{ sets: 0, dimensions: 0, actuals: before.actuals }]);
    expect(await books.block(id)).toBeNull();
  });
});

describe('the envelope of a forecast', () => {
  it('shows the realized values of closed months, then the plan (reporting Q-8, 15.7)', async () => {
    const { id } = await createForecast(books);
    const block = await books.block(id);
    const { periods } = block.view.rendering;
    expect(periods.map(({ end, label, forecast }: Loose) => [end, label, forecast])).toEqual([
      ['2026-02-28', null, null],
      ['2026-03-31', null, null],
      ['2026-04-30', null, null],
      ['2026-05-31', 'May 2026 (forecast)', true],
      ['2026-06-30', 'Jun 2026 (forecast)', true],
      ['2026-07-31', 'Jul 2026 (forecast)', true],
    ]);
    expect(rowsOf(block)).toEqual({
      RevenueGrowthRate: [null, null, 0.071429, 0.02, 0.02, 0.02],
      CostOfRevenueRate: [null, 0.6, 0.6, 0.6, 0.6, 0.6],
      DaysSalesOutstanding: [null, 14.642857, 14.333333, 15, 15, 15],
      DaysPayableOutstanding: [null, 12.738095, 11, 12, 12, 12],
      GainLossOnDispositionOfAssets: [null, null, 400, 0, 0, 0],
      GeneralAndAdministrativeExpense: [null, null, 0.019231, 0.03, null, null],
    });
    expect(block.view.rendering.rows.map(({ itemType }: Loose) => itemType)).toEqual([
      'percent',
      'percent',
      'days',
      'days',
      'monetary',
      'percent',
    ]);
  });

  it('shows what was paid to owners in closed months, from the cash flow (reporting Q-8, Q-16)', async () => {
    const lineAssertions = [{ qname: 'rs-gaap:PaymentsOfDividends', value: 500 }];
    const { id } = await createForecast(books, { line_assertions: lineAssertions });
    expect(rowsOf(await books.block(id))['PaymentsOfDividends']?.slice(-4)).toEqual([2_000, 500, 500, 500]);
  });

  it('is listed among the blocks of planning (reporting B-16)', async () => {
    const { informationBlocks } = await books.query(
      '{ informationBlocks(category: "Planning", limit: 200) { blockType artifact { mechanics } } }',
    );
    expect(informationBlocks.length).toBeGreaterThan(0);
    expect(informationBlocks.every(({ blockType }: Loose) => blockType === 'forecast')).toBe(true);
  });
});
