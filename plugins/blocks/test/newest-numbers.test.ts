/** @module-tag sessions */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewFact } from '../src/index.ts';
import { type BlocksService, conceptId, openGraph, startBlocks, structureId, writeMonth } from './blocks-service.ts';

let blocks: BlocksService;
beforeAll(async () => {
  blocks = await startBlocks();
});
afterAll(async () => {
  await blocks.service.close();
});

const end = '2026-04-30';
const assets = (value: string, more: Partial<NewFact> = {}): NewFact => ({
  elementId: conceptId(blocks, 'Assets'),
  periodStart: '2026-04-01',
  periodEnd: end,
  periodType: 'instant',
  value,
  unit: 'USD',
  ...more,
});
const filter = () => ({
  entityId: 'ent_1',
  factsetTypes: ['report'] as const,
  elementIds: [conceptId(blocks, 'Assets')],
  endingOn: [end],
  scenarioId: null,
  currency: 'USD',
});

describe('newestNumbers', () => {
  it('ignores parts of a total, historical facts, other entities and plans (reporting M-5, F-6, F-11, F-15)', async () => {
    const graph = await openGraph(blocks);
    await blocks.inGraph(graph.id, async (tx) => {
      const sheet = structureId(blocks, 'BS-classified');
      const region = { dimensionType: 'axis', axisElementId: 'elem_axis', value: 'elem_north', displayName: 'North' };
      await writeMonth(blocks, tx, {
        structureId: sheet,
        month: '2026-04',
        facts: [
          assets('1', { members: [region] }),
          assets('2', { factScope: 'historical', unit: 'EUR' }),
          assets('3', { entityId: 'ent_2' }),
        ],
      });
      await writeMonth(blocks, tx, {
        structureId: sheet,
        month: '2026-04',
        scenarioId: 'struct_plan',
        facts: [assets('4')],
      });
      expect(await blocks.use.factStore.newestNumbers(tx, filter())).toEqual([]);
      const planned = await blocks.use.factStore.newestNumbers(tx, { ...filter(), scenarioId: 'struct_plan' });
      expect(planned.map(({ value, scenarioId }) => [value, scenarioId])).toEqual([['4', 'struct_plan']]);
    });
  });

  it('returns a balance once and each movement by its start, from the newest set (reporting M-5, F-3)', async () => {
    const graph = await openGraph(blocks);
    await blocks.inGraph(graph.id, async (tx) => {
      const movement = (periodStart: string, value: string) => assets(value, { periodStart, periodType: 'duration' });
      const older = { month: '2026-04', now: new Date('2026-05-01T00:00:00Z') };
      await writeMonth(blocks, tx, {
        ...older,
        structureId: structureId(blocks, 'BS-classified'),
        facts: [assets('1'), assets('2', { periodStart: '2026-02-01' }), movement('2026-01-01', '3')],
      });
      await writeMonth(blocks, tx, {
        month: '2026-04',
        structureId: structureId(blocks, 'BS-unclassified'),
        facts: [assets('4'), movement('2026-04-15', '5')],
      });
      const found = await blocks.use.factStore.newestNumbers(tx, filter());
      expect(found.map(({ periodType, periodStart, value }) => [periodType, periodStart, value])).toEqual([
        ['duration', '2026-01-01', '3'],
        ['duration', '2026-04-15', '5'],
        ['instant', '2026-04-01', '4'],
      ]);
      const except = { structureId: structureId(blocks, 'BS-unclassified'), periodEnd: end };
      const others = await blocks.use.factStore.newestNumbers(tx, { ...filter(), except });
      expect(others.map(({ value }) => value)).toHaveLength(2);
    });
  });

  it('takes a number in the currency before newer ones in other units (reporting M-5)', async () => {
    const graph = await openGraph(blocks);
    await blocks.inGraph(graph.id, async (tx) => {
      const [classified, other] = [structureId(blocks, 'BS-classified'), structureId(blocks, 'BS-unclassified')];
      const older = { month: '2026-04', now: new Date('2026-05-01T00:00:00Z') };
      await writeMonth(blocks, tx, { ...older, structureId: classified, facts: [assets('1', { unit: 'EUR' })] });
      await writeMonth(blocks, tx, { month: '2026-04', structureId: other, facts: [assets('2')] });
      const inUnit = async (currency: string) => {
        const found = await blocks.use.factStore.newestNumbers(tx, { ...filter(), currency });
        return found.map(({ value, unit }) => [value, unit]);
      };
      expect(await inUnit('EUR')).toEqual([['1', 'EUR']]);
      expect(await inUnit('USD')).toEqual([['2', 'USD']]);
      expect(await inUnit('GBP')).toEqual([['2', 'USD']]);
    });
  });

  it('leaves out movements that start before a date, but no balances (reporting M-5)', async () => {
    const graph = await openGraph(blocks);
    await blocks.inGraph(graph.id, async (tx) => {
      const movement = (periodStart: string, value: string) => assets(value, { periodStart, periodType: 'duration' });
      await writeMonth(blocks, tx, {
        month: '2026-04',
        structureId: structureId(blocks, 'BS-classified'),
        facts: [movement('2026-03-31', '1'), movement('2026-04-01', '2'), assets('3', { periodStart: null })],
      });
      const found = await blocks.use.factStore.newestNumbers(tx, { ...filter(), startingFrom: '2026-04-01' });
      expect(found.map(({ value }) => value)).toEqual(['2', '3']);
    });
  });
});
