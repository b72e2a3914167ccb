import { defineNode, defineRelationship, type GenerationRef, type GraphStore } from '@pacioli/core/ports';
import { beforeAll, describe, expect, it } from 'vitest';
import { ask, batches, build, Company, codeOf, company, running, schema } from './graph-fixtures.ts';

const main: GenerationRef = { graphId: 'kg00000000000000000003', generation: 1 };
const fork: GenerationRef = { graphId: 'kg00000000000000000003_dev', generation: 0 };
const exact = 9007199254740993n;

/** Every column of every row, for comparing copies. */
const everyNode =
  'MATCH (c:Company) RETURN c.identifier, c.name, c.staff, c.cents, c.share, c.listed, c.founded, c.seen ORDER BY c.identifier';
const everyRelationship =
  'MATCH (a:Company)-[r:OWNS]->(b:Company) RETURN a.identifier, b.identifier, r.percent, r.since ORDER BY a.identifier';

/** The part of the suite for forks of subgraphs, what is written to them, and backups. */
export function describeWritesAndCopies(storeUnderTest: () => GraphStore): void {
  describe('writes, copies and snapshots', () => {
    let store: GraphStore;
    const signal = new AbortController().signal;
    const write = async (text: string, parameters = {}) => {
      const stream = await store.write(fork, text, parameters, running());
      const rows = [];
      for await (const chunk of stream) rows.push(...chunk);
      return { columns: stream.columns, rows };
    };
    const countIn = async (ref: GenerationRef) =>
      (await ask(store, ref, 'MATCH (c:Company) RETURN count(*) AS n'))[0]?.[0];

    beforeAll(async () => {
      store = storeUnderTest();
      const rows = [
        company('a', { cents: exact, share: 0.1, seen: '2026-01-02T03:04:05.123456Z', name: 'Ünï "\\\n会社' }),
        company('b', { name: null, staff: null, cents: null, share: null, listed: null, founded: null, seen: null }),
      ];
      await build(store, main, batches(rows), [{ from: 'a', to: 'b', percent: 12.5, since: '2024-12-31' }]);
      await store.copy(main, fork, { signal });
    });

    it('copies every row with its schema, and leaves the original as it is (graphs SG-7, SG-9)', async () => {
      expect(await ask(store, fork, everyNode)).toEqual(await ask(store, main, everyNode));
      expect(await ask(store, fork, everyRelationship)).toEqual(await ask(store, main, everyRelationship));
      expect(await store.catalog(fork)).toEqual(await store.catalog(main));
      expect(await codeOf(store.copy(main, fork, { signal }))).toBe('database-exists');
    });

    it('reads every row of a table, with the keys of the ends of a relationship first (graphs P-3)', async () => {
      const all = async (table: string) => {
        const rows = [];
        for await (const batch of store.readTable(main, table, signal)) rows.push(...batch);
        return rows.sort((left, right) => String(left[0]).localeCompare(String(right[0])));
      };
      expect(await all('Company')).toEqual(await ask(store, main, everyNode));
      expect(await all('OWNS')).toEqual(await ask(store, main, everyRelationship));
      expect(await codeOf(all('Nothing'))).toBe('catalog');
    });

    it('writes while one reads, with exact results and columns (graphs SG-10)', async () => {
      const stream = await store.run(fork, 'MATCH (c:Company) RETURN c.identifier', {}, running({ rowsPerChunk: 1 }));
      const big = "CREATE (c:Company {identifier: 'big', cents: $cents}) RETURN c.cents";
      expect(await write(big, { cents: exact })).toEqual({ columns: ['c.cents'], rows: [[exact]] });
      for await (const _chunk of stream);
      expect([await countIn(fork), await countIn(main)]).toEqual([3, 2]);
      await write("MATCH (c:Company) WHERE c.identifier = 'big' DELETE c");
      expect(await countIn(fork)).toBe(2);
    });

    it('keeps what is written within the declared tables (graphs E-34)', async () => {
      const codes = [];
      for (const text of [
        "CREATE (:Nothing {identifier: 'x'})",
        "CREATE (:Company {identifier: 'x', nope: 1})",
        "MATCH (c:Company) WHERE c.identifier = 'a' SET c.nope = 1",
        'MATCH (a:Company), (b:Company) CREATE (a)-[:NOTHING]->(b)',
      ])
        codes.push(await codeOf(write(text)));
      expect(codes).toEqual(['bind', 'bind', 'bind', 'bind']);
      expect(await codeOf(write("CREATE (:Company {name: 'without a key'})"))).not.toBe('no error');
      expect(await codeOf(write("CREATE (:Company {identifier: 'a'})"))).toBe('runtime');
      expect(await countIn(fork)).toBe(2);
    });

    it('adds tables to a subgraph that is read and written, and keeps those that it has (graphs SG-14)', async () => {
      const Site = defineNode('Site', { properties: { area: 'DOUBLE' } });
      const OwnsSite = defineRelationship('COMPANY_HAS_SITE', Company, Site, { properties: { share: 'DOUBLE' } });
      const wider = { nodes: [...schema.nodes, Site], relationships: [...schema.relationships, OwnsSite] };
      const before = await store.catalog(fork);
      if (!store.capabilities.addsTables) {
        expect(await codeOf(store.addTables(fork, wider))).toBe('incompatible');
        expect(await store.catalog(fork)).toEqual(before);
        return;
      }
      // The properties of nodes are known to the engine's process by now.
      await ask(store, fork, 'MATCH (c:Company) RETURN c');
      await store.addTables(fork, wider);
      await store.addTables(fork, wider);
      const nodes = before.filter(({ kind }) => kind === 'node').length;
      const after = await store.catalog(fork);
      expect(after.filter(({ name }) => before.some((table) => table.name === name))).toEqual(before);
      expect(after).toHaveLength(before.length + 2);
      expect(after[nodes]).toMatchObject({ kind: 'node', name: 'Site', key: 'identifier' });
      expect(after.at(-1)).toMatchObject({ name: 'COMPANY_HAS_SITE', from: 'Company', to: 'Site' });
      await write(
        "CREATE (:Company {identifier: 's'})-[:COMPANY_HAS_SITE {share: 0.5}]->(:Site {identifier: 's1', area: 2.5})",
      );
      const found = await ask(store, fork, 'MATCH (:Company)-[r:COMPANY_HAS_SITE]->(s:Site) RETURN s.area, r.share, s');
      expect(found[0]?.slice(0, 2)).toEqual([2.5, 0.5]);
      expect(JSON.stringify(found[0]?.[2])).toContain('area');
      await write("MATCH (c:Company) WHERE c.identifier = 's' DETACH DELETE c");
      expect(await countIn(fork)).toBe(2);
      expect(await codeOf(store.addTables({ graphId: fork.graphId, generation: 99 }, wider))).toBe('database-missing');
    });

    it('keeps a node that still has relationships, unless they are deleted with it (graphs E-34)', async () => {
      const deletion = "MATCH (c:Company) WHERE c.identifier = 'a' DELETE c";
      expect(await codeOf(write(deletion))).toBe('runtime');
      expect(await countIn(fork)).toBe(2);
      await write("CREATE (a:Company {identifier: 'p'})-[:OWNS]->(b:Company {identifier: 'q'})");
      await write("MATCH (c:Company) WHERE c.identifier = 'p' DETACH DELETE c");
      await write("MATCH (c:Company) WHERE c.identifier = 'q' DELETE c");
      expect(await countIn(fork)).toBe(2);
    });

    it('stores a whole number in a DOUBLE column as a DOUBLE', async () => {
      await write("MATCH (c:Company) WHERE c.identifier = 'a' SET c.share = 1");
      expect(await ask(store, fork, "MATCH (c:Company) WHERE c.identifier = 'a' RETURN c.share / 2 AS half")).toEqual([
        [0.5],
      ]);
      await write("MATCH (c:Company) WHERE c.identifier = 'a' SET c.share = 0.1");
    });

    it('rolls back a statement that fails, and serializes simultaneous ones (graphs Q-21, C-1)', async () => {
      const failing = "CREATE (c:Company {identifier: 'x'}) WITH c UNWIND [0] AS zero RETURN 1 / zero AS n";
      expect(await codeOf(write(failing))).toBe('runtime');
      const ids = Array.from({ length: 10 }, (_, index) => `w${index}`);
      await Promise.all(ids.map((id) => write('CREATE (:Company {identifier: $id})', { id })));
      expect(await countIn(fork)).toBe(12);
      await write("MATCH (c:Company) WHERE c.identifier STARTS WITH 'w' DELETE c");
    });

    it('copies chosen tables only (graphs SG-7)', async () => {
      const part: GenerationRef = { graphId: 'kg00000000000000000003_part', generation: 0 };
      expect(await store.copy(main, part, { tables: ['Company'], signal })).toMatchObject({
        nodes: { Company: 2 },
        relationships: {},
      });
      expect((await store.catalog(part)).map(({ name }) => name)).toEqual(['Company']);
      await store.drop(part);
    });

    it('restores a snapshot with every row, and refuses another format or damaged content (graphs B-20)', async () => {
      const restored: GenerationRef = { graphId: fork.graphId, generation: 7 };
      const { format, stats, chunks } = await store.snapshot(fork, signal);
      expect(stats.size_bytes).toBeGreaterThan(0);
      const content: Uint8Array[] = [];
      for await (const chunk of chunks) content.push(chunk);
      async function* streamed(parts: readonly Uint8Array[]) {
        yield* parts;
      }
      expect(await store.restore(restored, { format, chunks: streamed(content) }, signal)).toMatchObject({
        nodes: stats.nodes,
        relationships: stats.relationships,
      });
      expect(await ask(store, restored, everyNode)).toEqual(await ask(store, fork, everyNode));
      expect(await ask(store, restored, everyRelationship)).toEqual(await ask(store, fork, everyRelationship));
      expect(await store.catalog(restored)).toEqual(await store.catalog(fork));
      const other: GenerationRef = { graphId: fork.graphId, generation: 8 };
      const cut = [Buffer.concat(content).subarray(0, -20)];
      const damaged = [new TextEncoder().encode('not a database')];
      const restore = (given: { format: string; chunks: AsyncIterable<Uint8Array> }) =>
        codeOf(store.restore(other, given, signal));
      expect(await restore({ format: 'another/1', chunks: streamed(content) })).toBe('incompatible');
      expect(await restore({ format, chunks: streamed(damaged) })).toBe('incompatible');
      if (format !== 'ladybug/43') expect(await restore({ format, chunks: streamed(cut) })).toBe('incompatible');
      expect(await store.exists(other)).toBe(false);
      await store.drop(restored);
    });

    it('stops a write at its time limit without effect (graphs Q-21, Q-51)', async () => {
      const slow = `UNWIND range(1, 30000) AS a UNWIND range(1, 30000) AS b
        WITH count(CASE WHEN a * b % 7 = 8 THEN 1 END) AS found CREATE (:Company {identifier: 'late'})`;
      expect(await codeOf(store.write(fork, slow, {}, running({ timeoutMs: 300 })))).toBe('timeout');
      expect(await countIn(fork)).toBe(2);
    });
  });
}
