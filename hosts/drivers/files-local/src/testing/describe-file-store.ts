import { type FileStore, isFileStoreError } from '@pacioli/core/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

export interface FileStoreUnderTest {
  readonly store: FileStore;
  close(): Promise<void>;
}

const signal = new AbortController().signal;
const writing = { maxBytes: 1_000_000, contentType: 'text/csv', signal };

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (isFileStoreError(error)) return error.code;
    throw error;
  }
  return 'no error';
}

/** The suite of the file store port: the same tests for every driver. */
export function describeFileStore(name: string, createFileStore: () => Promise<FileStoreUnderTest>): void {
  describe(`file store ${name}`, () => {
    let under: FileStoreUnderTest;
    let store: FileStore;

    const textOf = async (key: string): Promise<string> => {
      const parts: Uint8Array[] = [];
      for await (const chunk of await store.read(key, signal)) parts.push(chunk);
      return Buffer.concat(parts).toString();
    };
    const keysOf = async (prefix: string): Promise<string[]> => {
      const keys: string[] = [];
      for await (const { key } of store.list(prefix)) keys.push(key);
      return keys;
    };

    beforeAll(async () => {
      under = await createFileStore();
      store = under.store;
    });
    afterAll(() => under.close());

    it('returns what was written, unchanged, with its size', async () => {
      const info = await store.write('kg1/a/v.csv', chunks('code\n', 'B1\n'), writing);
      expect(info).toMatchObject({ key: 'kg1/a/v.csv', bytes: 8 });
      expect(await textOf('kg1/a/v.csv')).toBe('code\nB1\n');
      expect(await store.info('kg1/a/v.csv')).toMatchObject({ bytes: 8, modifiedAt: expect.any(Date) });
    });

    it('stores an empty file', async () => {
      await store.write('kg1/empty', chunks(), writing);
      expect([await textOf('kg1/empty'), (await store.info('kg1/empty'))?.bytes]).toEqual(['', 0]);
    });

    it('replaces a file as a whole, and lets a reader finish the one it has begun', async () => {
      const long = 'x'.repeat(600_000);
      await store.write('kg1/replaced', chunks(long), writing);
      const reader = (await store.read('kg1/replaced', signal))[Symbol.asyncIterator]();
      const first = await reader.next();
      await store.write('kg1/replaced', chunks('new'), writing);
      let bytes = first.done === true ? 0 : first.value.byteLength;
      for (let next = await reader.next(); next.done !== true; next = await reader.next())
        bytes += next.value.byteLength;
      expect(bytes).toBe(long.length);
      expect(await textOf('kg1/replaced')).toBe('new');
    });

    it('stores nothing of a source that fails, is too long or is cancelled', async () => {
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('half');
        throw new Error('The connection broke.');
      }
      await expect(store.write('kg1/broken', broken(), writing)).rejects.toThrow();
      expect(await codeOf(store.write('kg1/long', chunks('12345', '6'), { ...writing, maxBytes: 5 }))).toBe(
        'too-large',
      );
      const controller = new AbortController();
      async function* slow(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('half');
        controller.abort();
        yield Buffer.from('more');
      }
      expect(await codeOf(store.write('kg1/cut', slow(), { ...writing, signal: controller.signal }))).toBe('cancelled');
      for (const key of ['kg1/broken', 'kg1/long', 'kg1/cut']) expect(await store.info(key)).toBeUndefined();
      expect((await keysOf('kg1/')).filter((key) => /broken|long|cut/.test(key))).toEqual([]);
    });

    it('keeps the old content when its replacement fails', async () => {
      await store.write('kg1/kept', chunks('old'), writing);
      await codeOf(store.write('kg1/kept', chunks('much too long'), { ...writing, maxBytes: 5 }));
      expect(await textOf('kg1/kept')).toBe('old');
    });

    it('says that a file is missing before the first chunk', async () => {
      expect(await codeOf(store.read('kg1/none', signal))).toBe('missing');
      expect(await store.info('kg1/none')).toBeUndefined();
    });

    it('removes files, also missing ones', async () => {
      await store.write('kg1/b/removed', chunks('x'), writing);
      await store.remove('kg1/b/removed');
      await store.remove('kg1/b/removed');
      expect(await store.info('kg1/b/removed')).toBeUndefined();
    });

    it('lists by prefix in the order of keys, and no other tenant', async () => {
      for (const key of ['kg2/b', 'kg2/a/1', 'kg2/a/2', 'kg21/c']) await store.write(key, chunks('x'), writing);
      expect(await keysOf('kg2/')).toEqual(['kg2/a/1', 'kg2/a/2', 'kg2/b']);
      expect(await keysOf('kg2/a/')).toEqual(['kg2/a/1', 'kg2/a/2']);
      expect(await keysOf('kg3/')).toEqual([]);
      for (const key of ['kg4/a/b', 'kg4/a-b', 'kg4/a.b', 'kg4/a0']) await store.write(key, chunks('x'), writing);
      expect(await keysOf('kg4/')).toEqual(['kg4/a-b', 'kg4/a.b', 'kg4/a/b', 'kg4/a0']);
    });

    it.each([
      '',
      '/etc/hosts',
      '../outside',
      'kg1/../../outside',
      'kg1//x',
      'kg1/./x',
      'kg1/a b',
      'kg1/ü',
      `kg1/${'x'.repeat(600)}`,
    ])('refuses a key that is none: %j', async (key) => {
      expect(await codeOf(store.write(key, chunks('x'), writing))).toBe('invalid-key');
      expect(await codeOf(store.read(key, signal))).toBe('invalid-key');
      expect(await codeOf(store.info(key))).toBe('invalid-key');
      expect(await codeOf(store.remove(key))).toBe('invalid-key');
    });

    it('can be reached', async () => {
      expect(await store.probe()).toBe(true);
    });
  });
}
