import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '@ladybugdb/core';
import type { GenerationRef, GraphStore } from '@pacioli/core/ports';
import { ask, batches, build, Company, company, running, schema } from '@pacioli/graph-statements/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { snapshotFormat } from './database-copies.ts';
import { ladybugGraphStore } from './ladybug-graph-store.ts';

const main: GenerationRef = { graphId: 'kg00000000000000000001', generation: 1 };
const what: GenerationRef = { graphId: 'kg00000000000000000001_dev', generation: 0 };

describe('writes, copies and snapshots of database files', () => {
  let folder: string;
  let store: GraphStore;
  const signal = new AbortController().signal;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-copies-'));
    store = ladybugGraphStore({ folder });
    await build(store, main, batches([company('a'), company('b')]), [{ from: 'a', to: 'b' }]);
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('keeps the folder of the databases from other users, also one of an earlier version (graphs I-4)', async () => {
    const earlier = join(folder, 'earlier');
    await mkdir(earlier, { mode: 0o755 });
    const opened = ladybugGraphStore({ folder: earlier });
    await expect.poll(async () => (await stat(earlier)).mode & 0o777).toBe(0o700);
    await opened.close();
    const made = ladybugGraphStore({ folder: join(folder, 'made', 'graphs') });
    await build(made, main, batches([company('a')]));
    expect((await stat(join(folder, 'made', 'graphs'))).mode & 0o777).toBe(0o700);
    await made.close();
  });

  it('names the storage version of the engine in the format of a snapshot', () => {
    expect(snapshotFormat).toBe(`ladybug/${Database.getStorageVersion()}`);
  });

  it('writes to a copy while one reads it, with exact results and without effect on the original (graphs SG-9, SG-10)', async () => {
    await store.copy(main, what, { signal });
    const stream = await store.run(what, 'MATCH (c:Company) RETURN c.identifier', {}, running({ rowsPerChunk: 1 }));
    const written = await store.write(
      what,
      "CREATE (c:Company {identifier: 'big', cents: $cents}) RETURN c.cents",
      { cents: 9007199254740993n },
      running(),
    );
    const rows = [];
    for await (const chunk of written) rows.push(...chunk);
    expect([written.columns, rows]).toEqual([['c.cents'], [[9007199254740993n]]]);
    for await (const _chunk of stream);
    expect(await ask(store, what, 'MATCH (c:Company) RETURN count(*) AS n')).toEqual([[3]]);
    expect(await ask(store, main, 'MATCH (c:Company) RETURN count(*) AS n')).toEqual([[2]]);
  });

  it('removes the copies of processes that were killed more than a day ago, before the next copy (graphs SG-8)', async () => {
    const names = ['kg9_x.g7.lbug.part', 'kg9.g1.lbug.snapshot-1', 'kg9_y.g8.lbug.part'];
    for (const name of names) await writeFile(join(folder, name), 'half');
    const old = new Date(Date.now() - 2 * 86_400_000);
    for (const name of names.slice(0, 2)) await utimes(join(folder, name), old, old);
    const another = { ...what, generation: 9 };
    await store.copy(main, another, { signal });
    expect((await readdir(folder)).filter((name) => name.startsWith('kg9'))).toEqual(['kg9_y.g8.lbug.part']);
    await store.drop(another);
    await rm(join(folder, 'kg9_y.g8.lbug.part'));
  });

  it('frees a snapshot that nobody reads, and counts none as storage', async () => {
    const snapshot = await store.snapshot(main, signal);
    const [before] = await store.sizes(main.graphId);
    expect((await readdir(folder)).filter((name) => name.includes('.snapshot-'))).toHaveLength(1);
    expect(before?.size_bytes).toBe(snapshot.stats.size_bytes);
    await snapshot.discard?.();
    await snapshot.discard?.();
    expect((await readdir(folder)).filter((name) => name.includes('.snapshot-'))).toEqual([]);
  });

  it('removes the snapshots of killed processes at its start and with their database, and no others', async () => {
    // The process of a shell that has ended.
    const dead = spawnSync('true').pid;
    const snapshots = (graphId: string) => [dead, process.ppid].map((pid) => `${graphId}.g1.lbug.snapshot-${pid}-1`);
    for (const name of snapshots('kg9')) await writeFile(join(folder, name), 'half');
    const another = ladybugGraphStore({ folder });
    await another.close();
    const left = async () => (await readdir(folder)).filter((name) => /^kg[89]/.test(name));
    expect(await left()).toEqual([`kg9.g1.lbug.snapshot-${process.ppid}-1`]);
    for (const name of snapshots('kg8')) await writeFile(join(folder, name), 'half');
    await store.drop({ graphId: 'kg8', generation: 1 });
    expect(await left()).toEqual(['kg8', 'kg9'].map((graphId) => `${graphId}.g1.lbug.snapshot-${process.ppid}-1`));
    for (const name of await left()) await rm(join(folder, name));
  });

  it('shows a new database with all its tables or not at all', async () => {
    const created: GenerationRef = { graphId: 'kg00000000000000000002', generation: 0 };
    await writeFile(join(folder, 'kg00000000000000000002.g0.lbug.part'), 'of a process that was killed');
    await store.create(created, schema);
    expect((await store.catalog(created)).map(({ name }) => name)).toEqual(['Company', 'OWNS']);
    const broken: GenerationRef = { graphId: 'kg00000000000000000003', generation: 0 };
    const twice = { nodes: [Company, Company], relationships: [] };
    await expect(store.create(broken, twice)).rejects.toMatchObject({ code: expect.any(String) });
    expect([await store.exists(broken), await store.generations(broken.graphId)]).toEqual([false, []]);
    expect((await readdir(folder)).filter((name) => name.startsWith(broken.graphId))).toEqual([]);
    await store.drop(created);
  });

  it('rolls back a statement that fails, and serializes simultaneous ones (graphs Q-21, C-1)', async () => {
    const failing = store.write(
      what,
      "CREATE (c:Company {identifier: 'x'}) RETURN cast('x' AS INT64) AS n",
      {},
      running(),
    );
    await expect(failing).rejects.toMatchObject({ code: 'runtime' });
    const ids = Array.from({ length: 20 }, (_, index) => `w${index}`);
    await Promise.all(ids.map((id) => store.write(what, 'CREATE (:Company {identifier: $id})', { id }, running())));
    expect(await ask(store, what, 'MATCH (c:Company) RETURN count(*) AS n')).toEqual([[23]]);
  });

  it('copies chosen tables only (graphs SG-7)', async () => {
    const part: GenerationRef = { graphId: 'kg00000000000000000001_part', generation: 0 };
    expect(await store.copy(main, part, { tables: ['Company'], signal })).toMatchObject({
      nodes: { Company: 2 },
      relationships: {},
    });
    await expect(store.copy(main, part, { signal })).rejects.toMatchObject({ code: 'database-exists' });
  });

  it('restores a snapshot with every row, and refuses another format or damaged content (graphs B-20)', async () => {
    const restored: GenerationRef = { graphId: what.graphId, generation: 7 };
    const { format, stats, chunks } = await store.snapshot(what, signal);
    expect(await store.restore(restored, { format, chunks }, signal)).toMatchObject({ nodes: stats.nodes });
    const every = 'MATCH (c:Company) RETURN c.identifier, c.name, c.cents, c.founded, c.seen ORDER BY c.identifier';
    expect(await ask(store, restored, every)).toEqual(await ask(store, what, every));
    const other: GenerationRef = { graphId: what.graphId, generation: 8 };
    async function* damaged() {
      yield new TextEncoder().encode('not a database');
    }
    await expect(store.restore(other, { format: 'neo4j/5', chunks: damaged() }, signal)).rejects.toMatchObject({
      code: 'incompatible',
    });
    await expect(store.restore(other, { format, chunks: damaged() }, signal)).rejects.toMatchObject({
      code: 'incompatible',
    });
    expect(await store.exists(other)).toBe(false);
  });

  it('leaves no temporary file', async () => {
    const names = await readdir(folder);
    expect(names.filter((name) => /snapshot|\.part/.test(name))).toEqual([]);
  });
});
