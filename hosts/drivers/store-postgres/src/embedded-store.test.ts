import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedEngine } from './embedded-engine.ts';
import { embeddedStore } from './embedded-store.ts';
import { createSuiteTables } from './suite/tables.ts';
import { startWriter } from './test-programs/start-writer.ts';
import { copyDataFolder } from './test-stores/data-folders.ts';

const rowsBeforeKill = 200;
const engine = new EmbeddedEngine();

describe('embedded store', () => {
  let folder: string;
  beforeEach(async () => {
    // A new database, without the seconds that it takes to make one.
    folder = await realpath(await copyDataFolder(engine));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('has every acknowledged commit after kill -9, and is locked until then (platform H-4a)', async () => {
    // Goal: an answered write survives the death of the process. Method: a child writes and prints each committed
    // number; it is killed in the middle; a new store on the folder must have all that were printed.
    const child = startWriter(folder);
    const ended = once(child, 'exit');
    const printed: number[] = [];
    const lines = createInterface({ input: outputOf(child) });
    for await (const line of lines) {
      printed.push(Number(line));
      if (printed.length === rowsBeforeKill) {
        await expect(embeddedStore({ folder })).rejects.toMatchObject({
          name: 'StoreError',
          message: expect.stringMatching(new RegExp(`${folder} is in use by process ${child.pid}\\.`)),
        });
        child.kill('SIGKILL');
      }
    }
    await ended;
    const store = await embeddedStore({ folder });
    try {
      const rows = await store.transaction({ graphId: 'kg1' }, (tx) =>
        tx.query<{ id: number }>(sql`SELECT id FROM suite_row ORDER BY id`),
      );
      expect(printed.length).toBeGreaterThanOrEqual(rowsBeforeKill);
      expect(rows.slice(0, printed.length).map(({ id }) => id)).toEqual(printed);
      // One more may have been committed without being printed.
      expect(rows.length - printed.length).toBeLessThanOrEqual(1);
    } finally {
      await store.close();
    }
  });

  it('refuses a folder that has files but no database', async () => {
    await rm(join(folder, 'data', 'PG_VERSION'));
    await expect(embeddedStore({ folder })).rejects.toMatchObject({
      name: 'StoreError',
      message: `The folder ${join(folder, 'data')} has files but no database. Put back what is missing, or choose another data folder.`,
    });
  });

  it('names the folder when the engine cannot read its files', async () => {
    await rm(join(folder, 'data', 'global', 'pg_control'));
    await expect(embeddedStore({ folder })).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringContaining(`The database in ${folder} cannot be opened: `),
    });
  });

  it('gives the folder free when it is closed, and finds the data again', async () => {
    const first = await embeddedStore({ folder });
    await createSuiteTables(first);
    await expect(embeddedStore({ folder })).rejects.toThrow(`is in use by process ${process.pid}`);
    await first.close();
    const second = await embeddedStore({ folder });
    const rows = await second.transaction('kernel', (tx) => tx.query(sql`SELECT id FROM suite_secret`));
    await second.close();
    expect(rows).toEqual([{ id: 1 }]);
  });

  it('listens on after a statement over its limit made the engine start again', { timeout: 300_000 }, async () => {
    const store = await embeddedStore({ folder });
    try {
      const heard = new EventEmitter();
      const woken = once(heard, 'payload');
      await store.listen('after_restart', (payload) => heard.emit('payload', payload));
      const endless = sql`SELECT count(*) FROM generate_series(1, 1000000000000)`;
      // A limit within which no engine starts: it must not hold for the session that takes the place of the stopped one.
      const stopped = store.transaction('kernel', (tx) => tx.query(endless), { maxStatementMs: 1 });
      await expect(stopped).rejects.toMatchObject({ code: 'statement-timeout' });
      await store.notify('after_restart', 'still there');
      expect(await woken).toEqual(['still there']);
    } finally {
      await store.close();
    }
  });

  it('says so when the folder cannot be made', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    await expect(embeddedStore({ folder: file })).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringMatching(/cannot be created or opened/),
    });
  });
});

function outputOf(child: ChildProcess): NodeJS.ReadableStream {
  if (child.stdout === null) throw new Error('The program was started without a pipe.');
  return child.stdout;
}

describe('an embedded engine that starts before its folder is known', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await copyDataFolder(engine));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('ends its thread when the folder is refused, and opens another folder afterward', async () => {
    const early = new EmbeddedEngine();
    early.start();
    const owner = await embeddedStore({ folder });
    await expect(embeddedStore({ folder, engine: early })).rejects.toMatchObject({ code: 'locked' });
    await owner.close();
    const store = await embeddedStore({ folder, engine: early });
    expect(await store.health()).toMatchObject({ reachable: true });
    await store.close();
  });

  it('opens the folder in a new thread when the one that waited has failed', async () => {
    const early = new EmbeddedEngine();
    early.start();
    await early.stop();
    const store = await embeddedStore({ folder, engine: early });
    expect(await store.health()).toMatchObject({ reachable: true });
    await store.close();
  });

  it('is not ended by a stop that comes after a session has taken it', async () => {
    const early = new EmbeddedEngine();
    early.start();
    const store = await embeddedStore({ folder, engine: early });
    await early.stop();
    expect(await store.health()).toMatchObject({ reachable: true });
    await store.close();
  });
});
