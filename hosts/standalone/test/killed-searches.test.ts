/**
 * Goal: whatever the index was doing when the process was killed, each document is found once afterwards, with the text
 * that was acknowledged, and none is lost. Method: a whole process that stops for good at a point of a write, where it is
 * killed; the next one starts on the same folder with a clock that is past the wait of the repair.
 * @module-tag full-run
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, TestClient, type TestDatabase } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CrashingProcess, type ServiceSettings } from './crash/crashing-process.ts';
import { harbourOwner } from './crash/harbour.ts';

const schema = {
  name: 'library',
  nodes: [{ name: 'Shelf', properties: [{ name: 'id', type: 'STRING', is_primary_key: true }] }],
};
const documents = 6;
/** More than the vectors of one page, which the job writes at a time. */
const sections = 130;

describe('a process that is killed while it writes the search index', () => {
  let folder: string;
  let database: TestDatabase;
  let running: CrashingProcess;
  let owner: TestClient;
  let graphId: string;
  let minutesLater = 0;
  const ids: string[] = [];

  const start = async (point = '', settings: ServiceSettings = {}): Promise<void> => {
    minutesLater += 10;
    owner = new TestClient(await running.serve(point, { minutesLater, ...settings }), owner?.headers ?? {});
  };
  const index = async (body: object) => owner.post(`/v1/graphs/${graphId}/operations/index-document`, body);
  const search = async (query: string, more: object = {}) =>
    (await owner.post(`/v1/graphs/${graphId}/search`, { query, size: 50, ...more })).body;
  /** The titles of the passages with a word, in their order. */
  const titles = async (query: string): Promise<readonly string[]> =>
    (await search(query)).hits.map((hit: { document_title: string }) => hit.document_title).sort();
  const allTitles = Array.from({ length: documents }, (_, at) => `Document ${at}`);
  /** Starts a write, and kills the process when it has reached the point. */
  const killedAt = async (point: string, body: object): Promise<void> => {
    await start(point);
    const unanswered = index(body).catch(() => undefined);
    await running.untilPrinted(`reached ${point}`);
    await running.kill();
    await unanswered;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-killed-'));
    database = await createTestDatabase();
    running = new CrashingProcess(folder, database.url);
    await start();
    owner = owner.withHeaders(await harbourOwner(owner));
    const created = await owner.post('/v1/graphs', { metadata: { graph_name: 'Library' }, custom_schema: schema });
    graphId = (await owner.follow(created.body.operationId)).body.result.graph_id;
    for (const title of allTitles) ids.push((await index({ title, content: 'shared original' })).body.result.id);
  });
  afterAll(async () => {
    await running.kill();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('keeps what was acknowledged, and nothing else (ai-surface D-15, D-16)', async () => {
    await killedAt('in the write of the index', { title: 'Unanswered', content: 'shared orphaned' });
    await killedAt('in the write of the index', { document_id: ids[0], content: 'shared overwritten' });
    await killedAt('after the write of the index', { document_id: ids[1], content: 'shared overwritten' });
    await start();
    await expect.poll(() => titles('original')).toEqual(allTitles);
    await expect.poll(() => titles('shared')).toEqual(allTitles);
    expect(await titles('orphaned overwritten')).toEqual([]);
    expect((await owner.get(`/v1/graphs/${graphId}/documents`)).body.total).toBe(documents);
  });

  it('writes the texts of other plugins in the next process (ai-surface SR-22)', async () => {
    for (const point of ['in the write of the index', 'after the write of the index']) {
      // Without the plugin, its texts are gone.
      expect(await titles('binnacle')).toEqual([]);
      await start(point, { withLetter: true });
      // The first search lists the text, and the job writes it.
      await titles('binnacle');
      await running.untilPrinted(`reached ${point}`);
      await running.kill();
      await start('', { withLetter: true });
      await expect.poll(() => titles('binnacle')).toEqual(['Letter']);
      expect(await titles('original')).toEqual(allTitles);
      await start();
    }
  });

  it('makes the other vectors of a new embedder in the next process (ai-surface SR-13)', async () => {
    const content = Array.from({ length: sections }, (_, at) => `# Part${at}\n${'mooring rope '.repeat(10)}`).join(
      '\n',
    );
    const { sections_indexed: indexed } = (await index({ title: 'Long', content })).body.result;
    expect(indexed).toBe(sections);
    // Its vector is on the second page, in the order of ids.
    await index({ title: 'Last', content: 'final anchors' });
    const point = 'after a page of vectors';
    await start(point, { embedder: 'second' });
    await running.untilPrinted(`reached ${point}`);
    // A passage without a vector of the embedder has at most the score of its text.
    const score = async () => (await search('final anchors', { semantic: true })).hits[0].score;
    expect(await score()).toBe(0.75);
    await start('', { embedder: 'second' });
    await expect.poll(score).toBeGreaterThan(0.75);
    expect(await titles('shared')).toEqual(allTitles);
    expect((await search('mooring', { size: 1 })).total).toBe(sections);
  });
});
