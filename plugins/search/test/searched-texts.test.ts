// Goal: what a plugin contributes to the texts that are searched is found as it is, whatever happens to the index.
// Method: a plugin whose texts are in the memory of the test; an index in front of LanceDB that a test makes fail. No
// worker runs, so that each search prepares the index itself, and the tests run the jobs.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  contribute,
  definePlugin,
  graphRemovals,
  type Job,
  type PassageLimit,
  type SearchableText,
  searchableTexts,
  sql,
  textChanges,
} from '@pacioli/core';
import { silentLog } from '@pacioli/core/assembly';
import { SearchIndexError } from '@pacioli/core/ports';
import graph from '@pacioli/graph';
import { lanceSearchIndex } from '@pacioli/search-lancedb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import search from '../src/index.ts';
import { createSearch, usedBySearch } from '../src/search.ts';
import { searchOrderOf } from '../src/searching/index.ts';
import {
  type BrokenIndex,
  breakable,
  documentsOf,
  openLibrary,
  type SearchService,
  startSearch,
} from './search-service.ts';

const signal = new AbortController().signal;
const texts = new Map<string, SearchableText>();
let asked: PassageLimit | undefined;

const letters = definePlugin({
  name: 'letters',
  title: 'Letters',
  version: '0.1.0',
  kernel: '^0.1.0',
  contributions: [
    contribute(searchableTexts, 'letter', {
      create: () => ({
        find: async (_tx, id, limit) => {
          asked = limit;
          return texts.get(id);
        },
        list: async (_tx, { afterId, limit }) =>
          [...texts.keys()]
            .filter((id) => id > afterId)
            .sort()
            .slice(0, limit),
      }),
    }),
  ],
});

const letter = (title: string, ...contents: readonly string[]): SearchableText => ({
  sourceType: 'xbrl_textblock',
  title,
  entityName: 'Acme',
  entityTicker: 'acme',
  entityCik: '0000000077',
  filingDate: '2026-02-28',
  fiscalYear: 2025,
  fiscalPeriod: 'FY',
  accessionNumber: title,
  passages: contents.map((content, at) => ({
    content,
    sectionId: 'notes',
    sectionLabel: 'Notes',
    elementQname: `acme:Text${at}`,
  })),
  isCut: false,
});

describe('texts of other plugins', () => {
  let folder: string;
  let index: BrokenIndex;
  let refused: string | undefined;
  let running: SearchService;
  let docs: ReturnType<typeof documentsOf>;
  let used = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-texts-'));
    const lance = breakable(lanceSearchIndex({ folder }));
    index = {
      ...lance,
      replace: async (...call) => {
        const [, , entries] = call;
        if (index.isDown || entries.some(({ content }) => content === refused)) throw new SearchIndexError('Refused.');
        await lance.replace(...call);
      },
    };
    running = await startSearch({
      plugins: [graph, search, letters],
      searchIndex: index,
      log: silentLog,
      worker: false,
    });
    await running.service.store.transaction('kernel', (tx) =>
      tx.query(sql`INSERT INTO kernel_schedule (job, next_at)
        SELECT name, '2099-01-01'::timestamptz FROM unnest(${search.jobs.map(({ name }) => name)}::text[]) AS job (name)`),
    );
    await running.service.service.startWorker();
    docs = documentsOf(running.owner, await openLibrary(running.owner));
  });
  afterAll(async () => {
    await running.service.close();
    await index.close();
    await rm(folder, { recursive: true, force: true });
  });

  const services = () => running.service.service.services;
  const change = async (ids: readonly string[]): Promise<void> =>
    running.service.store.transaction({ graphId: docs.graphId }, async (tx) => {
      for (const follower of services().resolve(textChanges)) await follower.changed(tx, ids);
    });
  /** Stores or removes texts, and tells of it. */
  const put = async (...given: readonly (readonly [string, SearchableText | undefined])[]): Promise<void> => {
    for (const [id, text] of given) {
      if (text === undefined) texts.delete(id);
      else texts.set(id, text);
    }
    await change(given.map(([id]) => id));
  };
  const newId = (): string => {
    used += 1;
    return `letter_${String(used).padStart(4, '0')}`;
  };
  const runJob = async (name: string): Promise<void> => {
    const job = search.jobs.find((each) => each.name === name) as Job;
    const ctx = { store: running.service.store, signal, log: silentLog, now: () => running.clock.now() };
    await job.handle({ payload: { graph_id: docs.graphId }, use: services().useFor(job.services), ctx });
  };
  const pending = async (): Promise<number> => {
    const [row] = await running.service.store.transaction({ graphId: docs.graphId }, (tx) =>
      tx.query(sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM search_pending_text`),
    );
    return row?.count ?? -1;
  };

  it('are found with all that is known of them, in parts if they are long (ai-surface 2.1, D-27)', async () => {
    const long = `${'Keels are laid. '.repeat(600)}Rudders last.`;
    const id = newId();
    await put([id, letter('Letter', 'Masts are stepped.', '  ', long)]);
    const { hits } = (await docs.search({ query: 'masts', entity: 'ACME', section: 'notes', fiscal_year: 2025 })).body;
    expect(hits).toMatchObject([
      { entity_ticker: 'ACME', entity_name: 'Acme', filing_date: '2026-02-28', part_count: 1 },
    ]);
    const first = (await docs.section(`doc_${docs.graphId}_${id}_1`)).body;
    expect(first).toMatchObject({ part: 1, part_count: 2, element_qname: 'acme:Text2', fiscal_period: 'FY' });
    const second = (await docs.section(first.next_document_id)).body;
    expect(first.content + second.content).toBe(long);
    expect(asked).toEqual({ passages: 1_000, characters: 8_000_000 });
    await put([id, undefined]);
  });

  it('are several hits of a group if they are different elements of a section (ai-surface SR-15)', async () => {
    const [first, second] = [newId(), newId()];
    await put([first, letter('2025', 'spars', 'spars')], [second, letter('2024', 'spars')]);
    const { hits } = (await docs.search({ query: 'spars', group: true })).body;
    const found = hits.map((hit: { element_qname: string; also_in_filings: number }) => [
      hit.element_qname,
      hit.also_in_filings,
    ]);
    expect(found.sort()).toEqual([
      ['acme:Text0', 1],
      ['acme:Text1', 0],
    ]);
    await put([first, undefined], [second, undefined]);
  });

  it('are resolved before a search, however many there are (ai-surface SR-22)', async () => {
    const before = docs;
    docs = documentsOf(running.owner, await openLibrary(running.owner, 'Many'));
    await change(Array.from({ length: 51 }, newId));
    expect(await docs.found('oars')).toEqual([]);
    expect(await pending()).toBe(0);
    docs = before;
  });

  it('are gone with their graph (ai-surface D-33)', async () => {
    const before = docs;
    docs = documentsOf(running.owner, await openLibrary(running.owner, 'Gone'));
    const id = newId();
    await put([id, letter('Gone', 'oars')]);
    expect(await docs.found('oars')).toEqual(['Gone']);
    const path = `/v1/graphs/${docs.graphId}/operations/delete-graph`;
    expect((await running.owner.post(path, { confirm: docs.graphId })).status).toBeLessThan(300);
    running.clock.advance(60_000);
    await services().resolve(graphRemovals).runDue(signal);
    const stats = async () => [(await index.stats(docs.graphId, { signal })).entries, await pending()];
    await expect.poll(stats).toEqual([0, 0]);
    texts.delete(id);
    docs = before;
  });

  it('are left out while the index refuses them, and others are found (ai-surface SR-22)', async () => {
    const id = newId();
    await put([id, letter('Bad', 'cleats before')]);
    expect(await docs.found('cleats')).toEqual(['Bad']);
    refused = 'cleats after';
    await put([id, letter('Bad', 'cleats after')]);
    expect([await docs.found('cleats'), await pending()]).toEqual([[], 1]);
    refused = undefined;
    running.clock.advance(5 * 60_000);
    await runJob('resolve-pending-documents');
    expect([await docs.found('cleats'), await pending()]).toEqual([['Bad'], 0]);
  });

  it('answer 503 to searches while what was removed cannot be removed (ai-surface SR-22)', async () => {
    const id = newId();
    await put([id, letter('Secret', 'hawsers')]);
    expect(await docs.found('hawsers')).toEqual(['Secret']);
    index.isDown = true;
    await put([id, undefined]);
    expect((await docs.search({ query: 'hawsers' })).status).toBe(503);
    await runJob('index-changed-texts');
    index.isDown = false;
    expect([await docs.found('hawsers'), await pending()]).toEqual([[], 0]);
  });

  it('that are older than the plugin are listed by the first search of a graph (ai-surface SR-22)', async () => {
    const id = newId();
    texts.set(id, letter('Old', 'capstans'));
    docs = documentsOf(running.owner, await openLibrary(running.owner, 'Second'));
    await docs.found('capstans');
    await runJob('index-changed-texts');
    expect(await docs.found('capstans')).toEqual(['Old']);
    expect(
      (await index.entries(docs.graphId, [`doc_${docs.graphId}_${id}_0`], { signal }))[0]?.embeddingModel,
    ).not.toBeNull();
  });

  it('are gone when their plugin is, and documents stay (ai-surface SR-22)', async () => {
    await docs.stored({ title: 'Document', content: 'capstans of the harbor' });
    expect((await docs.found('capstans')).toSorted()).toEqual(['Document', 'Old']);
    const use: unknown = services().useFor(usedBySearch);
    // The tokens carry the types.
    const without = createSearch({ ...(use as Parameters<typeof createSearch>[0]), sources: [] });
    const { hits } = await without.searcher.search(docs.graphId, searchOrderOf({ query: 'capstans' }), signal);
    expect(hits.map(({ entry }) => entry.documentTitle)).toEqual(['Document']);
    await docs.found('capstans');
    await runJob('index-changed-texts');
    expect((await docs.found('capstans')).toSorted()).toEqual(['Document', 'Old']);
  });
});
