import { type CatalogTable, isGraphStoreError } from '@pacioli/core/ports';
import { describe, expect, it } from 'vitest';
import { boltStatement } from './statement.ts';

const tables: readonly CatalogTable[] = [
  {
    kind: 'node',
    name: 'Vessel',
    key: 'imo',
    columns: [
      { name: 'imo', type: 'STRING' },
      { name: 'built', type: 'DATE' },
    ],
  },
  { kind: 'node', name: 'Berth', key: 'code', columns: [{ name: 'code', type: 'STRING' }] },
  {
    kind: 'relationship',
    name: 'CALLS',
    from: 'Vessel',
    to: 'Berth',
    columns: [{ name: 'hours', type: 'DOUBLE' }],
  },
];

function outcomeOf(text: string): string {
  try {
    boltStatement(text, tables);
  } catch (error) {
    if (isGraphStoreError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'accepted';
}

describe('properties in statements for a graph server', () => {
  it.each([
    ['MATCH (v:Vessel) RETURN v.flag', 'flag', 'v'],
    ['MATCH (v:Vessel) WHERE v . flg = 1 RETURN v', 'flg', 'v'],
    ['MATCH (v:Vessel {flag: 1}) RETURN v', 'flag', 'v'],
    ["MATCH (v:Vessel {imo: 'x', `flag`: 1}) RETURN v", 'flag', 'v'],
    ['MATCH (:Vessel {flag: 1})-[:CALLS]->(b) RETURN b', 'flag', 'Vessel'],
    ['MATCH ()-[:CALLS {zzz: 1}]->() RETURN 1 AS x', 'zzz', 'CALLS'],
    ['MATCH ()-[r:CALLS]->() RETURN r.zzz', 'zzz', 'r'],
    ['MATCH ()-[r]->() RETURN r.zzz', 'zzz', 'r'],
    ['MATCH (v) RETURN v.flag', 'flag', 'v'],
    ['MATCH (v {flag: 1}) RETURN v', 'flag', 'v'],
    ['MATCH (v:Vessel)-[:CALLS]->(b:Berth) RETURN b.imo', 'imo', 'b'],
    ['MATCH (v:Vessel|Berth) RETURN v.hours', 'hours', 'v'],
    ['MATCH (`v`:`Vessel`) RETURN v.`flag`', 'flag', 'v'],
    ['MATCH (v:Vessel) RETURN v.flag.year', 'flag', 'v'],
    ['MATCH (v:Vessel) WHERE v.imo IN [v.flag] RETURN v', 'flag', 'v'],
    ['MATCH (v:Vessel) RETURN [x IN [1, 2] | v.flag] AS l', 'flag', 'v'],
    ['MATCH (v:Vessel) WITH v ORDER BY v.imo MATCH (v)-[:CALLS]->(b) RETURN v.flag', 'flag', 'v'],
    ['MATCH (v:Vessel) WHERE EXISTS { (v)-[:CALLS]->(b:Berth) WHERE b.flag = 1 } RETURN v', 'flag', 'b'],
    ['MATCH (v:Vessel WHERE v.flag = 1) RETURN v', 'flag', 'v'],
    ['MATCH (v:!Vessel) RETURN v.flag', 'flag', 'v'],
    ['MATCH (v:Vessel) RETURN count(v.flag) AS n', 'flag', 'v'],
    ['MATCH (v:Vessel) SET v.flag = 1', 'flag', 'v'],
    ['MATCH (v:Vessel) REMOVE v.flag', 'flag', 'v'],
    ["CREATE (v:Vessel {imo: 'x', flag: 1})", 'flag', 'v'],
    ["MERGE (v:Vessel {imo: 'x'}) ON CREATE SET v.flag = 1", 'flag', 'v'],
    ['MATCH (v:Vessel), (b:Berth) CREATE (v)-[:CALLS {zzz: 1}]->(b)', 'zzz', 'CALLS'],
  ])('must be declared by a table of their variable (graphs 21.4): %s', (text, key, owner) => {
    expect(outcomeOf(text)).toBe(`bind: Cannot find property ${key} for ${owner}.`);
  });

  it.each([
    "MATCH (v:Vessel {imo: 'x'})-[r:CALLS {hours: 1}]->(b {code: 'y'}) RETURN v.imo, r.hours, b.code",
    'MATCH (v:Vessel) RETURN v.built.year AS y, date.truncate("month", v.built) AS m',
    'MATCH (v:Vessel) WITH {flag: 1} AS v RETURN v.flag',
    'UNWIND [{flag: 1}] AS v RETURN v.flag, (v)',
    'UNWIND $rows AS row MERGE (v:Vessel {imo: row.id}) SET v.built = date(row.day)',
    'MATCH (v:Vessel) WITH collect(v) AS all RETURN [v IN [{flag: 1}] | v.flag] AS l',
    'MATCH (v:Vessel) WHERE any(x IN [{flag: 1}] WHERE x.flag = 1) RETURN v',
    'RETURN reduce(v = {flag: 1}, x IN [1, 2] | {flag: (v).flag + v.flag + x}) AS l',
    "WITH date('2026-01-31') AS d, duration('P1D') AS p, point({x: 1, y: 2}) AS q RETURN d.year, p.days, q.x, (d)",
    'MATCH (v:Vessel) RETURN v.imo AS x UNION MATCH (v:Berth) RETURN v.code AS x',
    'MATCH (v:Vessel) RETURN v.imo AS x UNION MATCH (v) RETURN v.code AS x',
    'MATCH (v:Vessel) WITH count(v) AS n MATCH (v) RETURN n, v.code',
    'MATCH (v) OPTIONAL MATCH (v:Vessel)-[:CALLS]->() RETURN v.code',
    'MATCH (v) WHERE v:Berth RETURN v.code',
    'MATCH (v:!Vessel) RETURN v.code',
    'MATCH (v:(Vessel|Berth)&!Vessel) RETURN v.code',
    'MATCH (v IS Berth) RETURN v.code',
    'MATCH (v:Vessel|Berth) RETURN v.code, v.imo',
    'MATCH ()-[r:CALLS*1..2]->(b) RETURN b.code, r',
    'MATCH p = (v:Vessel)-[:CALLS]->() RETURN length(p) AS n, {flag: v.imo} AS map, v {.imo, flag: 1} AS row',
    'MATCH (v:Vessel) RETURN collect(v {flag: v.imo}) AS rows, size([{flag: 1}]) AS n',
    'MATCH (v:Vessel) RETURN COLLECT { MATCH (v)-[:CALLS]->(b) RETURN b.code } AS codes',
    'MATCH (v:Vessel) RETURN [(v)-[r:CALLS]->(b) | b.code] AS codes, [(b:Vessel)-[:CALLS]->(c) | c.code] AS more',
    'MATCH (v:Vessel) CALL (v) { MATCH (v)-[:CALLS]->(b) RETURN b.code AS c } RETURN c',
    'MATCH (v:Vessel) FOREACH (x IN [{flag: 1}] | SET v.imo = x.flag)',
    "MATCH (v:Vessel) WHERE v.imo = 'v.flag' /* v.flag */ RETURN $v.flag AS x",
    'MATCH (v:Vessel $map) RETURN v',
  ])('are left alone where they are declared or where the variable may be something else (graphs 21.4): %s', (text) => {
    expect(outcomeOf(text)).toBe('accepted');
  });

  it('are read from a long statement without repeated searches (graphs Q-10)', () => {
    const blanks = ' '.repeat(30_000);
    const patterns = Array.from({ length: 2_000 }, (_, index) => `(v${index}:Vessel {imo: 'x'})`).join(', ');
    for (const text of [
      `MATCH (v:Vessel|${blanks}Berth${blanks}) RETURN v${blanks}.${blanks}imo`,
      `MATCH ${patterns} RETURN 1`,
    ])
      expect(outcomeOf(text)).toBe('accepted');
  });

  it.each([
    ['MATCH (n:`Ves``sel`) RETURN n', 'node'],
    ['MATCH (n) WHERE n:`Ves``sel` RETURN n', 'node or relationship'],
    ['MATCH ()-[r:`CAL``LS`]->() RETURN r', 'relationship'],
  ])('belong to a label with the backticks inside of its name (graphs 21.4): %s', (text, kind) => {
    const name = kind === 'relationship' ? 'CAL`LS' : 'Ves`sel';
    expect(outcomeOf(text)).toBe(`bind: This graph has no ${kind} type ${name}.`);
  });
});
