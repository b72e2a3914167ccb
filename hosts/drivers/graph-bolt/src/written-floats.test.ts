import type { CatalogTable } from '@pacioli/core/ports';
import { describe, expect, it } from 'vitest';
import { withFloats } from './written-floats.ts';

const tables: readonly CatalogTable[] = [
  {
    kind: 'node',
    name: 'A',
    key: 'id',
    columns: [
      { name: 'id', type: 'STRING' },
      { name: 'd', type: 'DOUBLE' },
      { name: 'n', type: 'INT64' },
      { name: 'x', type: 'FLOAT' },
    ],
  },
  {
    kind: 'node',
    name: 'B',
    key: 'id',
    columns: [
      { name: 'id', type: 'STRING' },
      { name: 'd', type: 'INT64' },
    ],
  },
];

describe('floats of a write (graphs E-34)', () => {
  it.each([
    ["CREATE (a:A {id: 'd: 1', d: 1, n: 2})", "CREATE (a:A {id: 'd: 1', d: 1.0 * (1), n: 2})"],
    ['CREATE (:`A` {`d`: $d, x: f(1, 2)})', 'CREATE (:`A` {`d`: 1.0 * ($d), x: 1.0 * (f(1, 2))})'],
    ['MATCH (a:A) SET a.d = 1, a.n = 2 RETURN a.d', 'MATCH (a:A) SET a.d = 1.0 * (1), a.n = 2 RETURN a.d'],
    [
      'MATCH (a:A {n: 1}) SET a += {d: 1} SET a.x = a.n',
      'MATCH (a:A {n: 1}) SET a += {d: 1.0 * (1)} SET a.x = 1.0 * (a.n)',
    ],
    [
      "MATCH (a:A) SET a.d = CASE WHEN a.id STARTS WITH 'x' THEN 1 ELSE 2 END RETURN a",
      "MATCH (a:A) SET a.d = 1.0 * (CASE WHEN a.id STARTS WITH 'x' THEN 1 ELSE 2 END) RETURN a",
    ],
    ["MATCH (a:A) SET a.d = 1, a.id = '(a:B)'", "MATCH (a:A) SET a.d = 1.0 * (1), a.id = '(a:B)'"],
    ['MATCH (`a`:`A`) SET `a`.d = 1', 'MATCH (`a`:`A`) SET `a`.d = 1.0 * (1)'],
    ['MATCH (a:A), (b:B) SET b.d = 1, a.d=2', 'MATCH (a:A), (b:B) SET b.d = 1, a.d=1.0 * (2)'],
  ])('are made where the property is one: %s', (given, expected) => {
    expect(withFloats(given, tables)).toBe(expected);
  });

  it.each([
    'CREATE (:B {d: 1})',
    'CREATE (:A {d: 1.5})',
    'MATCH (a) SET a.d = 1',
    'MATCH (a:A) WHERE a.d = 1 SET a.n = 1 RETURN {d: 1} AS map, a.d = 1 AS same',
  ])('are left alone otherwise: %s', (text) => {
    expect(withFloats(text, tables)).toBe(text);
  });
});
