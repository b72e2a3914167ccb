import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lanceSearchIndex } from './lazy-search-index.ts';
import { describeSearchIndex } from './testing/describe-search-index.ts';
import { entryWith, queryFor } from './testing/entries.ts';

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
});
