import { type GenerationRef, type GraphStore, isGraphStoreError } from '@pacioli/core/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeGenerations } from './describe-generations.ts';
import { describeImpossibleValues } from './describe-impossible-values.ts';
import { describePortableAnswers } from './describe-portable-answers.ts';
import { describeStoredDigits } from './describe-stored-digits.ts';
import { describeWritesAndCopies } from './describe-writes-and-copies.ts';
import { ask, batches, build, codeOf, company, heavy, running } from './graph-fixtures.ts';

const exact = 2n ** 53n + 1n;

/** A store with the means to release it after its suite. */
export interface GraphStoreUnderTest {
  readonly store: GraphStore;
  close(): Promise<void>;
}

/** The suite of the graph store port: the same tests for every driver (graphs E-4). */
export function describeGraphStore(name: string, createGraphStore: () => Promise<GraphStoreUnderTest>): void {
  describe(`graph store ${name}`, () => {
    let under: GraphStoreUnderTest;
    let store: GraphStore;
    const ref: GenerationRef = { graphId: 'kg00000000000000000001', generation: 1 };
    const other: GenerationRef = { graphId: 'kg00000000000000000002', generation: 1 };

    beforeAll(async () => {
      under = await createGraphStore();
      store = under.store;
      const rows = [
        company('a', { cents: exact, share: 0.1 }),
        company('b', { name: null, staff: null, cents: null, share: null, listed: null, founded: null, seen: null }),
        company('c', { name: 'O\'Neil "&" \\ `Söhne` 会社\n', cents: -exact, seen: '2026-01-02T03:04:05.123456Z' }),
      ];
      await build(store, ref, batches(rows), [{ from: 'a', to: 'b', percent: 12.5, since: '2024-12-31' }]);
      await build(store, other, batches([company('z')]));
    });
    afterAll(() => under.close());

    it('returns values of every column type unchanged, exact beyond 2^53 (graphs E-1)', async () => {
      const rows = await ask(
        store,
        ref,
        'MATCH (c:Company) RETURN c.identifier, c.name, c.staff, c.cents, c.share, c.listed, c.founded, c.seen ORDER BY c.identifier',
      );
      const date = { valueKind: 'date', text: '2020-02-29' };
      expect(rows).toEqual([
        ['a', 'Name a', 7, exact, 0.1, true, date, { valueKind: 'timestamp', text: '2026-01-02T03:04:05Z' }],
        ['b', null, null, null, null, null, null, null],
        [
          'c',
          'O\'Neil "&" \\ `Söhne` 会社\n',
          7,
          -exact,
          0.5,
          true,
          date,
          { valueKind: 'timestamp', text: '2026-01-02T03:04:05.123456Z' },
        ],
      ]);
    });

    it('sums integers beyond 2^53 exactly', async () => {
      expect(await ask(store, ref, 'MATCH (c:Company) WHERE c.cents > 0 RETURN sum(c.cents) AS total')).toEqual([
        [exact],
      ]);
      expect(await ask(store, ref, 'MATCH (c:Company) RETURN count(*) AS companies')).toEqual([[3]]);
    });

    it('returns an exact number or an error, never a truncated number, however late it occurs (graphs E-1)', async () => {
      const late =
        'UNWIND range(1, 150000) AS x RETURN CASE WHEN x = 150000 THEN 9007199254740993 ELSE x END AS number';
      const given = await ask(store, ref, late).then(
        (rows) => rows.at(-1),
        (error: unknown) => error,
      );
      if (isGraphStoreError(given)) expect(given.message).toContain('cast(x AS STRING)');
      else expect(given).toEqual([exact]);
    });

    it('returns nodes, relationships, lists and records as neutral values (graphs E-1)', async () => {
      const [row] = await ask(
        store,
        ref,
        "MATCH (a:Company {identifier: 'b'})<-[r:OWNS]-(o) RETURN a, r, [1, 2], {x: 'y'}",
      );
      expect(row).toMatchObject([
        { valueKind: 'node', label: 'Company', properties: { identifier: 'b', name: null } },
        {
          valueKind: 'relationship',
          label: 'OWNS',
          properties: { percent: 12.5, since: { valueKind: 'date', text: '2024-12-31' } },
        },
        [1, 2],
        { valueKind: 'record', fields: { x: 'y' } },
      ]);
    });

    it('names columns by their alias or source text, even when there are no rows (graphs Q-40)', async () => {
      const stream = await store.run(
        ref,
        "MATCH (c:Company) WHERE c.identifier = 'none' RETURN c.name, c.staff AS people, c.name /* twice */ LIMIT 5",
        {},
        running(),
      );
      expect(stream.columns).toEqual(['c.name', 'people', 'c.name_2']);
      await stream.cancel();
    });

    it('accepts parameters of every JSON type and drops unused ones (graphs Q-2)', async () => {
      const text =
        'MATCH (c:Company) WHERE c.identifier IN $ids AND $yes RETURN c.identifier AS id, $number AS number, $absent AS absent LIMIT $most';
      const parameters = { ids: ['a', 'c'], yes: true, number: 1.5, absent: null, most: 1, unused: { deep: [1, 'x'] } };
      expect(await ask(store, ref, text, parameters)).toEqual([['a', 1.5, null]]);
    });

    it('rejects a statement whose parameter is missing (graphs Q-2)', async () => {
      expect(await codeOf(ask(store, ref, 'RETURN $missing AS x'))).toBe('parameter');
    });

    it('distinguishes syntax, binding, catalog and run-time errors (graphs E-2)', async () => {
      expect(await codeOf(ask(store, ref, 'MATCH (a:Company RETURN a'))).toBe('syntax');
      expect(await codeOf(ask(store, ref, 'MATCH (a:Nothing) RETURN a'))).toBe('bind');
      expect(await codeOf(ask(store, ref, 'RETURN no_such_function(1) AS x'))).toBe('catalog');
      expect(await codeOf(ask(store, ref, 'UNWIND [0] AS x RETURN 1 / x AS y'))).toBe('runtime');
    });

    it('rejects a write in a read run (graphs Q-20)', async () => {
      expect(await codeOf(ask(store, ref, "CREATE (:Company {identifier: 'new'})"))).toBe('read-only');
      expect(await store.analyze(ref, 'MATCH (c:Company) SET c.name = null', {})).toEqual({ kind: 'write' });
      expect(await store.analyze(ref, 'MATCH (c:Company) RETURN c', {})).toEqual({ kind: 'read' });
    });

    it('rejects two statements in one text (graphs Q-18)', async () => {
      expect(await codeOf(ask(store, ref, 'RETURN 1 AS x; RETURN 2 AS y'))).toBe('syntax');
    });

    it('shows a tenant no data of another tenant (graphs I-1)', async () => {
      expect(await ask(store, ref, "MATCH (c:Company) WHERE c.identifier = 'z' RETURN count(*) AS found")).toEqual([
        [0],
      ]);
      expect(await ask(store, other, 'MATCH (c:Company) RETURN c.identifier')).toEqual([['z']]);
      expect(await codeOf(store.exists({ graphId: '../kg', generation: 1 }))).toBe('database-missing');
    });

    it('reports the tables of the database, including empty ones (graphs SC-50)', async () => {
      const tables = await store.catalog(other);
      expect(tables.map((table) => [table.kind, table.name, table.columns.length])).toEqual([
        ['node', 'Company', 8],
        ['relationship', 'OWNS', 2],
      ]);
      expect(tables[0]).toMatchObject({ key: 'identifier' });
      expect(tables[1]).toMatchObject({ from: 'Company', to: 'Company' });
      expect(await store.stats(ref)).toMatchObject({ nodes: { Company: 3 }, relationships: { OWNS: 1 } });
    });

    it.each([
      ['CALL db.labels()', ['label'], [['Company']]],
      ['call db.relationshipTypes ( ) ;', ['relationshipType'], [['OWNS']]],
      ['CALL db.labels() YIELD label AS name RETURN name, size(name) AS n', ['name', 'n'], [['Company', 7]]],
      ["CALL db.labels() YIELD label WHERE label STARTS WITH 'X' RETURN label", ['label'], []],
      ['CALL db.propertyKeys() YIELD propertyKey RETURN count(*) AS n', ['n'], [[10]]],
      [
        'CALL db.constraints()',
        ['name', 'label', 'property', 'type'],
        [['Company_identifier', 'Company', 'identifier', 'UNIQUENESS']],
      ],
      ['CALL db.indexes() YIELD label, type RETURN label, type', ['label', 'type'], [['Company', 'PRIMARY KEY']]],
      [
        "CALL db.schema() YIELD name, property, type WHERE name = 'OWNS' RETURN name, property",
        ['name', 'property'],
        [
          ['OWNS', 'percent'],
          ['OWNS', 'since'],
        ],
      ],
    ])('answers %s (graphs Q-53)', async (text, columns, rows) => {
      const stream = await store.run(ref, text, {}, running());
      expect(stream.columns).toEqual(columns);
      const found = [];
      for await (const chunk of stream) found.push(...chunk);
      expect(found).toEqual(rows);
      expect(await store.analyze(ref, text, {})).toEqual({ kind: 'read' });
    });

    it('answers type(r), and leaves names and texts as they are (graphs 21.4)', async () => {
      const text =
        "MATCH (a:Company)-[r:OWNS]->(b:Company) RETURN type(r), type (r) AS kind, 'type(r)' AS text, r.percent AS `type(x)`";
      const stream = await store.run(ref, text, {}, running());
      expect(stream.columns).toEqual(['type(r)', 'kind', 'text', 'type(x)']);
      const found = [];
      for await (const chunk of stream) found.push(...chunk);
      expect(found).toEqual([['OWNS', 'OWNS', 'type(r)', 12.5]]);
    });

    describeGenerations(() => store, ref);

    it('stops a statement at its time limit (graphs Q-51)', async () => {
      await expectTimeout(store, ref);
    });

    it('stops waiting when the caller cancels, and runs the next query (graphs C-6)', async () => {
      const controller = new AbortController();
      const endless = ask(store, ref, heavy, {}, { signal: controller.signal, timeoutMs: 3_000 });
      controller.abort();
      expect(await codeOf(endless)).toBe('cancelled');
      expect(await ask(store, ref, 'RETURN 1 AS one')).toEqual([[1]]);
    });

    it('truncates the result at maxRows and reports it', async () => {
      const stream = await store.run(
        ref,
        'UNWIND range(1, 100) AS x RETURN x',
        {},
        running({ maxRows: 10, rowsPerChunk: 4 }),
      );
      const sizes: number[] = [];
      for await (const chunk of stream) sizes.push(chunk.length);
      expect([sizes, stream.summary()]).toEqual([[4, 4, 2], { rows: 10, truncated: true }]);
    });

    describePortableAnswers(() => store);
    describeWritesAndCopies(() => store);
    describeImpossibleValues(() => store);
    describeStoredDigits(() => store);

    it('reports a missing generation with its own error code', async () => {
      expect(await codeOf(ask(store, { graphId: ref.graphId, generation: 99 }, 'RETURN 1 AS x'))).toBe(
        'database-missing',
      );
    });
  });
}

async function expectTimeout(store: GraphStore, ref: GenerationRef): Promise<void> {
  expect(await codeOf(ask(store, ref, heavy, {}, { timeoutMs: 300 }))).toBe('timeout');
}
