import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localFileStore } from './local-file-store.ts';
import { describeFileStore } from './testing/describe-file-store.ts';

const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'pacioli-files-'));

describeFileStore('local', async () => {
  const folder = await temporaryFolder();
  const store = localFileStore({ folder: join(folder, 'files') });
  return { store, close: () => rm(folder, { recursive: true, force: true }) };
});

describe('the folder of the file store', () => {
  let folder: string;
  const signal = new AbortController().signal;
  const writing = { maxBytes: 10, contentType: 'text/csv', signal };

  async function* bytes(text: string): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }

  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has no unfinished file after a failure, and no empty folder after a removal', async () => {
    const store = localFileStore({ folder: join(folder, 'a') });
    await store.write('kg1/deep/down/x', bytes('x'), writing);
    await expect(store.write('kg1/y', bytes('much too long'), writing)).rejects.toMatchObject({ code: 'too-large' });
    await store.remove('kg1/deep/down/x');
    expect(await readdir(join(folder, 'a'))).toEqual(['.unfinished']);
    expect(await readdir(join(folder, 'a', '.unfinished'))).toEqual([]);
  });

  it('removes the unfinished file of a process that was killed a day ago, and not that of a running one', async () => {
    const inside = join(folder, 'c');
    await mkdir(join(inside, '.unfinished'), { recursive: true });
    for (const name of ['old', 'new']) await writeFile(join(inside, '.unfinished', name), 'half');
    const old = new Date(Date.now() - 2 * 86_400_000);
    await utimes(join(inside, '.unfinished', 'old'), old, old);
    await localFileStore({ folder: inside }).write('kg1/x', bytes('x'), writing);
    expect(await readdir(join(inside, '.unfinished'))).toEqual(['new']);
  });

  it('removes such a file also when files are listed, as sweeps do', async () => {
    const inside = join(folder, 'd');
    const path = join(inside, '.unfinished', 'old');
    await mkdir(join(inside, '.unfinished'), { recursive: true });
    await writeFile(path, 'half');
    const old = new Date(Date.now() - 2 * 86_400_000);
    await utimes(path, old, old);
    const store = localFileStore({ folder: inside });
    for await (const { key } of store.list('')) expect(key).toBe('nothing is stored');
    expect(await readdir(join(inside, '.unfinished'))).toEqual([]);
  });

  it('does not follow a link out of the folder', async () => {
    const inside = join(folder, 'b');
    await mkdir(join(inside, 'kg1'), { recursive: true });
    await writeFile(join(folder, 'secret'), 'secret');
    await symlink(join(folder, 'secret'), join(inside, 'kg1', 'link'));
    const store = localFileStore({ folder: inside });
    await expect(store.read('kg1/link', signal)).rejects.toMatchObject({ code: 'missing' });
    expect(await store.info('kg1/link')).toBeUndefined();
  });

  it('says that files cannot be stored when it cannot be made', async () => {
    await writeFile(join(folder, 'file'), '');
    const store = localFileStore({ folder: join(folder, 'file', 'files') });
    expect(await store.probe()).toBe(false);
  });
});
