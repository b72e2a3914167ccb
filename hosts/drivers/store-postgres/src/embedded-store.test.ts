import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedEngine } from './embedded-engine.ts';
import { embeddedStore } from './embedded-store.ts';
import { createSuiteTables } from './suite/tables.ts';
import { startWriter } from './test-programs/start-writer.ts';
import { copyDataFolder } from './test-stores/data-folders.ts';

const rowsBeforeKill = 200;
const engine = new EmbeddedEngine();

describe('embedded-store', () => {
  let folder: string;
  beforeEach(async () => {
    // A prepared database, because creating one takes seconds.
    folder = await realpath(await copyDataFolder(engine));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('keeps every acknowledged commit after kill -9, and is locked until then (platform H-4a)', async () => {
    // Goal: an acknowledged write survives the death of the process. Method: a child writes and prints each committed
    // number; it is killed in the middle; a new store on the folder must have all printed numbers.
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

  it('keeps its write-ahead log below 64 MB however much concurrent writers write, and loses nothing (platform H-4b)', async () => {
    const log = join(folder, 'data', 'pg_wal');
    const logBytes = (): number => {
      const segments = readdirSync(log).filter((name) => /^[0-9A-F]{24}$/.test(name));
      return segments.reduce(
        (total, name) => total + (statSync(join(log, name), { throwIfNoEntry: false })?.size ?? 0),
        0,
      );
    };
    const child = startWriter(folder, { textLength: 8_000_000, writers: 8 });
    const ended = once(child, 'exit');
    const printed: number[] = [];
    let most = 0;
    for await (const line of createInterface({ input: outputOf(child) })) {
      printed.push(Number(line));
      most = Math.max(most, logBytes());
      if (printed.length === 16) child.kill('SIGKILL');
    }
    await ended;
    expect(most).toBeLessThanOrEqual(64 * 2 ** 20);
    const store = await embeddedStore({ folder });
    const rows = await store.transaction({ graphId: 'kg1' }, (tx) =>
      tx.query<{ id: number }>(sql`SELECT id FROM suite_row ORDER BY id`),
    );
    expect(rows.slice(0, printed.length).map(({ id }) => id)).toEqual(printed);
    await store.close();
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

  it('releases the folder when it is closed, and finds the data when it is reopened', async () => {
    const first = await embeddedStore({ folder });
    await createSuiteTables(first);
    await expect(embeddedStore({ folder })).rejects.toThrow(`is in use by process ${process.pid}`);
    await first.close();
    const second = await embeddedStore({ folder });
    const rows = await second.transaction('kernel', (tx) => tx.query(sql`SELECT id FROM suite_secret`));
    await second.close();
    expect(rows).toEqual([{ id: 1 }]);
  });

  it('keeps listening after a statement over its limit restarted the engine', { timeout: 300_000 }, async () => {
    const store = await embeddedStore({ folder });
    try {
      const heard = new EventEmitter();
      const woken = once(heard, 'payload');
      await store.listen('after_restart', (payload) => heard.emit('payload', payload));
      const endless = sql`SELECT count(*) FROM generate_series(1, 1000000000000)`;
      // No engine starts within this limit: it must not apply to the session that replaces the stopped one.
      const stopped = store.transaction('kernel', (tx) => tx.query(endless), { maxStatementMs: 1 });
      await expect(stopped).rejects.toMatchObject({ code: 'statement-timeout' });
      await store.notify('after_restart', 'still there');
      expect(await woken).toEqual(['still there']);
    } finally {
      await store.close();
    }
  });

  it('keeps nothing of its answers, so that its thread stays within its heap (platform H-4b)', {
    timeout: 300_000,
  }, async () => {
    const counted = new CountedEngine();
    const store = await embeddedStore({ folder, engine: counted });
    const answer = sql<{ text: string }>`SELECT repeat('x', 4000) || n AS text FROM generate_series(1, 2000) AS n`;
    try {
      for (let count = 0; count < 40; count += 1) {
        const rows = await store.transaction('kernel', (tx) => tx.query(answer));
        expect(rows).toHaveLength(2000);
      }
      expect(counted.opened).toBe(1);
    } finally {
      await store.close();
    }
  });

  it('replaces an engine whose memory has grown after the transaction, and keeps data and listeners (platform H-4b)', {
    timeout: 300_000,
  }, async () => {
    const counted = new CountedEngine();
    const store = await embeddedStore({ folder, engine: counted });
    try {
      await createSuiteTables(store);
      const heard = new EventEmitter();
      const woken = once(heard, 'payload');
      await store.listen('after_growth', (payload) => heard.emit('payload', payload));
      expect(counted.opened).toBe(1);
      const bytes = 250_000_000;
      const large = sql<{ bytes: number }>`
        SELECT octet_length(repeat('x', n)) AS bytes FROM generate_series(${bytes}::int, ${bytes}::int) AS n`;
      const found = await store.transaction('kernel', async (tx) => {
        const rows = await tx.query(large);
        // The transaction goes on in the same session.
        return [...rows, ...(await tx.query(sql`SELECT id FROM suite_secret`))];
      });
      expect(found).toEqual([{ bytes }, { id: 1 }]);
      expect(await store.transaction('kernel', (tx) => tx.query(sql`SELECT id FROM suite_secret`))).toEqual([
        { id: 1 },
      ]);
      expect(counted.opened).toBe(2);
      await store.notify('after_growth', 'still there');
      expect(await woken).toEqual(['still there']);
      expect(counted.opened).toBe(2);
    } finally {
      await store.close();
    }
  });

  it('vacuums a table with many new rows, so that an index alone answers for them', { timeout: 300_000 }, async () => {
    const store = await embeddedStore({ folder });
    try {
      await createSuiteTables(store);
      let rows = 0;
      // The engine updates its counters with a delay, so the check that follows a long transaction may be a later one.
      const visiblePages = async (): Promise<number> => {
        await store.transaction({ graphId: 'kg1' }, async (tx) => {
          await tx.query(
            sql`INSERT INTO suite_row (graph_id, id) SELECT 'kg1', generate_series(${rows + 1}::integer, ${rows + 2_000})`,
          );
          await tx.query(sql`SELECT pg_sleep(1.1)`);
        });
        rows += 2_000;
        const [table] = await store.transaction({ graphId: 'kg1' }, (tx) =>
          tx.query(sql<{ pages: number }>`SELECT relallvisible AS pages FROM pg_class WHERE relname = 'suite_row'`),
        );
        return table?.pages ?? 0;
      };
      await expect.poll(visiblePages, { timeout: 300_000, interval: 1 }).toBeGreaterThan(0);
    } finally {
      await store.close();
    }
  });

  it('reports a folder that cannot be created', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    await expect(embeddedStore({ folder: file })).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringMatching(/cannot be created or opened/),
    });
  });
});

/** An engine that counts the threads it has given to sessions. */
class CountedEngine extends EmbeddedEngine {
  opened = 0;

  override open(folder: string): Worker {
    this.opened += 1;
    return super.open(folder);
  }
}

function outputOf(child: ChildProcess): NodeJS.ReadableStream {
  if (child.stdout === null) throw new Error('The program was started without a pipe.');
  return child.stdout;
}

describe('embedded-engine', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await copyDataFolder(engine));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('ends its thread when the folder is rejected, and opens another folder afterward', async () => {
    const early = new EmbeddedEngine();
    early.start();
    const owner = await embeddedStore({ folder });
    await expect(embeddedStore({ folder, engine: early })).rejects.toMatchObject({ code: 'locked' });
    await owner.close();
    const store = await embeddedStore({ folder, engine: early });
    expect(await store.health()).toMatchObject({ reachable: true });
    await store.close();
  });

  it('opens the folder in a new thread when the waiting thread has failed', async () => {
    const early = new EmbeddedEngine();
    early.start();
    await early.stop();
    const store = await embeddedStore({ folder, engine: early });
    expect(await store.health()).toMatchObject({ reachable: true });
    await store.close();
  });

  it('keeps running when it is stopped after a session has started to use it', async () => {
    const early = new EmbeddedEngine();
    early.start();
    const store = await embeddedStore({ folder, engine: early });
    await early.stop();
    expect(await store.health()).toMatchObject({ reachable: true });
    await store.close();
  });
});
