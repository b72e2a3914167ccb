// Goal: documents are found, and deleted ones are not, after the index was lost, exchanged or restored from a copy.
// Method: a service whose index is exchanged for that of another folder, or whose folder is changed.
import { cp, mkdtemp, readdir, rename, rm, truncate } from 'node:fs/promises';
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
    ['all files', '/'],
    ['the rows', '/data/'],
    ['the indexes', '/_indices/'],
  ])('is made anew for a graph with %s cut off (ai-surface D-17)', async (title, part) => {
    const name = `cut ${title}`;
    useFolder(name);
    const graphId = await openLibrary(running.owner, 'Five');
    const docs = documentsOf(running.owner, graphId);
    await docs.stored({ title: 'Railway', content: 'The railway of the town.' });
    await current.close();
    let cut = 0;
    for (const file of await readdir(join(folder, name, graphId), { recursive: true, withFileTypes: true })) {
      const path = join(file.parentPath, file.name);
      if (!file.isFile() || !path.includes(part)) continue;
      await truncate(path, 16);
      cut += 1;
    }
    expect(cut).toBeGreaterThan(0);
    useFolder(name);
    const found = await Promise.all(Array.from({ length: 4 }, () => docs.found('town')));
    expect(found).toEqual(Array(4).fill(['Railway']));
  });
});
