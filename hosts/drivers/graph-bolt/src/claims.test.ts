/**
 * Starts graph servers.
 * @module-tag full-run
 */
import { type GenerationRef, type GraphStore, isGraphStoreError, storedGraphDatabases } from '@pacioli/core/ports';
import { ask, batches, build, company, running, schema } from '@pacioli/graph-statements/testing';
import neo4j from 'neo4j-driver';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BoltTestStore, openBoltTestStore } from '../test/bolt-test-store.ts';
import { reasonToSkip } from './testing/bolt-servers.ts';

const one: GenerationRef = { graphId: 'kg00000000000000000001', generation: 1 };
const two: GenerationRef = { graphId: 'kg00000000000000000002', generation: 1 };
const three: GenerationRef = { graphId: 'kg00000000000000000003', generation: 1 };
const count = 'MATCH (c:Company) RETURN count(*) AS n';

async function errorOf(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await work;
  } catch (error) {
    if (isGraphStoreError(error)) return error;
    throw error;
  }
  return { code: 'no error', message: '' };
}

const reason = reasonToSkip();

describe.skipIf(reason !== undefined)(`claims of databases${reason === undefined ? '' : `: ${reason}`}`, () => {
  let under: BoltTestStore;
  let store: GraphStore;

  beforeEach(async () => {
    under = await openBoltTestStore(2);
    store = under.store;
  });
  afterEach(() => under.close());

  const onServer = async (index: number, statement: string) => {
    const driver = neo4j.driver(under.databases[index]?.url ?? '');
    try {
      return (await driver.executeQuery(statement)).records;
    } finally {
      await driver.close();
    }
  };

  it('gives processes that claim at once different databases, and says when none is free (graphs E-30)', async () => {
    const other = under.another();
    await Promise.all([store.create(one, schema), other.create(two, schema)]);
    const claimed = await storedGraphDatabases(under.claims).list();
    expect(new Set(claimed.map(({ address }) => address)).size).toBe(2);
    const { code, message } = await errorOf(store.create(three, schema));
    expect([code, message]).toEqual(['unavailable', expect.stringContaining('add a database to the settings')]);
    await other.drop(two);
    await store.create(three, schema);
  });

  it('lets one of two processes create the same generation', async () => {
    const codes = await Promise.all([store, under.another()].map((each) => errorOf(each.create(one, schema))));
    expect(codes.map(({ code }) => code).sort()).toEqual(['database-exists', 'no error']);
  });

  it('shows a process with an outdated address no graph of another tenant (graphs I-1)', async () => {
    await build(store, one, batches([company('secret')]));
    await build(store, two, batches([company('other')]));
    const outdated = under.another();
    expect(await ask(outdated, one, count)).toEqual([[1]]);
    await store.drop(one);
    await build(store, three, batches([company('z'), company('y')]));
    expect((await errorOf(ask(outdated, one, count))).code).toBe('database-missing');
    expect((await errorOf(outdated.analyze(one, count, {}))).code).toBe('database-missing');
    expect((await errorOf(outdated.write(one, 'MATCH (c:Company) DELETE c', {}, running()))).code).toBe(
      'database-missing',
    );
    expect(await ask(store, three, count)).toEqual([[2]]);
  });

  it('ends the reads of other processes before a database is free (graphs E-10)', async () => {
    await build(store, one, batches(Array.from({ length: 1_000 }, (_, index) => company(`c${index}`))));
    const other = under.another();
    const text = 'MATCH (a:Company), (b:Company) RETURN a.identifier, b.identifier';
    const stream = await other.run(one, text, {}, running({ rowsPerChunk: 100 }));
    const rows = stream[Symbol.asyncIterator]();
    await rows.next();
    await store.drop(one);
    const rest = (async () => {
      while ((await rows.next()).done !== true);
    })();
    expect((await errorOf(rest)).code).toBe('cancelled');
    await build(store, two, batches([company('b')]));
    expect(await ask(store, two, count)).toEqual([[1]]);
  });

  it.each(['clearing', 'copying'] as const)('resumes what a lost process left in the state %s', async (state) => {
    await build(store, one, batches([company('a'), company('b')]), [{ from: 'a', to: 'b' }]);
    await build(store, two, batches([company('c')]));
    await storedGraphDatabases(under.claims).setState(one, state);
    const other = under.another();
    expect(await other.exists(one)).toBe(false);
    await build(other, three, batches([company('d')]));
    expect(await ask(other, three, count)).toEqual([[1]]);
    expect(await other.generations(one.graphId)).toEqual([]);
    expect(await ask(other, two, count)).toEqual([[1]]);
  });

  it('waits until the right of a killed process to empty the last database has expired (graphs E-30a)', async () => {
    await build(store, one, batches([company('a')]));
    await build(store, two, batches([company('c')]));
    const directory = storedGraphDatabases(under.claims);
    await directory.setState(one, 'clearing');
    expect(await directory.hold(one, 'a killed process', 2_000)).toBe(true);
    const other = under.another();
    await build(other, three, batches([company('d')]));
    expect(await ask(other, three, count)).toEqual([[1]]);
  });

  it('does not take the copy of a process that is working on it', async () => {
    await build(store, one, batches([company('a')]));
    await build(store, two, batches([company('c')]));
    const directory = storedGraphDatabases(under.claims);
    await directory.setState(one, 'copying');
    expect(await directory.hold(one, 'another process', 60_000)).toBe(true);
    expect((await errorOf(store.create(three, schema))).code).toBe('unavailable');
  });

  it('leaves a database with content of others alone', async () => {
    await onServer(0, "CREATE (:Theirs {name: 'x'})");
    await store.create(one, schema);
    const { message } = await errorOf(store.create(two, schema));
    expect(message).toContain('content that is not of this service');
    const [row] = await onServer(0, 'MATCH (n) RETURN count(n) AS n');
    expect(Number(row?.get('n'))).toBe(1);
    expect((await onServer(0, "SHOW INDEXES YIELD type WHERE type <> 'LOOKUP' RETURN type")).length).toBe(0);
  });

  it('leaves nothing of a graph behind', async () => {
    await build(store, one, batches([company('a'), company('b')]), [{ from: 'a', to: 'b' }]);
    await store.drop(one);
    for (const index of [0, 1]) {
      const [row] = await onServer(index, 'MATCH (n) RETURN count(n) AS n');
      expect(Number(row?.get('n'))).toBe(0);
      const schemaRules = await onServer(index, "SHOW INDEXES YIELD type WHERE type <> 'LOOKUP' RETURN type");
      expect(schemaRules).toEqual([]);
    }
    expect(await storedGraphDatabases(under.claims).list()).toEqual([]);
  });

  it('serializes the writes of processes, and waits ten seconds at most (graphs C-1)', async () => {
    const fork: GenerationRef = { graphId: `${one.graphId}_dev`, generation: 0 };
    await build(store, fork, batches([company('a', { cents: 0n })]));
    const other = under.another();
    const add = (each: GraphStore) =>
      each.write(fork, 'MATCH (c:Company) SET c.cents = c.cents + 1', {}, running({ timeoutMs: 10_000 }));
    /** As the refusal asks, because six writes in turn take more than ten seconds on a busy machine. */
    const addAtLast = async (each: GraphStore): Promise<void> => {
      for (;;) {
        const problem = await add(each).then(
          () => undefined,
          (error: { readonly code?: string }) => error,
        );
        if (problem === undefined) return;
        if (problem.code !== 'unavailable') throw problem;
      }
    };
    await Promise.all([store, other, store, other, store, other].map(addAtLast));
    expect(await ask(store, fork, 'MATCH (c:Company) RETURN c.cents')).toEqual([[6]]);
    await storedGraphDatabases(under.claims).hold(fork, 'a third process', 60_000);
    const startedAt = Date.now();
    expect((await errorOf(add(store))).code).toBe('unavailable');
    expect(Date.now() - startedAt).toBeGreaterThan(9_000);
  });

  it('refuses types that a property cannot hold, and settings that name no database', async () => {
    const [first] = schema.nodes;
    const columns = [...(first?.columns ?? []), { name: 'price', type: 'DECIMAL(18,2)' }];
    const decimals = { nodes: [{ ...first, columns }], relationships: [] } as unknown as typeof schema;
    const { code, message } = await errorOf(store.create(one, decimals));
    expect([code, message]).toEqual(['incompatible', expect.stringContaining('price is DECIMAL(18,2)')]);
    expect(() => under.another({ databases: [{ url: 'neo4j://127.0.0.1:7687' }] })).toThrow('use bolt://');
    const twice = under.databases.slice(0, 1).flatMap((each) => [each, each]);
    expect(() => under.another({ databases: twice })).toThrow('listed twice');
  });
});
