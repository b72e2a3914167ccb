import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnalyticalNode, StagingStore } from '@pacioli/core/ports';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { duckdbStagingStore } from './duckdb-staging-store.ts';

const isFullRun = process.env['PACIOLI_TEST_FULL_RUN'] === '1';
const disguisedRuns = isFullRun ? 5_000 : 500;
const readRuns = isFullRun ? 1_000 : 200;
const graphId = 'kg00000000000000000001';
const signal = new AbortController().signal;
const vessel: AnalyticalNode = {
  kind: 'node',
  name: 'Vessel',
  key: 'imo',
  extension: 'custom',
  columns: [{ name: 'imo', type: 'STRING', isRequired: true }],
};
const statements = JSON.parse(
  readFileSync(new URL('./fixtures/refused-statements.json', import.meta.url), 'utf8'),
) as readonly string[]; // Our own file.

/** Statements that can be an operand of another read. */
const reads = statements.filter((statement) => /^(SELECT|FROM|WITH)\b[^;]*$/.test(statement));

interface Change {
  readonly at: number;
  readonly as: string;
}

const spaces = [
  '  ',
  '\t',
  '\n',
  '\r\n',
  ' /* x */ ',
  '/**/ ',
  ' /* /* */ */ ',
  " /* ' */ ",
  ' -- x\n',
  " -- '\n",
  ' -- /*\n',
];
const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.record({ at: fc.nat(), as: fc.constantFrom('upper', 'lower', 'quoted', ...spaces) }),
  { maxLength: 10 },
);

/**
 * Another spelling of a statement: the case of its letters, space and comments between its words, and quotes around the
 * names of functions. Texts stay as they are.
 */
function spelled(statement: string, marks: readonly Change[]): string {
  // Texts, quoted names and comments are single pieces; the others are words, spaces and signs.
  const pieces = statement.match(/E?'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*.*\*\/|\w+|\s+|./gs) ?? [];
  const isPlain = !/E'|\$\$|--|\/\*/.test(statement);
  if (!isPlain) return statement;
  for (const { at, as } of marks) {
    const index = at % Math.max(1, pieces.length);
    const piece = pieces[index] ?? '';
    if (/^\s+$/.test(piece) && spaces.includes(as)) pieces[index] = as;
    if (!/^[A-Za-z_]\w*$/.test(piece)) continue;
    if (as === 'upper') pieces[index] = piece.toUpperCase();
    if (as === 'lower') pieces[index] = piece.toLowerCase();
    if (as === 'quoted' && pieces[index + 1] === '(' && piece === piece.toLowerCase()) pieces[index] = `"${piece}"`;
  }
  return pieces.join('');
}

/** Ways to put a read inside another one, or behind text that hides it from a scan. */
const covers: readonly ((read: string) => string)[] = [
  (read) => read,
  (read) => `(${read})`,
  (read) => `SELECT * FROM (${read}) x`,
  (read) => `SELECT (SELECT count(*) FROM (${read}) x)`,
  (read) => `WITH x AS (${read}) FROM x`,
  (read) => `WITH x AS MATERIALIZED (${read}), y AS (FROM x) SELECT * FROM Vessel, y`,
  (read) => `SELECT 1 UNION ALL SELECT count(*) FROM (${read}) x`,
  (read) => `SELECT * FROM Vessel WHERE EXISTS (${read})`,
  (read) => `SELECT * FROM Vessel WHERE imo IN (SELECT 'x' FROM (${read}) x)`,
  (read) => `SELECT * FROM Vessel ORDER BY (SELECT count(*) FROM (${read}) x)`,
  (read) => `SELECT count(*) FILTER (WHERE EXISTS (${read})) FROM Vessel`,
  (read) => `SELECT CASE WHEN EXISTS (${read}) THEN 1 ELSE 2 END`,
  (read) => `SELECT list_transform([1], lambda v: (SELECT v FROM (${read}) x LIMIT 1))`,
  (read) => `SELECT * FROM Vessel LEFT JOIN (${read}) x ON true`,
  (read) => `DESCRIBE ${read}`,
  (read) => `SUMMARIZE ${read}`,
  (read) => `SELECT * FROM (DESCRIBE ${read})`,
  (read) => `EXPLAIN ${read}`,
  (read) => `EXPLAIN ANALYZE ${read}`,
  (read) => `SELECT E'\\'' AS a, (SELECT count(*) FROM (${read}) x) AS b, '' AS c`,
  (read) => `SELECT $$ ' $$ AS a, (SELECT count(*) FROM (${read}) x) AS b -- '`,
  (read) => `/* /* */ ' */ ${read} -- '`,
  (read) => `/* /* */ SELECT 1 -- */ ${read}`,
  (read) => `/* /* */ EXPLAIN SELECT 1 -- */ ${read}`,
];

describe('statements that are refused', () => {
  let folder: string;
  let store: StagingStore;

  const outcomeOf = (sql: string): Promise<string> =>
    store.query(graphId, [vessel], sql, [], { timeoutMs: 30_000, maxRows: 100, signal }).then(
      ({ rows }) =>
        `answered ${JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`,
      (error: { code: string }) => error.code,
    );

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-refused-'));
    store = duckdbStagingStore({ folder: join(folder, 'staging') });
    const path = join(folder, 'upload');
    await writeFile(path, 'imo\n9300001\n');
    await store.stage(graphId, vessel, { id: 'gf_1', format: 'csv', path, position: 1 }, signal);
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(statements)('include %j, which changes nothing (graphs SQ-1, SQ-2)', async (statement) => {
    expect(['refused', 'statement']).toContain(await outcomeOf(statement));
    expect(await outcomeOf('SELECT count(*) FROM Vessel')).toBe('answered [[1]]');
    expect(existsSync('/tmp/pacioli-stolen.csv') || existsSync('/tmp/pacioli-stolen')).toBe(false);
  });

  it('are the same for rows of another source (graphs SQ-2, SQ-8)', async () => {
    const options = { timeoutMs: 60_000, maxRows: 100, signal };
    // Each starts a process.
    const some = statements.filter((_, index) => index % 16 === 0);
    for (const statement of [...some, 'SELECT * FROM "duckdb_databases"()', "SELECT * FROM query('FROM Vessel')"]) {
      const asked = store.queryRows(graphId, [], statement, [], options).then(
        () => 'answered',
        (error: { code: string }) => error.code,
      );
      expect(['refused', 'statement'], statement).toContain(await asked);
    }
  });

  it('stay refused in every spelling, and inside of and behind others (graphs SQ-1, SQ-2)', async () => {
    const any = fc.oneof(
      fc.constantFrom(...statements).map((statement) => ({ statement, cover: (text: string) => text })),
      fc.record({ statement: fc.constantFrom(...reads), cover: fc.constantFrom(...covers) }),
    );
    await fc.assert(
      fc.asyncProperty(any, changes, async ({ statement, cover }, marks) => {
        const sql = cover(spelled(statement, marks));
        expect(['refused', 'statement'], sql).toContain(await outcomeOf(sql));
      }),
      { numRuns: disguisedRuns },
    );
    expect(await outcomeOf('SELECT * EXCLUDE (_file_id) FROM Vessel')).toBe('answered [["9300001"]]');
    expect(existsSync('/tmp/pacioli-stolen.csv') || existsSync('/tmp/pacioli-stolen')).toBe(false);
  });

  it('are none of those that read the tables, in every spelling and cover (graphs SQ-1)', async () => {
    const allowed = [
      'SELECT imo FROM Vessel',
      'FROM Vessel SELECT count(*)',
      "WITH v AS (FROM Vessel), w AS (FROM v) SELECT upper(imo) AS imo FROM w WHERE imo <> 'duckdb_settings()'",
      'WITH RECURSIVE n AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM n WHERE x < 3) SELECT sum(x) AS s FROM n',
      'SELECT r.range, u.unnest FROM range(3) r, unnest([1, 2]) u',
      'SELECT imo, row_number() OVER (ORDER BY imo) AS n FROM main.Vessel QUALIFY n = 1',
      'SELECT table_name FROM information_schema.tables',
      `SELECT "imo" AS "pragma_x" FROM "Vessel"`,
    ];
    const any = fc.record({ statement: fc.constantFrom(...allowed), cover: fc.constantFrom(...covers.slice(0, 12)) });
    await fc.assert(
      fc.asyncProperty(any, changes, async ({ statement, cover }, marks) => {
        const sql = cover(spelled(statement, marks));
        expect(await outcomeOf(sql), sql).toMatch(/^answered /);
      }),
      { numRuns: readRuns },
    );
  });
});
