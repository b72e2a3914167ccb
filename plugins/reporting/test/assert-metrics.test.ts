/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, MetricBooks, type MetricService, startMetrics } from './metric-books.ts';

let parts: MetricService;
let books: MetricBooks;
let structureId: string;
beforeAll(async () => {
  parts = await startMetrics();
  books = await MetricBooks.open(parts);
  structureId = await books.author({
    metrics: ['Followers', 'Downloads', 'Pipeline'],
    movements: ['Downloads'],
    money: ['Pipeline'],
    unlisted: ['Unlisted'],
  });
});
afterAll(async () => {
  await parts.service.close();
});

const april = { period_start: '2026-04-01', period_end: '2026-04-30', source_system: 'content-machine' } as const;
const observe = (values: Readonly<Record<string, number>>) => ({
  structure_id: structureId,
  ...april,
  observations: Object.entries(values).map(([qname, value]) => ({ qname, value })),
});
const standing = (): Promise<Loose> =>
  books.inGraph(async (tx) => {
    const sets = await parts.use.facts.sets(tx, { scenario: 'all', structureIds: [structureId] });
    return { sets, facts: await parts.use.facts.facts(tx, { scenario: 'all', structureIds: [structureId] }) };
  });

describe('assert-metrics', () => {
  it('stores observations in presentation order and replaces them (reporting M-10, M-11, B-0.4)', async () => {
    await books.inGraph((tx) =>
      tx.query(sql`update kernel_graph set stale_since = null, stale_reason = null where graph_id = ${books.graphId}`),
    );
    const first = await books.done('assert-metrics', {
      ...observe({ 'own:Pipeline': 1_250.5, 'own:Downloads': 900, 'own:Followers': 0.1234565 }),
      basis_note: 'CRM of 30 April',
    });
    expect(first).toMatchObject({ structure_id: structureId, period_end: '2026-04-30', replaced: false });
    const asserted = first.asserted.map(({ element_qname, value, unit, period_type, item_type }: Loose) => {
      return [element_qname, value, unit, period_type, item_type];
    });
    expect(asserted).toEqual([
      ['own:Followers', 0.123456, 'pure', 'instant', null],
      ['own:Downloads', 900, 'pure', 'duration', null],
      ['own:Pipeline', 1_250.5, 'USD', 'instant', 'monetary'],
    ]);
    const { sets, facts } = await standing();
    expect(sets).toMatchObject([
      {
        id: first.fact_set_id,
        entityId: first.entity_id,
        scenarioId: null,
        provenance: {
          origin: 'asserted',
          source_system: 'content-machine',
          asserted_by: expect.stringMatching(/^user_/),
          basis_note: 'CRM of 30 April',
        },
      },
    ]);
    const stored = facts.map(({ value, decimals, periodStart }: Loose) => [value, decimals, periodStart]);
    expect(stored.sort()).toEqual([
      ['0.123456', '6', null],
      ['1250.5', '2', null],
      ['900', '0', '2026-04-01'],
    ]);
    const [row] = await books.inGraph((tx) =>
      tx.query(sql<Loose>`select stale_reason as reason from kernel_graph where graph_id = ${books.graphId}`),
    );
    expect(row.reason).toBe('metrics_asserted');
    const second = await books.done('assert-metrics', observe({ 'own:Downloads': 950 }));
    expect(second).toMatchObject({ fact_set_id: first.fact_set_id, replaced: true });
    expect((await standing()).facts).toMatchObject([{ value: '950' }]);
  });

  it('replays the answer of an idempotency key (reporting B-0.1)', async () => {
    const body = observe({ 'own:Downloads': 7 });
    const first = await books.post('assert-metrics', body, { key: 'seven' });
    const again = await books.post('assert-metrics', body, { key: 'seven' });
    expect(again.body).toMatchObject({ result: first.body.result, idempotentReplay: true });
  });

  it('names all problems in one error and writes nothing (reporting M-10)', async () => {
    const before = await standing();
    const request = observe({
      'own:Nothing': 1,
      'own:Nobody': 1,
      'own:Heading': 1,
      'rs-metric:CurrentRatio': 1,
      'own:Unlisted': 1,
      'own:Followers': 1,
      'own:Pipeline': 1e18,
    });
    const observations = [...request.observations, { qname: 'own:Followers', value: 2 }];
    const answer = await books.post('assert-metrics', { ...request, observations });
    expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
      422,
      'INVALID_INPUT',
      'assert-metrics rejected: unknown qname(s): [own:Nothing, own:Nobody]; ' +
        'abstract concept(s) cannot carry facts: [own:Heading]; ' +
        'blocked concept(s): [rs-metric:CurrentRatio]; ' +
        "concept(s) not on the structure's presentation catalog: [rs-metric:CurrentRatio, own:Unlisted]; " +
        'duplicate qname(s): [own:Followers]; ' +
        'value(s) of more than 18 digits: [own:Pipeline]',
    ]);
    expect(await standing()).toEqual(before);
  });

  it('rejects a structure that computes its metrics, and a request without observations (reporting M-10)', async () => {
    const computed = await books.post('assert-metrics', {
      ...observe({ 'own:Followers': 1 }),
      structure_id: books.catalogId,
    });
    expect([computed.status, computed.body.detail]).toEqual([
      422,
      `assert-metrics rejected: '${books.catalogId}' has Derive rules and is compute-owned. Use compute-metrics.`,
    ]);
    const empty = await books.post('assert-metrics', observe({}));
    expect([empty.status, empty.body.detail]).toEqual([422, 'assert-metrics rejected: observations is empty.']);
  });
});
