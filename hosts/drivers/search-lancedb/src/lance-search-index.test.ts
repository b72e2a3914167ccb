import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isCompactionDue } from './graph-tables.ts';
import { lanceSearchIndex } from './lazy-search-index.ts';
import { tableName } from './table-name.ts';
import { describeSearchIndex } from './testing/describe-search-index.ts';
import { entryWith, queryFor } from './testing/entries.ts';
import { expectedScores } from './testing/expected-scores.ts';

describeSearchIndex('lancedb', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-search-'));
  const index = lanceSearchIndex({ folder });
  return {
    index,
    dispose: async () => {
      await index.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
});

describe('a folder of the index', () => {
  const signal = new AbortController().signal;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-search-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is read and written by the next process, also after vectors were added', async () => {
    const embedding = Float32Array.from([1, 0]);
    for (const model of ['m-1', 'm-2']) {
      const index = lanceSearchIndex({ folder });
      const vector = { values: embedding, model: 'm-1' };
      const { byText, byVector } = await index.search('kgopen', queryFor('kept', { vector }), { signal });
      const known = model === 'm-1' ? [] : ['m-1_0'];
      expect([byText, byVector].map((list) => list.map(({ id }) => id))).toEqual([known, known]);
      const entry = entryWith({ id: `${model}_0`, content: 'kept', embedding, embeddingModel: model });
      await index.replace('kgopen', `${model}_`, [entry], { signal });
      await index.close();
    }
  });

  it('is compacted while documents are written one after another, because each write makes a fragment', async () => {
    const index = lanceSearchIndex({ folder });
    const writes = 140;
    for (let at = 0; at < writes; at += 1) {
      const entry = entryWith({ id: `d${at}_0`, content: `text ${at}` });
      await index.replace('kgmany', `d${at}_`, [entry], { signal });
    }
    await index.close();
    const table = await (await connect(join(folder, 'kgmany'))).openTable(tableName);
    expect(await table.countRows()).toBe(writes);
    expect((await table.stats()).fragmentStats.numFragments).toBeLessThan(writes / 2);
    table.close();
  });

  it.each([
    ['nobody writes to it', { isQuiet: true, fragments: 2, rows: 10, removedRows: 0 }, true],
    ['it has many fragments', { isQuiet: false, fragments: 64, rows: 10, removedRows: 0 }, true],
    ['half as many rows were removed as it has', { isQuiet: false, fragments: 2, rows: 10, removedRows: 5 }, true],
    ['rows were only added', { isQuiet: false, fragments: 63, rows: 10, removedRows: 4 }, false],
  ])('is compacted or not when %s', (_when, table, isDue) => {
    expect(isCompactionDue(table)).toBe(isDue);
  });

  it('returns entries as they were written: empty and missing texts, and texts of several bytes', async () => {
    const index = lanceSearchIndex({ folder });
    const texts = [null, '', 'Miete', 'Größe 租賃', '\u{1F6A2}'];
    const entries = Array.from({ length: 133 }, (_, at) =>
      entryWith({
        id: `d_${at}`,
        content: `${texts[at % 5] ?? ''}${at}`,
        sectionId: texts[at % 5] ?? null,
        formType: texts[(at + 1) % 5] ?? null,
      }),
    );
    await index.replace('kgtexts', 'd_', entries, { signal });
    const found = await index.entries(
      'kgtexts',
      entries.map(({ id }) => id),
      { signal },
    );
    const read = new Map(found.map((entry) => [entry.id, entry]));
    for (const { id, content, sectionId, formType } of entries)
      expect(read.get(id)).toMatchObject({ content, sectionId, formType });
    const query = { text: '租', filter: { section: 'Größe 租賃' }, limit: 100, offset: 0 };
    expect((await index.search('kgtexts', query, { signal })).textTotal).toBe(26);
    await index.close();
  });

  it.each([
    ['right after the last write', 'kgfew'],
    ['soon after a process that was ended left rows without an index', 'kgleft'],
  ])('ranks by the statistics of all entries %s (ai-surface SR-10)', async (_title, graphId) => {
    const rare = 'depreciation depreciation depreciation policy';
    const long = `Rent, wages and many other things, once depreciation ${'and much more of that '.repeat(8)}`;
    const texts = [rare, ...Array(30).fill('Rent and wages are paid every month by bank transfer.'), long];
    const entries = texts.map((content, at) => entryWith({ id: `d${at}_0`, content }));
    let index = lanceSearchIndex({ folder });
    for (const entry of entries) await index.replace(graphId, entry.id.slice(0, -1), [entry], { signal });
    if (graphId === 'kgleft') {
      await index.close();
      index = lanceSearchIndex({ folder });
    }
    const expected = expectedScores(entries, 'depreciation').map(([id, score]) => [id, expect.closeTo(score, 1)]);
    const check = async () => {
      const { byText } = await index.search(graphId, queryFor('depreciation'), { signal });
      expect(byText.map(({ id, score }) => [id, score])).toEqual(expected);
    };
    await (graphId === 'kgleft' ? vi.waitFor(check, { timeout: 15_000, interval: 200 }) : check());
    await index.close();
  });
});
