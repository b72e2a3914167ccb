/**
 * Sends hundreds of statements to a graph server.
 * @module-tag full-run
 */
import { readFileSync } from 'node:fs';
import { kernelPlugin, migrationSets } from '@pacioli/core/assembly';
import { type GenerationRef, type GraphStore, isGraphStoreError, storedGraphDatabases } from '@pacioli/core/ports';
import { boltGraphStore } from '@pacioli/graph-bolt';
import { reasonToSkip, startBoltServers } from '@pacioli/graph-bolt/testing';
import { ask, batches, build, company, running } from '@pacioli/graph-statements/testing';
import { openTestStore } from '@pacioli/testing';
import fc from 'fast-check';
import neo4j, { type Driver } from 'neo4j-driver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { disguised, disguises } from '../../test/statement-disguises.ts';
import { gateStatement } from './cypher-gate.ts';

const main: GenerationRef = { graphId: 'kg00000000000000000001', generation: 1 };
const fork: GenerationRef = { graphId: 'kg00000000000000000001_dev', generation: 0 };

function fixture(name: string): readonly string[] {
  const text = readFileSync(new URL(`./fixtures/cypher-gate/${name}.json`, import.meta.url), 'utf8');
  return JSON.parse(text) as readonly string[]; // Our own file; its README describes the format.
}

const attacks = fixture('server-attacks');
const writes = fixture('server-attacks-with-writes');
const reason = reasonToSkip();

describe.skipIf(reason !== undefined)(`attacks on a graph server${reason === undefined ? '' : `: ${reason}`}`, () => {
  let store: GraphStore;
  let servers: readonly Driver[];
  let close: () => Promise<void>;
  let before: unknown;

  beforeAll(async () => {
    const { databases, stop } = await startBoltServers(2);
    const { store: claims, dispose } = await openTestStore();
    await claims.migrate(migrationSets([kernelPlugin]));
    store = boltGraphStore({ databases, directory: storedGraphDatabases(claims) });
    servers = databases.map(({ url }) => neo4j.driver(url, undefined, { useBigInt: true }));
    close = async () => {
      for (const server of servers) await server.close();
      await store.close();
      await stop();
      await dispose();
    };
    for (const ref of [main, fork])
      await build(store, ref, batches([company('a'), company('b')]), [{ from: 'a', to: 'b' }]);
    before = await everything();
  });
  afterAll(() => close());

  /** All content, the schema, the users and the settings of the servers. */
  async function everything(): Promise<unknown> {
    const found = [];
    for (const server of servers) {
      for (const statement of [
        'MATCH (n) RETURN labels(n) AS labels, properties(n) AS properties ORDER BY n.identifier',
        'MATCH ()-[r]->() RETURN type(r) AS type, properties(r) AS properties',
        'SHOW INDEXES YIELD name, type, labelsOrTypes, properties RETURN name, type, labelsOrTypes, properties ORDER BY name',
        'SHOW CONSTRAINTS YIELD name, type RETURN name, type ORDER BY name',
        'SHOW SETTINGS YIELD name, value RETURN name, value ORDER BY name',
        'SHOW USERS YIELD user RETURN user',
        'SHOW DATABASES YIELD name, access, currentStatus RETURN name, access, currentStatus ORDER BY name',
        "CALL db.labels() YIELD label WHERE label = 'Other' RETURN label",
      ])
        found.push((await server.executeQuery(statement)).records.map((record) => record.toObject()));
    }
    return found;
  }

  const gateOf = (statement: string, mayWrite: boolean) =>
    gateStatement(statement, {
      ...store.dialect,
      maxRows: 10,
      parameters: {},
      writes: mayWrite ? 'allowed' : { refusal: 'Graphs are read-only here.' },
    });

  /** The rows that the driver gives for a statement, or undefined if it refuses it. */
  async function rowsOf(work: Promise<AsyncIterable<readonly unknown[]>>): Promise<readonly unknown[] | undefined> {
    try {
      const rows: unknown[] = [];
      for await (const chunk of await work) rows.push(...chunk);
      return rows;
    } catch (error) {
      if (isGraphStoreError(error) && error.code !== 'unavailable') return undefined;
      throw error;
    }
  }

  it.each(attacks)('the gate refuses (graphs Q-10 to Q-18): %s', (statement) => {
    expect(gateOf(statement, false).isAllowed).toBe(false);
  });

  it('refuses each of them in every disguise (graphs 9.2)', () => {
    fc.assert(
      fc.property(fc.constantFrom(...attacks), disguises, (statement, marks) => {
        expect(gateOf(disguised(statement, marks), false).isAllowed).toBe(false);
      }),
      { numRuns: 5_000 },
    );
  });

  it('has no effect and reads no file in a driver that gets it without the gate (graphs Q-20)', async () => {
    const read: string[] = [];
    for (const statement of attacks) {
      const rows = await rowsOf(store.run(main, statement, {}, running({ maxRows: 10, timeoutMs: 10_000 })));
      if (rows !== undefined) read.push(statement);
      expect(JSON.stringify(rows ?? [])).not.toContain('root:');
    }
    // These read rows of the graph in a form that only the gate refuses.
    expect(read.filter((statement) => /LOAD|SHOW|CALL (?!db\.labels)|USE|apoc|graph\./i.test(statement))).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  it('has no effect on a server in any disguise, with and without the gate (graphs 9.2)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...attacks), disguises, async (statement, marks) => {
        const text = disguised(statement, marks);
        const rows = await rowsOf(store.run(main, text, {}, running({ maxRows: 10, timeoutMs: 10_000 })));
        expect(JSON.stringify(rows ?? [])).not.toContain('root:');
      }),
      { numRuns: 300 },
    );
    expect(await everything()).toEqual(before);
  });

  it('changes nothing but rows of the declared tables where rows may be changed (graphs SG-10, E-34)', async () => {
    const done: string[] = [];
    for (const statement of writes) {
      const options = running({ maxRows: 10, timeoutMs: 10_000 });
      for (const ref of [fork]) {
        const rows = await rowsOf(store.write(ref, statement, {}, options));
        if (rows !== undefined) done.push(statement);
      }
    }
    expect(done.filter((statement) => gateOf(statement, true).isAllowed)).toEqual([]);
    await store.write(fork, "MATCH (c:Company) WHERE c.identifier IN ['x', 'y'] DELETE c", {}, running());
    expect(await everything()).toEqual(before);
    expect(await ask(store, fork, 'MATCH (c:Company) RETURN count(*) AS n')).toEqual([[2]]);
  });
});
