import { type CatalogTable, isGraphStoreError } from '@pacioli/core/ports';
import { describe, expect, it } from 'vitest';
import { boltStatement } from './statement.ts';

const tables: readonly CatalogTable[] = [
  { kind: 'node', name: 'Company', key: 'id', columns: [{ name: 'id', type: 'STRING' }] },
  { kind: 'node', name: 'Person', key: 'id', columns: [{ name: 'id', type: 'STRING' }] },
  { kind: 'relationship', name: 'OWNS', from: 'Person', to: 'Company', columns: [] },
];

function codeOf(text: string): string {
  try {
    boltStatement(text, tables);
  } catch (error) {
    if (isGraphStoreError(error)) return error.code;
    throw error;
  }
  return 'accepted';
}

describe('statements for a graph server', () => {
  it.each([
    'MATCH (c:Company)<-[r:OWNS]-(p:Person) RETURN c',
    'MATCH (c:Company|Person) RETURN c',
    'MATCH (c:(Company|Person)&!Person) RETURN c',
    'MATCH (a)-[:OWNS|OWNS*1..3]->(b:`Company`) RETURN a',
    "MATCH (c:Company {id: 'x'}) RETURN {key: c.id, other: [1, 2]} AS map",
    'MATCH (a) WHERE a:Company OR (a:Person) RETURN a',
    'MATCH ()-[r]->() WHERE r:OWNS RETURN r',
    'MATCH (a) WHERE EXISTS { (a)-[:OWNS]->(:Company) } RETURN a {.id, name: a.id} AS map',
    "RETURN 'no (label:Here)' AS text, 1 IS :: INTEGER AS isWhole /* (x:Nothing) */",
    "RETURN duration.between(date('2026-01-01'), date('2026-01-02')) AS d",
  ])('may use what the graph declares (graphs 21.4): %s', (text) => {
    expect(codeOf(text)).toBe('accepted');
  });

  it.each([
    'MATCH (c:Nothing) RETURN c',
    'MATCH (c:Company|Nothing) RETURN c',
    'MATCH (c:OWNS) RETURN c',
    'MATCH ()-[:Company]->() RETURN 1 AS x',
    'MATCH ()-[:OWNS|NOTHING]->() RETURN 1 AS x',
    'MATCH (a) WHERE a:Nothing RETURN a',
    'MATCH (a) WHERE EXISTS { (a)-[:OWNS]->(:Nothing) } RETURN a',
    'MATCH (c:`Nothing`) RETURN c',
    "CREATE (:pacioli_claim {pacioli_claim: 'x'})",
  ])('may not use what it does not declare (graphs 21.4): %s', (text) => {
    expect(codeOf(text)).toBe('bind');
  });

  it('are rewritten to the dialect of the server and keep the columns of the caller (graphs Q-40, 21.4)', () => {
    const { text, names } = boltStatement(
      'MATCH p = (a)-[r:OWNS]->(b) RETURN label(a), label(r), size(rels(p))',
      tables,
    );
    expect(text).toBe(
      'MATCH p = (a)-[r:OWNS]->(b) RETURN labels(a)[0] AS `label(a)`, type(r) AS `label(r)`, size(relationships(p)) AS `size(rels(p))`',
    );
    expect(names).toEqual(['label(a)', 'label(r)', 'size(rels(p))']);
  });

  it.each([
    ["RETURN substring('a(b', 1, 2) AS x", "RETURN substring('a(b', 0, 2) AS `x`"],
    [
      'RETURN timestamp($at) AS x',
      "RETURN datetime.truncate('microsecond', datetime({datetime: datetime(replace($at, ' ', 'T')), timezone: 'Z'})) AS `x`",
    ],
    [
      "RETURN label(c) + 'timestamp(1)' + c.substring AS x",
      "RETURN labels(c)[0] + 'timestamp(1)' + c.substring AS `x`",
    ],
  ])('have the functions of the server: %s (graphs 21.4)', (given, expected) => {
    expect(boltStatement(given, tables).text).toBe(expected);
  });

  it.each(["RETURN substring('hello', 1) AS x", 'RETURN timestamp() AS x'])(
    'are refused where a function has another meaning: %s (graphs 21.4)',
    (text) => {
      expect(codeOf(text)).toBe('bind');
    },
  );

  it.each([
    ['EXPLAIN MATCH (n) RETURN n', 'read-only'],
    ['CYPHER 5 MATCH (n) RETURN n', 'read-only'],
    ['USE system MATCH (n) RETURN n', 'read-only'],
    ["RETURN apoc.util.md5(['x']) AS x", 'catalog'],
    ["RETURN '\\u0027 AS x", 'syntax'],
    ["RETURN 'open", 'syntax'],
  ])('are refused before the server sees %s (graphs Q-20)', (text, code) => {
    expect(codeOf(text)).toBe(code);
  });
});
