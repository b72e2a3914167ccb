// Goal: documents are found, and deleted ones are not, after the index was lost, exchanged or restored from a copy.
// Method: a service whose index is exchanged for that of another folder, or whose folder is changed.
import { cp, mkdtemp, open, readdir, rename, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '@pacioli/core/assembly';
import type { SearchIndex } from '@pacioli/core/ports';
import { lanceSearchIndex } from '@pacioli/search-lancedb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import resolvePending from '../src/jobs/resolve-pending-documents.ts';
import { documentsOf, type Loose, openLibrary, type SearchService, startSearch } from './search-service.ts';

describe('an index that was exchanged, lost or restored', () => {
  let folder: string;
  let running: SearchService;
  let current: SearchIndex;
  const opened: SearchIndex[] = [];
  const index = new Proxy({} as SearchIndex, { get: (_target, name) => Reflect.get(current, name) });

  const useFolder = (name: string): void => {
    current = lanceSearchIndex({ folder: join(folder, name) });
    opened.push(current);
  };
  const runJob = (): Promise<void> => {
    const { service, clock } = running;
    const use = service.service.services.useFor(resolvePending.services);
    const signal = new AbortController().signal;
    return resolvePending.handle({
      use,
      ctx: { store: service.store, signal, log: silentLog, now: () => clock.now() },
    });
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-search-'));
    useFolder('first');
    running = await startSearch({ searchIndex: index, log: silentLog });
  });
  afterAll(async () => {
    await running.service.close();
    for (const each of opened) await each.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is filled before the next search of a graph answers, and by the job for other graphs (ai-surface D-17)', async () => {
    const graphs = [await openLibrary(running.owner, 'One'), await openLibrary(running.owner, 'Two')];
    const [one, two] = graphs.map((graphId) => documentsOf(running.owner, graphId));
    for (const docs of [one, two]) {
      for (const title of ['Railway', 'Harbor']) await docs?.stored({ title, content: `The ${title} of the town.` });
    }
    useFolder('second');
    expect(await one?.found('town')).toHaveLength(2);
    await runJob();
    useFolder('second');
    expect(await two?.found('harbor')).toEqual(['Harbor']);
    expect((await two?.list())?.documents.map((row: Loose) => row.section_count)).toEqual([1, 1]);
  });

  it('is made anew for a graph whose folder was removed while the service runs (ai-surface D-17)', async () => {
    useFolder('third');
    const graphId = await openLibrary(running.owner, 'Three');
    const docs = documentsOf(running.owner, graphId);
    for (const title of ['Railway', 'Harbor']) await docs.stored({ title, content: `The ${title} of the town.` });
    expect(await docs.found('town')).toHaveLength(2);
    await rename(join(folder, 'third', graphId), join(folder, 'lost'));
    expect(await docs.found('town')).toHaveLength(2);
    await docs.stored({ title: 'Market', content: 'The market of the town.' });
    expect(await docs.found('town')).toHaveLength(3);
  });

  it('is rebuilt if it is an older copy, so that deleted and changed texts are not found (ai-surface D-17, D-30)', async () => {
    useFolder('fourth');
    const graphId = await openLibrary(running.owner, 'Four');
    const docs = documentsOf(running.owner, graphId);
    const deleted = await docs.stored({ title: 'Railway', content: 'A confidential town.' });
    const changed = await docs.stored({ title: 'Harbor', content: 'An old town.' });
    await current.close();
    await cp(join(folder, 'fourth'), join(folder, 'copy'), { recursive: true });
    useFolder('fourth');
    await docs.remove(deleted['id']);
    await docs.stored({ document_id: changed['id'], content: 'A new town.' });
    await docs.stored({ title: 'Market', content: 'The market of the town.' });
    await current.close();
    await rm(join(folder, 'fourth'), { recursive: true });
    await cp(join(folder, 'copy'), join(folder, 'fourth'), { recursive: true });
    useFolder('fourth');
    expect(await docs.found('confidential')).toEqual([]);
    expect(await docs.found('old')).toEqual([]);
    expect([...(await docs.found('town'))].sort()).toEqual(['Harbor', 'Market']);
    expect(await docs.found('new')).toEqual(['Harbor']);
  });

  it.each([
    ['a search', false],
    ['a write', true],
  ])(
    'is rebuilt if it is a copy of before a rebuild, when %s comes first (ai-surface D-17)',
    async (title, isWriteFirst) => {
      const name = `rebuilt before ${title}`;
      useFolder(name);
      const graphId = await openLibrary(running.owner, 'Rebuilt');
      const docs = documentsOf(running.owner, graphId);
      const deleted = await docs.stored({ title: 'Railway', content: 'A confidential town.' });
      for (let time = 0; time < 6; time += 1)
        await docs.stored({ title: 'Harbor', content: `An old town, ${time}.`, external_id: 'h' });
      await current.close();
      await rename(join(folder, name, graphId), join(folder, `copy ${name}`));
      useFolder(name);
      expect(await docs.found('town')).toHaveLength(2);
      await docs.remove(deleted['id']);
      await docs.stored({ title: 'Harbor', content: 'A new town.', external_id: 'h' });
      await current.close();
      await rm(join(folder, name, graphId), { recursive: true });
      await rename(join(folder, `copy ${name}`), join(folder, name, graphId));
      useFolder(name);
      if (isWriteFirst) await docs.stored({ title: 'Market', content: 'The market of the village.' });
      expect(await docs.found('confidential')).toEqual([]);
      expect(await docs.found('town')).toEqual(['Harbor']);
      expect(await docs.found('new')).toEqual(['Harbor']);
    },
  );

  it('is rebuilt if it is the folder of another graph, whose texts are not found (ai-surface D-17, SR-3)', async () => {
    useFolder('exchanged');
    const [own, other] = [await openLibrary(running.owner, 'Own'), await openLibrary(running.owner, 'Other')];
    await documentsOf(running.owner, own).stored({ title: 'Own', content: 'A town.' });
    for (let time = 0; time < 6; time += 1)
      await documentsOf(running.owner, other).stored({
        title: 'Other',
        content: `A secret ${time}.`,
        external_id: 'o',
      });
    await current.close();
    await rm(join(folder, 'exchanged', own), { recursive: true });
    await cp(join(folder, 'exchanged', other), join(folder, 'exchanged', own), { recursive: true });
    useFolder('exchanged');
    expect(await documentsOf(running.owner, own).found('secret')).toEqual([]);
    expect(await documentsOf(running.owner, own).found('town')).toEqual(['Own']);
    expect(await documentsOf(running.owner, other).found('secret')).toEqual(['Other']);
  });

  const cut = (path: string): Promise<void> => truncate(path, 16);
  const overwrite = (at: 'start' | 'end') => async (path: string) => {
    const file = await open(path, 'r+');
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(64, size), 0xa5);
    await file.write(bytes, 0, bytes.length, at === 'start' ? 0 : size - bytes.length);
    await file.close();
  };

  it.each([
    ['all files are cut off', '/', cut],
    ['the rows are cut off', '/data/', cut],
    ['the indexes are cut off', '/_indices/', cut],
    ['the ends of the rows are overwritten', '/data/', overwrite('end')],
    ['the ends of the versions are overwritten', '/_versions/', overwrite('end')],
    ['the starts of the indexes are overwritten', '/_indices/', overwrite('start')],
    ['the ends of the indexes are overwritten', '/_indices/', overwrite('end')],
  ])('is made anew for a graph whose files are damaged: %s (ai-surface D-17)', async (title, part, damage) => {
    useFolder(title);
    const graphId = await openLibrary(running.owner, 'Damaged');
    const docs = documentsOf(running.owner, graphId);
    await docs.stored({ title: 'Railway', content: 'The railway of the town.' });
    await current.close();
    let damaged = 0;
    for (const file of await readdir(join(folder, title, graphId), { recursive: true, withFileTypes: true })) {
      const path = join(file.parentPath, file.name);
      if (!file.isFile() || !path.includes(part)) continue;
      await damage(path);
      damaged += 1;
    }
    expect(damaged).toBeGreaterThan(0);
    useFolder(title);
    const found = await Promise.all(Array.from({ length: 4 }, () => docs.found('town')));
    expect(found).toEqual(Array(4).fill(['Railway']));
  });

  it('is not made anew again and again if its files are damaged again shortly after (ai-surface D-17)', async () => {
    useFolder('again');
    const graphId = await openLibrary(running.owner, 'Again');
    const docs = documentsOf(running.owner, graphId);
    await docs.stored({ title: 'Railway', content: 'The railway of the town.' });
    const damageRows = async (): Promise<void> => {
      await current.close();
      const rows = join(folder, 'again', graphId, 'entries_2.lance', 'data');
      for (const name of await readdir(rows)) await overwrite('end')(join(rows, name));
      useFolder('again');
    };
    await damageRows();
    expect(await docs.found('town')).toEqual(['Railway']);
    await damageRows();
    expect((await docs.search({ query: 'town' })).status).toBe(503);
    running.clock.advance(600_000);
    expect(await docs.found('town')).toEqual(['Railway']);
  });
});
