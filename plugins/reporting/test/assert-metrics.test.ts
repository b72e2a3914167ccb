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
      'own:Pipeline': 2 ** 53,
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
        'value(s) beyond ±9007199254740991: [own:Pipeline]',
    ]);
    expect(await standing()).toEqual(before);
  });

  it('stores a thousand observations and rejects one more in the same error as other problems (reporting M-10)', async () => {
    // It authors a thousand concepts, which takes more than a second.
    const names = Array.from({ length: 1_000 }, (_, index) => `Count${index}`);
    const others = await MetricBooks.open(parts);
    const many = await others.author({ metrics: names });
    const observations = names.map((name) => ({ qname: `own:${name}`, value: 1 }));
    const request = { structure_id: many, ...april };
    const { asserted } = await others.done('assert-metrics', { ...request, observations });
    expect(asserted).toHaveLength(1_000);
    const answer = await others.post('assert-metrics', {
      ...request,
      observations: [{ qname: 'own:Nothing', value: 1 }, ...observations],
    });
    expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
      422,
      'INVALID_INPUT',
      'assert-metrics rejected: too many observations: [1001 of at most 1000]; unknown qname(s): [own:Nothing]',
    ]);
  });

  it('rejects a structure that computes its metrics, and a request without observations (reporting M-1, M-10)', async () => {
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

  it('rejects a graph without a company (reporting M-3)', async () => {
    const empty = await MetricBooks.open(parts);
    await empty.inGraph((tx) => tx.query(sql`delete from ledger_entity where graph_id = ${empty.graphId}`));
    const answer = await empty.post(name, {
      ...(name === 'assert-metrics' ? observed : {}),
      structure_id: empty.catalogId,
      period_end: periodEnd,
    });
    expect([answer.status, answer.body.detail]).toEqual([
      422,
      'This graph has no entity to report about. Create one first.',
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
  it('rejects a block without formulas and keeps its observations (reporting M-1, M-3)', async () => {
    await books.done('assert-metrics', observe({ 'own:Followers': 5 }));
    const before = await standing();
    expect(await refusalOf('compute-metrics', { structure_id: structureId })).toEqual([
      422,
      'INVALID_INPUT',
      `compute-metrics rejected: '${structureId}' has no Derive rules. Use assert-metrics.`,
    ]);
    expect(await standing()).toEqual(before);
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
});
