// Goal: an operator learns from the command line what a release changes in the library, and pins graphs to an edition.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@pacioli/core';
import { embeddedStore } from '@pacioli/store-postgres';
import { TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnPacioli, startStandalone } from './start-standalone.ts';

const secret = 'a secret that only tests know: 0123456789';
const timeout = 300_000;

let folder: string;
let graphId: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pacioli-library-'));
  graphId = await mapOneAccount();
}, timeout);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Runs `pacioli library …` on the data folder. */
async function pacioli(...words: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const child = spawnPacioli(words, { DATA_DIR: folder, PACIOLI_JWT_SECRET: secret, PACIOLI_LOG_LEVEL: 'error' });
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const [code] = await once(child, 'exit');
  return { code: Number(code), out, err };
}

/** A graph whose one account is mapped to cash. */
async function mapOneAccount(): Promise<string> {
  const server = await startStandalone({ DATA_DIR: folder });
  const anonymous = new TestClient(server.url, {});
  const { body } = await anonymous.post('/v1/auth/register', {
    name: 'Ann',
    email: 'ann@example.org',
    password: 'Harbour-Lantern-42',
  });
  const user = anonymous.withHeaders({ authorization: `Bearer ${body.token}` });
  const graph = await user.createGraph('Books', ['roboledger']);
  const made = await user.post(`/extensions/ledger/${graph}/operations/create-taxonomy-block`, {
    taxonomy_type: 'chart_of_accounts',
    name: 'Chart',
    elements: [{ qname: 'coa:Cash', name: 'Cash', trait: 'asset', code: '1000' }],
    structures: [{ name: 'Mapping', block_type: 'coa_mapping' }],
    associations: [
      {
        structure_ref: 'Mapping',
        from_ref: 'coa:Cash',
        to_ref: 'rs-gaap:CashAndCashEquivalentsAtCarryingValue',
        association_type: 'mapping',
      },
    ],
  });
  expect([made.status, made.body.detail]).toEqual([200, undefined]);
  await server.stop();
  return graph;
}

/** Makes the stored library that of an earlier release: another hash, a concept more, a weight that was another. */
async function turnBack(): Promise<void> {
  const store = await embeddedStore({ folder: join(folder, 'store') });
  try {
    await store.transaction({ graphId: 'library' }, async (tx) => {
      await tx.query(sql`update taxonomy_library_version set content_hash = 'earlier' where graph_id = 'library'`);
      await tx.query(sql`insert into taxonomy_element
        select (jsonb_populate_record(e, '{"id": "gone", "qname": "rs-gaap:Gone"}')).* from taxonomy_element e
        where graph_id = 'library' and qname = 'rs-gaap:Goodwill'`);
      await tx.query(sql`update taxonomy_association a set weight = -1
        from taxonomy_element e where a.graph_id = 'library' and a.association_type = 'calculation'
          and e.graph_id = 'library' and e.id = a.to_element_id
          and e.qname = 'rs-gaap:CashAndCashEquivalentsAtCarryingValue'`);
    });
  } finally {
    await store.close();
  }
}

/** Maps the account to the concept that goes, or back. */
async function mapTo(qname: string): Promise<void> {
  const store = await embeddedStore({ folder: join(folder, 'store') });
  try {
    await store.transaction({ graphId }, (tx) =>
      tx.query(sql`update taxonomy_association set to_element_id = (
          select id from taxonomy_element where graph_id = 'library' and qname = ${qname})
        where graph_id = ${graphId} and association_type = 'mapping'`),
    );
  } finally {
    await store.close();
  }
}

describe('pacioli library', () => {
  const cash = 'rs-gaap:CashAndCashEquivalentsAtCarryingValue';

  it('pins a graph, says so, and lets it go again (taxonomy LB-9)', { timeout }, async () => {
    const standard = { framework: 'rs-gaap@v1', overrides: {} };
    const pinned = await pacioli('library', 'pin', graphId, 'rs-gaap@v1', 'fac@v1');
    expect([pinned.err, pinned.code]).toEqual(['', 0]);
    expect(JSON.parse(pinned.out)).toEqual({ pin: { ...standard, overrides: { fac: 'v1' } }, excludedIds: [] });
    const refused = await pacioli('library', 'pin', graphId, 'rs-gaap@v9');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toMatch(/^rs-gaap@v9 is not shipped\. Choose from .*rs-gaap@v1.*\n$/);
    expect((await pacioli('library', 'show', graphId)).out).toBe(pinned.out);
    expect(JSON.parse((await pacioli('library', 'unpin', graphId)).out)).toEqual({ pin: standard, excludedIds: [] });
  });

  it('hides concepts from the lists of a graph, but none that a mapping needs (taxonomy LB-10)', {
    timeout,
  }, async () => {
    const refused = await pacioli('library', 'hide', graphId, cash);
    expect(refused.err).toBe(`These concepts cannot be hidden: ${cash} (mapped). Leave them out.\n`);
    const other = await pacioli('library', 'hide', 'kg0', cash);
    expect(other).toMatchObject({ code: 1, err: expect.stringContaining("There is no graph 'kg0'.") });
    expect(JSON.parse((await pacioli('library', 'show', graphId)).out)).toMatchObject({ excludedIds: [] });
  });

  it('reports what a release changes, before it writes anything (taxonomy LB-11, LB-12)', { timeout }, async () => {
    await turnBack();
    const own = await pacioli('library', 'report', graphId);
    expect([own.err, own.code]).toEqual(['', 0]);
    expect(own.out).toContain('Concepts that go: 1 (rs-gaap:Gone).\n');
    expect(own.out).toContain(`  ${cash} in rs-gaap:AssetsCurrent: -1 before, 1 after.\n`);
    expect(own.out).toMatch(
      new RegExp(
        `1 mapping\\(s\\) of ${graphId} are affected\\.\n {2}elem_\\w+ -> ${cash}: a calculation of it changes`,
      ),
    );
    expect(own.out).toMatch(/Nothing stands against it\.\n$/);

    await mapTo('rs-gaap:Gone');
    const held = await pacioli('library', 'report');
    expect(held).toMatchObject({ code: 1, err: '' });
    expect(held.out).toContain(`${graphId} has mapped 1 account(s) to rs-gaap:Gone, which goes.`);
    const json = await pacioli('library', 'report', graphId, '--json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({
      missing: ['rs-gaap:Gone'],
      affected: [{ concept: 'rs-gaap:Gone', because: 'missing' }],
    });
    // Nothing was written: the release still meets the library of the one before, and does not start on it.
    const start = await pacioli('library', 'show', graphId);
    expect(start.err).toContain(
      `This release takes concepts away that graphs have mapped to: ${graphId}: rs-gaap:Gone`,
    );
  });

  it('holds a release back that does not bring the edition of a pin, and names the graphs (taxonomy LB-9)', {
    timeout,
  }, async () => {
    await mapTo(cash);
    await pinBehindItsBack({ framework: 'rs-gaap@v0' });
    const report = await pacioli('library', 'report');
    expect(report.code).toBe(1);
    expect(report.out).toContain(`${graphId}: pinned to {"framework":"rs-gaap@v0","overrides":{}}, which this release`);
    expect((await pacioli('library', 'show', graphId)).err).toContain(
      'This release does not bring the editions that graphs are pinned to: ' +
        `{"framework":"rs-gaap@v0","overrides":{}} of ${graphId}.`,
    );
    await pinBehindItsBack({ framework: null });
    expect(await pacioli('library', 'show', graphId)).toMatchObject({ code: 0, err: '' });
    expect(await pacioli('library', 'report')).toMatchObject({
      code: 0,
      out:
        'Concepts that go: 0.\nNew concepts: 0.\nCalculations that come, go or count otherwise: 0.\n' +
        'The release can start.\n',
    });
  });
});

/** Sets the pin of the graph as a release of another edition would have. */
async function pinBehindItsBack({ framework }: { readonly framework: string | null }): Promise<void> {
  const store = await embeddedStore({ folder: join(folder, 'store') });
  try {
    await store.transaction({ graphId }, (tx) =>
      tx.query(sql`update taxonomy_view set framework = ${framework}, overrides = '{}' where graph_id = ${graphId}`),
    );
  } finally {
    await store.close();
  }
}
