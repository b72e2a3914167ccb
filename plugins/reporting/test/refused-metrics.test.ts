/** @module-tag sessions */
import type { NewFact } from '@pacioli/blocks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MetricComputer } from '../src/metrics/index.ts';
import { MetricBooks, type MetricService, startMetrics } from './metric-books.ts';

let parts: MetricService;
let books: MetricBooks;
beforeAll(async () => {
  parts = await startMetrics();
  books = await MetricBooks.open(parts);
});
afterAll(async () => {
  await parts.service.close();
});

const periodEnd = '2026-04-30';
const observed = { source_system: 'test', observations: [{ qname: 'own:Visits', value: 1 }] } as const;
const refusalOf = async (name: string, body: object): Promise<readonly [number, string, string]> => {
  const answer = await books.post(name, {
    period_end: periodEnd,
    ...(name === 'assert-metrics' ? observed : {}),
    ...body,
  });
  return [answer.status, answer.body.code, answer.body.detail];
};

describe.each(['compute-metrics', 'assert-metrics'])('%s', (name) => {
  it('rejects structures that are unknown or of another type (reporting M-3, M-10)', async () => {
    expect(await refusalOf(name, { structure_id: 'struct_none' })).toEqual([
      422,
      'INVALID_INPUT',
      'Structure not found: struct_none',
    ]);
    const sheet = parts.use.library.structureByKey('BS-classified')?.id ?? '';
    expect(await refusalOf(name, { structure_id: sheet })).toEqual([
      422,
      'INVALID_INPUT',
      `${name} targets a block_type='metric' structure; '${sheet}' is 'balance_sheet'`,
    ]);
  });

  it('rejects an entity of another graph and a period that ends before it starts (reporting B-0.9)', async () => {
    const structureId = books.catalogId;
    expect(await refusalOf(name, { structure_id: structureId, entity_id: 'ent_none' })).toEqual([
      422,
      'INVALID_INPUT',
      "Entity 'ent_none' not found in this graph.",
    ]);
    expect(await refusalOf(name, { structure_id: structureId, period_start: '2026-05-01' })).toEqual([
      422,
      'INVALID_INPUT',
      'The period ends (2026-04-30) before it starts (2026-05-01). Give a later end.',
    ]);
  });
});

describe('compute-metrics', () => {
  it('rejects a deployment that knows no entities (reporting M-3)', async () => {
    const computer = new MetricComputer({ ...parts.use, entities: [] });
    const request = { structureId: books.catalogId, periodStart: null, periodEnd, scenarioId: null };
    const computed = books.inGraph((tx) => {
      const work = { tx, graphId: books.graphId, userId: 'user_1', now: new Date(0) };
      return computer.compute(work, { ...request, entityId: null });
    });
    await expect(computed).rejects.toMatchObject({
      kind: 'invalid_input',
      message: 'This graph has no entity to report about. Create one first.',
    });
  });

  it('rejects a scenario that is no forecast of the graph (reporting M-3)', async () => {
    for (const scenarioId of ['struct_none', books.catalogId]) {
      expect(await refusalOf('compute-metrics', { structure_id: books.catalogId, scenario_id: scenarioId })).toEqual([
        422,
        'INVALID_INPUT',
        `Scenario not found: ${scenarioId}`,
      ]);
    }
  });

  it('rejects a date with more facts than one run reads (reporting M-5)', async () => {
    // It writes 20,001 facts, which takes more than a second.
    const crowded = await MetricBooks.open(parts);
    const setId = await crowded.report({ start: null, end: periodEnd, values: {} });
    const elementId = parts.use.library.elementByQname('rs-gaap:Revenues')?.id ?? '';
    const day = 24 * 60 * 60 * 1_000;
    const facts = Array.from({ length: 20_001 }, (_, index): NewFact => {
      const periodStart = new Date(Date.parse(periodEnd) - index * day).toISOString().slice(0, 10);
      return { elementId, periodStart, periodEnd: periodEnd, periodType: 'duration', value: '1', unit: 'USD' };
    });
    await crowded.inGraph((tx) => parts.use.facts.addFacts(tx, setId, facts, new Date()));
    const answer = await crowded.post('compute-metrics', { structure_id: crowded.catalogId, period_end: periodEnd });
    expect([answer.status, answer.body.code]).toEqual([413, 'TOO_MANY_FACTS']);
  });
});
