/**
 * Starts a graph server.
 * @module-tag full-run
 */
import { silentLog } from '@pacioli/core/assembly';
import { type GenerationRef, isGraphStoreError, type QueryParameters } from '@pacioli/core/ports';
import { ask, batches, build, codeOf, company } from '@pacioli/graph-statements/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BoltTestStore, openBoltTestStore } from '../test/bolt-test-store.ts';
import { reasonToSkip, startBoltServers } from './testing/bolt-servers.ts';

const ref: GenerationRef = { graphId: 'kg00000000000000000001', generation: 1 };
const reason = reasonToSkip();

describe.skipIf(reason !== undefined)(`lists of expressions${reason === undefined ? '' : `: ${reason}`}`, () => {
  let under: BoltTestStore;

  beforeAll(async () => {
    under = await openBoltTestStore(1);
    await build(under.store, ref, batches(Array.from({ length: 1_000 }, (_, index) => company(`c${index}`))), [
      { from: 'c0', to: 'c1', percent: 12.5 },
    ]);
  });
  afterAll(() => under.close());

  const failureOf = (text: string, parameters: QueryParameters = {}): Promise<string> =>
    ask(under.store, ref, text, parameters).then(
      (rows) => JSON.stringify(rows),
      (error: unknown) => {
        if (isGraphStoreError(error)) return `${error.code}: ${error.message}`;
        throw error;
      },
    );

  it.each([
    ['RETURN size([x IN range(1, 2500000) | x]) AS s', 2_500_000],
    [
      'MATCH (a:Company) WITH collect(a.cents) AS l RETURN size([i IN range(0, size(l) - 1) | [x IN l | x]]) AS s',
      1_000,
    ],
    ['RETURN reduce(s = 0, x IN [1, 2] | s + x) + reduce(s = 0.5, x IN [1] | s * 2) AS s', 4],
    ['MATCH (a:Company) RETURN reduce(s = 0, x IN collect(a.staff) | s + x) AS s', 7_000],
    ["RETURN size(split('a,b,c', ',')) + size([x IN split('a,b', ',') WHERE x = 'a']) AS s", 4],
    ["MATCH (a:Company) WHERE any(x IN labels(a) WHERE x = 'Company') RETURN count(*) AS s", 1_000],
    ['MATCH p = (:Company)-[*1..3]->() RETURN size([r IN relationships(p) | [n IN nodes(p) | n.staff]]) AS s', 1],
    ['WITH 100000 AS n UNWIND range(1, n) AS x RETURN count(x) AS s', 100_000],
    ['WITH 3 AS n RETURN size(range(1, n * 2)) AS s', 6],
    ['WITH null AS l RETURN [x IN l | x] AS s', null],
    ['WITH [1] AS l, [2] AS m RETURN size([x IN l || m | x]) AS s', 2],
    ['WITH 1 AS x RETURN size([x IN [1], x IN [2, 3]]) AS s', 2],
    ['WITH [1, 2] AS pacioli_list_1 RETURN size([x IN pacioli_list_1 | size(pacioli_list_1)]) AS s', 2],
    ['UNWIND [1, 1] AS y RETURN DISTINCT size([x IN [y, 2] | x]) AS s ORDER BY size([x IN [y, 2] | x])', 2],
    ['MATCH (a:Company {staff: 7}) WITH a LIMIT 1 RETURN reduce(f = a.share, x IN [1, 2] | f + f * 1.0) AS s', 2],
    ["RETURN '[x IN range(1, n) | x]' AS s", '[x IN range(1, n) | x]'],
  ])('answers %s (graphs E-38)', async (text, found) => {
    expect(await failureOf(text)).toBe(JSON.stringify([[found]]));
  });

  it.each([
    'RETURN size([x IN range(1, 5000001) | toString(x)]) AS s',
    'RETURN size([x IN range(1, 1000000) WHERE any(y IN range(1, 100) WHERE y = x)]) AS s',
    'RETURN [x IN range(1, 1000) | reduce(s = 0, y IN range(1, 10000) | s + y)] AS s',
    'RETURN toStringList(range(1, 6000000)) AS s',
    'MATCH (a:Company), (b:Company) WITH collect(a.cents) AS l RETURN size([x IN l | [y IN l | x * y]]) AS s',
    "WITH reduce(s = 'a', i IN range(1, 3000) | s + 'a') AS s WITH split(s, '') AS l RETURN size([x IN l | [y IN l | x]]) AS s",
    'WITH range(1, 1000) AS l WITH l + l + l AS l WITH l + l + l AS l RETURN size([x IN l | [y IN l | x]]) AS s',
    'WITH 50000000 AS n RETURN -1 IN range(1, n) AS s',
    'WITH 50000000 AS n WITH range(1, n) AS l RETURN size([x IN l | toString(x)]) AS s',
    'WITH range(1, 2000000) AS l RETURN size([x IN l | x]) + size([x IN l | x]) + size([x IN l | -x]) AS s',
  ])('refuses more than 5,000,000 elements, however the lists were made: %s (graphs E-38)', async (text) => {
    expect(await failureOf(text)).toBe(
      'runtime: The lists of one expression may have at most 5000000 elements together, where nested lists multiply. ' +
        'Use UNWIND and aggregate its rows, which may be stopped at the time limit.',
    );
  });

  it('bounds the lists of parameters by their length (graphs E-38)', async () => {
    const text = 'RETURN size([x IN $list | [y IN $list | x * y]]) AS s';
    expect(await failureOf(text, { list: Array(2_236).fill(1) })).toBe('[[2236]]');
    expect(await failureOf(text, { list: Array(2_237).fill(1) })).toMatch(/^runtime: The lists/);
  });

  it.each([
    "RETURN size(reduce(s = 'ab', i IN range(1, 40) | s + s)) AS x",
    'RETURN size(reduce(l = [1], i IN range(1, 40) | (l) + l)) AS x',
    "RETURN size(reduce(s = 'ab', i IN range(1, 40) | s + 'x' + s)) AS x",
  ])('refuses a text or list that doubles: %s (graphs E-38)', async (text) => {
    expect(await failureOf(text)).toMatch(/^runtime: reduce\(\) may add its result to itself only if it is a number/);
    expect(await failureOf(text.replace('40', '20'))).toMatch(/^\[\[\d+\]\]$/);
  });

  it('warns of a server without a memory limit once, and not of one that has it (graphs E-38)', async () => {
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
    await under.another({ log }).probe();
    expect(warnings).toEqual([]);
    const unlimited = await startBoltServers(1, 0);
    try {
      const store = under.another({ log, databases: unlimited.databases });
      await store.probe();
      await store.probe();
      expect(warnings).toEqual([
        'a graph server has no limit of memory for a statement: set db.memory.transaction.max on it',
      ]);
    } finally {
      await unlimited.stop();
    }
  });

  it('refuses rows beyond the memory limit of the server, and answers the next statement (graphs E-38)', async () => {
    const text =
      'MATCH (a:Company), (b:Company), (c:Company) WITH collect(a.identifier + b.identifier) AS l RETURN size(l)';
    expect(await codeOf(ask(under.store, ref, text))).toBe('memory');
    expect(await ask(under.store, ref, 'RETURN 1 AS one')).toEqual([[1]]);
  });
});
