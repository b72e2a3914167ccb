/** @module-tag sessions */
// Goal: statements of months are replaced in place, each scenario apart from the others and from actuals.
import type { Transaction } from '@pacioli/core';
import { sql } from '@pacioli/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewFact, NewMonthSet } from '../src/index.ts';
import type { BlocksDimension } from '../src/rows.gen.ts';
import { type BlocksService, openGraph, startBlocks } from './blocks-service.ts';

const now = new Date('2026-05-04T12:00:00Z');
let blocks: BlocksService;
beforeAll(async () => {
  blocks = await startBlocks();
});
afterAll(() => blocks.service.close());

const month = (more: Partial<NewMonthSet> = {}): NewMonthSet => ({
  structureId: 'struct_is',
  entityId: 'ent_1',
  periodStart: '2026-05-01',
  periodEnd: '2026-05-31',
  scenarioId: 'struct_plan',
  provenance: { origin: 'forecast', month_index: 1 },
  createdBy: 'user_1',
  ...more,
});
const revenue = (value: string, scenarioId: string | null = 'struct_plan'): NewFact => ({
  elementId: 'elem_revenue',
  periodStart: '2026-05-01',
  periodEnd: '2026-05-31',
  periodType: 'duration',
  value,
  unit: 'USD',
  members:
    scenarioId === null
      ? []
      : [{ dimensionType: 'scenario', axisElementId: null, value: scenarioId, displayName: 'Plan' }],
});

async function inNewGraph<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { id } = await openGraph(blocks);
  return blocks.inGraph(id, work);
}

describe('statements of months', () => {
  it('keep their id while facts and provenance are replaced, each scenario on its own (reporting F-10, Q-19)', async () => {
    await inNewGraph(async (tx) => {
      const { factStore } = blocks.use;
      const sets = [
        { set: month(), facts: [revenue('10')] },
        { set: month({ periodStart: '2026-06-01', periodEnd: '2026-06-30' }), facts: [] },
        { set: month({ scenarioId: null }), facts: [revenue('20', null)] },
      ];
      const first: string[] = [];
      for (const each of sets) first.push(...(await factStore.replaceMonthSets(tx, [each], now)));
      expect(new Set(first).size).toBe(3);
      const provenance = { origin: 'forecast', month_index: 2 };
      const again = await factStore.replaceMonthSets(tx, [{ set: month({ provenance }), facts: [revenue('11')] }], now);
      expect(again).toEqual(first.slice(0, 1));
      const planned = { scenario: { id: 'struct_plan' }, structureIds: ['struct_is'] };
      expect((await factStore.facts(tx, planned)).map(({ value }) => value)).toEqual(['11']);
      expect((await factStore.sets(tx, planned)).at(-1)?.provenance).toEqual(provenance);
      const actual = await factStore.facts(tx, { scenario: 'actuals', structureIds: ['struct_is'] });
      expect(actual.map(({ value }) => value)).toEqual(['20']);
      const count = { structureIds: ['struct_is'], scenarioIds: ['struct_plan', 'struct_other'] };
      expect([...(await factStore.countScenarioSets(tx, count))]).toEqual([['struct_plan', 2]]);
    });
  });

  it('are deleted with their scenario and its dimension; those of others stay (reporting Q-7)', async () => {
    await inNewGraph(async (tx) => {
      const { factStore } = blocks.use;
      await factStore.replaceMonthSets(tx, [{ set: month(), facts: [revenue('10')] }], now);
      const other = { set: month({ scenarioId: 'struct_other' }), facts: [revenue('30', 'struct_other')] };
      await factStore.replaceMonthSets(tx, [other], now);
      expect(await factStore.removeScenario(tx, 'struct_plan')).toBe(1);
      expect(await factStore.removeScenario(tx, 'struct_plan')).toBe(0);
      const left = await factStore.facts(tx, { scenario: 'all', structureIds: ['struct_is'] });
      expect(left.map(({ value }) => value)).toEqual(['30']);
      const dimensions = await tx.query(sql<Pick<BlocksDimension, 'value'>>`select value from blocks_dimension`);
      expect(dimensions).toEqual([{ value: 'struct_other' }]);
    });
  });
});
