/**
 * Starts the program in a process of its own.
 * @module-tag full-run
 */
// Goal: the command line tells an operator what blocks a release, and changes nothing. Method: it runs once as a process;
// the other commands run in this process.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Store, sql } from '@pacioli/core';
import { kernelPlugin, migrationSets, sortPlugins } from '@pacioli/core/assembly';
import { embeddedStore } from '@pacioli/store-postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { libraryCommand } from '../src/commands/library.ts';
import { plugins } from '../src/plugins.ts';
import { StartUpError } from '../src/start-up-error.ts';
import { pinBehindItsBack, standard, storedHash, timeout } from './library-fixture.ts';
import { spawnPacioli } from './start-standalone.ts';

describe('pacioli library on the command line', () => {
  const graph = 'kg00000000000000000001';
  const environment = {
    PACIOLI_JWT_SECRET: 'a secret that only tests know: 0123456789',
    PACIOLI_LOG_LEVEL: 'error',
  };
  const tables = migrationSets(sortPlugins([kernelPlugin, ...plugins]).ordered);
  let folder: string;
  let empty: string;
  beforeAll(async () => {
    [folder, empty] = [
      await mkdtemp(join(tmpdir(), 'pacioli-library-')),
      await mkdtemp(join(tmpdir(), 'pacioli-library-')),
    ];
    // A database with the tables of this release but without its library, in which a pin blocks the release.
    await onFolder(async (store) => {
      await store.migrate(tables);
      await store.transaction('kernel', async (tx) => {
        await tx.query(sql`insert into kernel_org (id, name, org_type, graphs_max, created_at, updated_at)
          values ('org_1', 'Org', 'personal', 10, now(), now())`);
        await tx.query(sql`insert into kernel_graph
            (graph_id, org_id, name, graph_type, tier, status, created_by, created_at, updated_at)
          values (${graph}, 'org_1', 'Books', 'entity', 'ladybug-standard', 'active', 'user_1', now(), now())`);
      });
      await pinBehindItsBack(store, graph, 'rs-gaap@v0');
    });
  }, timeout);
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  afterAll(async () => {
    for (const each of [folder, empty]) await rm(each, { recursive: true, force: true });
  });

  async function onFolder<T>(work: (store: Store) => Promise<T>, dataFolder = folder): Promise<T> {
    const store = await embeddedStore({ folder: join(dataFolder, 'store') });
    return work(store).finally(() => store.close());
  }

  /** Runs `pacioli library …` in this process, which saves the start of another, and returns its output. */
  async function printed(words: readonly string[], dataFolder = folder): Promise<readonly unknown[]> {
    for (const [name, value] of Object.entries({ ...environment, DATA_DIR: dataFolder, DATABASE_URL: '' }))
      vi.stubEnv(name, value);
    const print = vi.spyOn(console, 'log').mockReturnValue();
    await libraryCommand().parseAsync(words, { from: 'user' });
    return print.mock.calls.splice(0).map(([line]) => line);
  }

  it('exits with 1 when something blocks the release, and does not install its library (taxonomy LB-9, LB-11)', {
    timeout,
  }, async () => {
    const child = spawnPacioli(['library', 'report', graph], { ...environment, DATA_DIR: folder });
    let [out, err] = ['', ''];
    child.stdout?.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      err += chunk.toString();
    });
    const [code] = await once(child, 'close');
    expect([err, code]).toEqual(['', 1]);
    expect(out).toMatch(/\nRefused: kg\w+ is pinned to [^\n]+\n$/);

    const pinned = await printed(['pin', graph, 'rs-gaap@v1', 'fac@v1']);
    const view = { pin: { ...standard, overrides: { fac: 'v1' } }, excludedIds: [] };
    expect(pinned).toEqual([JSON.stringify(view)]);
    expect(await printed(['show', graph])).toEqual(pinned);
    expect(await onFolder(storedHash)).toBe('none');
  });

  it('reports missing tables of the release, and creates none (platform H-4)', {
    timeout,
  }, async () => {
    // A store without any table, as in a folder that was opened once.
    await onFolder((store) => store.health(), empty);
    const refused = await printed(['show', graph], empty).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StartUpError);
    expect(refused).toMatchObject({
      message: expect.stringMatching(/^The database lacks .*Run "pacioli migrate" first/),
    });
    const pending = await onFolder((store) => store.pendingMigrations(tables), empty);
    expect(pending.length).toBeGreaterThan(tables.length);
  });
});
