// Goal: whatever fails between the store and the index, documents are kept, and searches find what the store has.
// Method: an index in front of LanceDB that a test makes fail, and the jobs, run at once with the test's clock.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { graphRemovals, type Job, sql } from '@pacioli/core';
import { silentLog } from '@pacioli/core/assembly';
import { type Embedder, EmbeddingError } from '@pacioli/core/ports';
import { lanceSearchIndex } from '@pacioli/search-lancedb';
import { hashEmbedder, type TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import renewVectors from '../src/jobs/renew-vectors.ts';
import resolvePending from '../src/jobs/resolve-pending-documents.ts';
import {
  type BrokenIndex,
  breakable,
  documentsOf,
  openLibrary,
  type SearchService,
  startSearch,
} from './search-service.ts';

const signal = new AbortController().signal;

describe('a search index that fails', () => {
  let folder: string;
  let index: BrokenIndex;
  let embedder: Embedder & { isDown: boolean; id: string; refused: string | undefined };
  let running: SearchService;
  let owner: TestClient;
  let docs: ReturnType<typeof documentsOf>;

  const runJob = (job: Job): Promise<void> => {
    const { service, clock } = running;
    const use = service.service.services.useFor(job.services);
    return job.handle({ use, ctx: { store: service.store, signal, log: silentLog, now: () => clock.now() } });
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-search-'));
    index = breakable(lanceSearchIndex({ folder }));
    const inner = hashEmbedder();
    embedder = {
      id: inner.id,
      dimensions: inner.dimensions,
      isDown: false,
      refused: undefined,
      embed: async (...call) => {
        const { refused } = embedder;
        if (refused !== undefined && call[0].some((text) => text.includes(refused)))
          throw new EmbeddingError('The embedder takes no such text.');
        if (embedder.isDown) throw new EmbeddingError('The embedder is down.');
        return inner.embed(...call);
      },
    };
    running = await startSearch({ searchIndex: index, embedder, log: silentLog, worker: false });
    // Each test runs the jobs itself.
    await running.service.store.transaction('kernel', (tx) =>
      tx.query(sql`
        INSERT INTO kernel_schedule (job, next_at)
        VALUES ('resolve-pending-documents', '2099-01-01'), ('renew-vectors', '2099-01-01')
        ON CONFLICT (job) DO UPDATE SET next_at = EXCLUDED.next_at`),
    );
    await running.service.service.startWorker();
    // A session would end while the clock advances.
    const { body } = await running.owner.post('/v1/user/api-keys', { name: 'test' });
    owner = running.service.anonymous.withHeaders({ 'x-api-key': body.key });
    docs = documentsOf(owner, await openLibrary(running.owner));
  });
  afterAll(async () => {
    await running.service.close();
    await index.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('leaves documents stored, answers 503 for searches, and gets them after a minute (ai-surface D-15, SR-5)', async () => {
    index.isDown = true;
    const stored = await docs.stored({ title: 'Late', content: 'delayed words 😀' });
    expect(stored).toMatchObject({ sections_indexed: 0, section_ids: [], total_content_length: 15 });
    const refused = await docs.search({ query: 'delayed' });
    expect([refused.status, refused.body.detail]).toEqual([503, 'Document search is not available']);
    expect((await docs.section(stored.document_id)).status).toBe(503);
    expect((await docs.get(stored.id)).body).toMatchObject({ title: 'Late', sections_indexed: 0 });
    running.clock.advance(60_000);
    await runJob(resolvePending);
    index.isDown = false;
    await runJob(resolvePending);
    expect(await docs.found('delayed')).toEqual([]);
    running.clock.advance(4 * 60_000);
    await runJob(resolvePending);
    expect(await docs.found('delayed')).toEqual(['Late']);
    expect((await docs.get(stored.id)).body.sections_indexed).toBe(1);
  });

  it('is tried again after 1, 4, 16 and then every 60 minutes (ai-surface D-15)', async () => {
    index.isDown = true;
    const { id } = await docs.stored({ title: 'Patient', content: 'patient words' });
    for (const minutes of [1, 4, 16, 60, 60]) {
      running.clock.advance(minutes * 60_000 - 1_000);
      index.isDown = false;
      await runJob(resolvePending);
      expect((await docs.get(id)).body.sections_indexed).toBe(0);
      index.isDown = true;
      running.clock.advance(1_000);
      await runJob(resolvePending);
    }
    index.isDown = false;
    running.clock.advance(60 * 60_000);
    await runJob(resolvePending);
    expect(await docs.found('patient')).toEqual(['Patient']);
  });

  it('never shows a document again that was deleted meanwhile (ai-surface D-30)', async () => {
    const { id } = await docs.stored({ title: 'Secret', content: 'forgotten words' });
    index.isDown = true;
    expect((await docs.remove(id)).status).toBe(200);
    expect((await docs.get(id)).status).toBe(404);
    expect((await docs.search({ query: 'forgotten' })).status).toBe(503);
    index.isDown = false;
    expect(await docs.found('forgotten')).toEqual([]);
  });

  it('is repaired when the write of the store breaks off after that of the index (ai-surface D-15)', async () => {
    const { id } = await docs.stored({ title: 'Stable', content: 'original words' });
    index.afterWrite = () => {
      throw new Error('The process ends here.');
    };
    expect((await docs.index({ title: 'Orphan', content: 'orphaned words' })).status).toBe(500);
    expect((await docs.index({ document_id: id, content: 'overwritten words' })).status).toBe(500);
    expect((await docs.remove(id)).status).toBe(500);
    index.afterWrite = undefined;
    expect((await docs.get(id)).body.content).toBe('original words');
    expect(await docs.found('original')).toEqual([]);
    running.clock.advance(5 * 60_000);
    await runJob(resolvePending);
    expect(await docs.found('original overwritten orphaned')).toEqual(['Stable']);
  });

  it('holds no former documents of a subgraph that was deleted while it was down (ai-surface D-33)', async () => {
    const operation = (name: string, body: object) => owner.post(`/v1/graphs/${docs.graphId}/operations/${name}`, body);
    await operation('create-subgraph', { name: 'sub', display_name: 'Sub' });
    const sub = documentsOf(owner, `${docs.graphId}_sub`);
    await sub.stored({ title: 'Former', content: 'inherited words' });
    index.isDown = true;
    await operation('delete-subgraph', { subgraph_name: 'sub', force: true });
    await operation('create-subgraph', { name: 'sub', display_name: 'Again' });
    expect(await sub.stored({ title: 'Current', content: 'inherited words' })).toMatchObject({ sections_indexed: 0 });
    expect((await sub.search({ query: 'inherited' })).status).toBe(503);
    index.isDown = false;
    expect(await sub.found('inherited')).toEqual([]);
    running.clock.advance(60_000);
    await runJob(resolvePending);
    expect(await sub.found('inherited')).toEqual(['Current']);
  });

  it('gets the vectors later of what was written while the embedder was down (ai-surface SR-13)', async () => {
    embedder.isDown = true;
    await docs.stored({ title: 'Vectorless', content: 'covenants of the syndicated loan' });
    expect(await docs.found('covenants')).toEqual(['Vectorless']);
    const refused = await docs.search({ query: 'covenants', semantic: true });
    expect([refused.status, refused.body.detail]).toEqual([503, 'Document search is not available']);
    await runJob(renewVectors);
    embedder.isDown = false;
    const scoreOf = async () => (await docs.search({ query: 'covenants loan', semantic: true })).body.hits[0].score;
    expect(await scoreOf()).toBe(0.75);
    await runJob(renewVectors);
    expect(await scoreOf()).toBeGreaterThan(0.75);
  });

  it('gets the vectors of the other entries when the embedder always refuses one (ai-surface SR-13)', async () => {
    embedder.isDown = true;
    for (const title of ['First', 'Refused', 'Second']) {
      const content = title === 'Refused' ? 'poisonous charter parties' : `charter parties of the ${title}`;
      await docs.stored({ title, content });
    }
    embedder.isDown = false;
    embedder.refused = 'poisonous';
    await runJob(renewVectors);
    const before = await index.stats(docs.graphId, { signal });
    expect(before.byModel).toEqual({ [embedder.id]: before.entries - 1 });
    embedder.refused = undefined;
    await runJob(renewVectors);
    const after = await index.stats(docs.graphId, { signal });
    expect(after.byModel).toEqual({ [embedder.id]: after.entries });
  });

  it('answers by text while the vectors of a new embedder are made (ai-surface SR-13)', async () => {
    await docs.stored({ title: 'Renewed', content: 'impairment of goodwill' });
    embedder.id = 'hash-384-next';
    const search = async () => (await docs.search({ query: 'impairment goodwill', semantic: true })).body.hits[0];
    expect(await search()).toMatchObject({ document_title: 'Renewed', score: 0.75 });
    await runJob(renewVectors);
    expect((await search()).score).toBeGreaterThan(0.75);
    const stats = await index.stats(docs.graphId, { signal });
    expect(stats.byModel).toEqual({ 'hash-384-next': stats.entries });
  });

  it('loses the entries of a deleted graph (ai-surface D-33)', async () => {
    const gone = documentsOf(owner, await openLibrary(owner, 'Gone'));
    await gone.stored({ title: 'Gone', content: 'removed words' });
    expect((await index.stats(gone.graphId, { signal })).entries).toBe(1);
    const deleted = await owner.post(`/v1/graphs/${gone.graphId}/operations/delete-graph`, {
      confirm: gone.graphId,
    });
    expect(deleted.status).toBeLessThan(300);
    running.clock.advance(60_000);
    await running.service.service.services.resolve(graphRemovals).runDue(signal);
    expect((await index.stats(gone.graphId, { signal })).entries).toBe(0);
  });
});

describe('search that is switched off', () => {
  it('refuses writes and searches with 503, and reads what is stored (ai-surface D-2, SR-5)', async () => {
    const { default: search } = await import('../src/index.ts');
    const { default: graph } = await import('@pacioli/graph');
    const off = await startSearch({ plugins: [graph, search.with({ enabled: false })] });
    const docs = documentsOf(off.owner, await openLibrary(off.owner));
    const refused = await docs.index({ title: '', content: '' });
    expect([refused.status, refused.body.detail]).toEqual([503, 'Document search is not enabled']);
    expect((await docs.remove('doc_x')).body.detail).toBe('Document search is not enabled');
    expect((await docs.search({ query: 'x' })).body.detail).toBe('Document search is not available');
    expect((await docs.section('x')).status).toBe(503);
    expect((await docs.list()).documents).toEqual([]);
    expect((await docs.get('doc_x')).status).toBe(404);
    await off.service.close();
  });
});
