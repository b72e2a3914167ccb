/**
 * Goal: the driver works with an object store as the port requires. Method: a real server in its own process, which
 * is why these tests run only with the full run.
 * @module-tag full-run
 */
import { request } from 'node:http';
import type { FileStore } from '@pacioli/core/ports';
import { describeFileStore } from '@pacioli/files-local/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { s3FileStore } from './s3-file-store.ts';
import {
  type ObjectStore,
  objectStoreInstallation,
  objectStoreProgram,
  startObjectStore,
} from './testing/start-object-store.ts';

const isInstalled = objectStoreProgram() !== undefined;
const why = isInstalled ? '' : ` (skipped: no object store is installed; ${objectStoreInstallation})`;
const megabyte = 1024 * 1024;
const signal = new AbortController().signal;
const writing = { maxBytes: 200 * megabyte, contentType: 'text/csv', signal };
const granted = { expiresInSeconds: 300, contentType: 'text/csv' };

const openStore = ({ endpoint, bucket, region, credentials }: ObjectStore, prefix?: string): FileStore =>
  s3FileStore({
    endpoint,
    bucket,
    region,
    credentials,
    isPathStyle: true,
    ...(prefix === undefined ? {} : { prefix }),
  });

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

/** Yields chunks of a megabyte, each filled with its number. */
async function* megabytes(count: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) yield Buffer.alloc(megabyte, index);
}

async function textOf(store: FileStore, key: string): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of await store.read(key, signal)) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

async function keysOf(store: FileStore, prefix: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys;
}

describe.runIf(process.env['PACIOLI_TEST_REQUIRE_ALL'] === '1')('requirements of PACIOLI_TEST_REQUIRE_ALL', () => {
  it('include an installed object store', () => {
    expect(objectStoreProgram(), objectStoreInstallation).toEqual(expect.any(String));
  });
});

describe.runIf(isInstalled)('the port', () => {
  describeFileStore('s3', async () => {
    const server = await startObjectStore();
    const store = openStore(server, 'deployments/one');
    return { store, close: () => store.close().finally(() => server.close()) };
  });
});

describe.runIf(isInstalled)(`files in a bucket${why}`, () => {
  let server: ObjectStore;
  let store: FileStore;

  const put = (url: string, body: string, contentType = 'text/csv') =>
    fetch(url, { method: 'PUT', body, headers: { 'content-type': contentType } });

  beforeAll(async () => {
    server = await startObjectStore();
    store = openStore(server);
  });
  afterAll(async () => {
    await store.close();
    await server.close();
  });

  it('are sent in parts without holding them in memory', async () => {
    const before = process.memoryUsage().rss;
    let most = before;
    async function* watched(): AsyncGenerator<Uint8Array> {
      for await (const chunk of megabytes(200)) {
        most = Math.max(most, process.memoryUsage().rss);
        yield chunk;
      }
    }
    expect(await store.write('kg1/large', watched(), writing)).toMatchObject({ bytes: 200 * megabyte });
    expect((most - before) / megabyte).toBeLessThan(150);
    let position = 0;
    for await (const chunk of await store.read('kg1/large', signal)) {
      for (const offset of [0, chunk.byteLength - 1])
        if (chunk[offset] !== Math.floor((position + offset) / megabyte)) throw new Error(`Wrong at ${position}.`);
      position += chunk.byteLength;
    }
    expect(position).toBe(200 * megabyte);
  });

  it('leave nothing when they are too long or cancelled in the middle of their parts, and the old content stays', async () => {
    await store.write('kg1/parts', chunks('old'), writing);
    const tooLong = store.write('kg1/parts', megabytes(21), { ...writing, maxBytes: 20 * megabyte });
    await expect(tooLong).rejects.toMatchObject({ code: 'too-large' });
    const controller = new AbortController();
    async function* cancelled(): AsyncGenerator<Uint8Array> {
      yield* megabytes(18);
      controller.abort();
      yield Buffer.from('more');
    }
    const cut = store.write('kg1/parts', cancelled(), { ...writing, signal: controller.signal });
    await expect(cut).rejects.toMatchObject({ code: 'cancelled' });
    expect(await textOf(store, 'kg1/parts')).toBe('old');
    expect(await server.unfinishedKeys()).toEqual([]);
    // Exactly as long as allowed.
    const longest = store.write('kg1/parts', megabytes(20), { ...writing, maxBytes: 20 * megabyte });
    expect(await longest).toMatchObject({ bytes: 20 * megabyte });
  });

  it('are listed in the order of their keys over several pages, and those of another graph are not', async () => {
    const names = Array.from({ length: 1_003 }, (_, index) => `kg5/${String(index).padStart(5, '0')}`);
    const [first = '', ...others] = names;
    await Promise.all([store.write(first, chunks('x'), writing), store.write('kg55/other', chunks('x'), writing)]);
    for (let at = 0; at < others.length; at += 50)
      await Promise.all(others.slice(at, at + 50).map((name) => store.write(name, chunks('x'), writing)));
    expect(await keysOf(store, 'kg5/')).toEqual(names);
  });

  it('are below the prefix of their deployment', async () => {
    const [one, two] = [openStore(server, 'deployments/one'), openStore(server, 'deployments/two')];
    await one.write('kg1/same', chunks('one'), writing);
    expect([await two.info('kg1/same'), await keysOf(two, '')]).toEqual([undefined, []]);
    expect(await keysOf(one, '')).toEqual(['kg1/same']);
    expect(await textOf(store, 'deployments/one/kg1/same')).toBe('one');
    expect(() => openStore(server, '../x')).toThrow('segments between slashes');
  });

  it('are put to a signed URL with the granted content type only', async () => {
    const url = (await store.uploadUrl('kg1/granted.csv', granted)) ?? '';
    expect((await put(url, 'wrong', 'text/html')).status).toBe(403);
    expect(await store.info('kg1/granted.csv')).toBeUndefined();
    expect((await put(url, 'code\nB1\n')).status).toBe(200);
    expect(await textOf(store, 'kg1/granted.csv')).toBe('code\nB1\n');
    expect((await put(url.replace('granted.csv', 'other.csv'), 'x')).status).toBe(403);
    expect((await fetch(url)).status).toBe(403);
  });

  it('are downloaded from a signed URL as an attachment, with their name and type', async () => {
    await store.write('kg1/backup', chunks('content'), { ...writing, contentType: 'application/octet-stream' });
    const options = { ...granted, contentType: 'application/zip', fileName: 'kg1_2026 "x".zip' };
    const url = (await store.downloadUrl('kg1/backup', options)) ?? '';
    const answer = await fetch(url);
    expect([answer.status, await answer.text()]).toEqual([200, 'content']);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="kg1_2026__x_.zip"');
    expect((await fetch(url.replace(/Signature=.{4}/, 'Signature=0000'))).status).toBe(403);
    expect((await fetch(url.replace('kg1/backup', 'kg1/granted.csv'))).status).toBe(403);
    expect((await put(url, 'x')).status).toBe(403);
  });

  it('have URLs with the address of the store for clients, if that is another one', async () => {
    const { endpoint, bucket, region, credentials } = server;
    const publicEndpoint = endpoint.replace('127.0.0.1', 'localhost');
    const behind = s3FileStore({ endpoint, publicEndpoint, bucket, region, credentials, isPathStyle: true });
    const url = (await behind.uploadUrl('kg1/behind.csv', granted)) ?? '';
    expect(url).toMatch(`${publicEndpoint}/${bucket}/kg1/behind.csv?`);
    // The host is part of the signature.
    expect((await put(url.replace('localhost', '127.0.0.1'), 'x')).status).toBe(403);
    const { port } = new URL(endpoint);
    const response = await new Promise<number>((resolve, reject) => {
      const headers = { host: `localhost:${port}`, 'content-type': 'text/csv', 'content-length': 1 };
      const { pathname, search } = new URL(url);
      request({ host: '127.0.0.1', port, path: pathname + search, method: 'PUT', headers }, (answer) =>
        resolve(answer.resume().statusCode ?? 0),
      )
        .on('error', reject)
        .end('x');
    });
    expect(response).toBe(200);
    await behind.close();
  });

  it('cannot be reached by a URL that has expired', async () => {
    await store.write('kg1/expiring', chunks('x'), writing);
    const brief = { ...granted, expiresInSeconds: 1, fileName: 'x' };
    const [get = '', upload = ''] = [
      await store.downloadUrl('kg1/expiring', brief),
      await store.uploadUrl('kg1/expiring', brief),
    ];
    // The server compares with the clock, in whole seconds.
    await expect.poll(async () => (await fetch(get)).status).toBe(403);
    expect((await put(upload, 'x')).status).toBe(403);
  });

  it('end a read that is cancelled', async () => {
    await store.write('kg1/long', megabytes(30), writing);
    const controller = new AbortController();
    const reading = async (): Promise<void> => {
      for await (const _ of await store.read('kg1/long', controller.signal)) controller.abort();
    };
    await expect(reading()).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('are unavailable without the right credentials, the bucket or the server, which is not the same as missing', async () => {
    const options = { endpoint: server.endpoint, region: server.region, isPathStyle: true, bucket: server.bucket };
    const stranger = s3FileStore({ ...options, credentials: { ...server.credentials, secretAccessKey: 'wrong' } });
    const elsewhere = s3FileStore({ ...options, credentials: server.credentials, bucket: 'no-such-bucket' });
    const down = await startObjectStore();
    const stopped = openStore(down);
    await down.stop();
    for (const broken of [stranger, elsewhere, stopped]) {
      expect(await broken.probe()).toBe(false);
      await expect(broken.write('kg1/x', chunks('x'), writing)).rejects.toMatchObject({ code: 'unavailable' });
      await expect(broken.read('kg1/x', signal)).rejects.toMatchObject({ code: 'unavailable' });
      await expect(keysOf(broken, 'kg1/')).rejects.toMatchObject({ code: 'unavailable' });
      await broken.close();
    }
    await down.close();
  });

  it('let go of their source when the server ends in the middle', async () => {
    const ending = await startObjectStore();
    const broken = openStore(ending);
    let isReleased = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        yield* megabytes(9);
        await ending.stop();
        yield* megabytes(50);
      } finally {
        isReleased = true;
      }
    }
    await expect(broken.write('kg1/x', source(), writing)).rejects.toMatchObject({ code: 'unavailable' });
    await expect.poll(() => isReleased).toBe(true);
    await broken.close();
    await ending.close();
  });
});
