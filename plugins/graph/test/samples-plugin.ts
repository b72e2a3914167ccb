import { type AnalyticalRow, defineNode, definePlugin, defineRelationship, sql } from '@pacioli/core';
import { busyDays } from './examples/busy-days.ts';

/** The rows of the first type. */
export const things = 3_000;

const Thing = defineNode('Thing', {
  extension: 'samples',
  properties: { number: 'INT64', amount: 'DOUBLE', day: 'DATE' },
  rows: ({ tx }) =>
    tx.stream(
      sql<{ identifier: string; number: number; amount: number; day: string }>`
        SELECT 't' || n AS identifier, n AS number, n / 100.0::float8 AS amount, date '2026-01-01' + (n % 30)::int AS day
        FROM generate_series(1, ${things}::int) AS n`,
      500,
    ),
});
const Hidden = defineNode('Hidden', { extension: 'elsewhere' });
/** The relationships of the next build. */
export const edges: AnalyticalRow[] = [{ from: 't1', to: 't2' }];
const Follows = defineRelationship('FOLLOWS', Thing, Thing, {
  extension: 'samples',
  async *rows() {
    yield edges.map((edge) => ({ from: String(edge['from']), to: String(edge['to']) }));
  },
});

/** A plugin with two types, and one that belongs to another extension. */
export const samples = definePlugin({
  name: 'samples',
  title: 'Samples',
  version: '0.1.0',
  kernel: '^0.1.0',
  domain: 'samples',
  dependsOn: ['graph'],
  queries: [busyDays],
  nodes: [Thing, Hidden],
  relationships: [Follows],
});
