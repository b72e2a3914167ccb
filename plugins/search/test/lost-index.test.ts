// Goal: documents are found after the index was lost or exchanged for another one.
// Method: a service whose index is exchanged for that of another folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '@pacioli/core/assembly';
import type { SearchIndex } from '@pacioli/core/ports';
import { lanceSearchIndex } from '@pacioli/search-lancedb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import resolvePending from '../src/jobs/resolve-pending-documents.ts';
import { documentsOf, type Loose, openLibrary, type SearchService, startSearch } from './search-service.ts';

describe('an index that was exchanged for an empty one', () => {
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
});
