import type { IndexEntry, IndexQuery, SearchIndex } from '@pacioli/core/ports';
import { expect, it } from 'vitest';
import { entryWith, queryFor } from './entries.ts';

const options = { signal: new AbortController().signal };
const vector = (...values: readonly number[]): Float32Array => Float32Array.from(values);

/** The part of the suite about vectors. */
export function describeVectors(index: () => SearchIndex): void {
  const write = (graphId: string, entries: readonly IndexEntry[]) => index().replace(graphId, '', entries, options);
  const nearest = async (graphId: string, query: Partial<IndexQuery>) => {
    const { byVector } = await index().search(graphId, queryFor('any', query), options);
    return byVector.map(({ id, score }) => [id, Math.round(score * 1_000) / 1_000]);
  };
  const withVector = (id: string, embedding: Float32Array | null, given: Partial<IndexEntry> = {}) =>
    entryWith({ id, embedding, embeddingModel: embedding === null ? null : 'm-3', content: 'any', ...given });

  it('finds the nearest entries by cosine, from 0.2, of the same model (ai-surface SR-13)', async () => {
    await write('kgnear', [
      withVector('a_0', vector(1, 0, 0)),
      withVector('b_0', vector(3, 4, 0)),
      withVector('c_0', vector(0.21, 1, 0)),
      withVector('d_0', vector(0.19, 1, 0)),
      withVector('e_0', vector(-1, 0, 0)),
      withVector('zero_0', vector(0, 0, 0)),
      withVector('none_0', null),
      withVector('other_0', vector(1, 0, 0, 0), { embeddingModel: 'm-4' }),
    ]);
    const query = { vector: { values: vector(2, 0, 0), model: 'm-3' } };
    expect(await nearest('kgnear', query)).toEqual([
      ['a_0', 1],
      ['b_0', 0.6],
      ['c_0', 0.206],
    ]);
    expect(await nearest('kgnear', { ...query, limit: 2 })).toHaveLength(2);
    expect(await nearest('kgnear', { vector: { values: vector(0, 0, 0, 1), model: 'm-4' } })).toEqual([]);
    expect(await nearest('kgnear', { vector: { values: vector(0, 0, 0), model: 'm-3' } })).toEqual([]);
    expect(await nearest('kgnear', { vector: { values: vector(1), model: 'unknown' } })).toEqual([]);
    const { byText, textTotal } = await index().search('kgnear', queryFor('any', { ...query, limit: 3 }), options);
    expect([byText.length, textTotal]).toEqual([3, 3]);
  });

  it('applies the filters to the nearest entries, too (ai-surface SR-2)', async () => {
    await write('kgnearfilter', [
      ...Array.from({ length: 150 }, (_entry, at) => withVector(`a${at}_0`, vector(1, 0, 0))),
      withVector('b_0', vector(3, 4, 0), { fiscalYear: 2025 }),
    ]);
    const query = { vector: { values: vector(1, 0, 0), model: 'm-3' }, limit: 100 };
    expect(await nearest('kgnearfilter', query)).toHaveLength(100);
    expect(await nearest('kgnearfilter', { ...query, filter: { fiscalYear: 2025 } })).toEqual([['b_0', 0.6]]);
  });

  it('lists entries of other models page by page, and stores their new vectors (ai-surface SR-13)', async () => {
    await write('kgrenew', [
      withVector('a_0', vector(1, 0, 0)),
      withVector('b_0', vector(1, 0, 0)),
      withVector('c_0', null),
      withVector('d_0', vector(1, 0, 0, 0), { embeddingModel: 'm-4' }),
    ]);
    const page = async (afterId?: string) =>
      (await index().notEmbeddedBy('kgrenew', 'm-4', { afterId, limit: 2 }, options)).map(({ id }) => id);
    expect([await page(), await page('b_0'), await page('c_0')]).toEqual([['a_0', 'b_0'], ['c_0'], []]);
    expect(await index().stats('kgrenew', options)).toEqual({ entries: 4, byModel: { 'm-3': 2, 'm-4': 1 } });
    const renewed = { embedding: vector(0, 1, 0, 0), embeddingModel: 'm-4' };
    await index().setVectors('kgrenew', [{ id: 'a_0', generation: 1, ...renewed }], options);
    const query = { vector: { values: vector(0, 1, 0, 0), model: 'm-4' } };
    expect(await nearest('kgrenew', query)).toEqual([['a_0', 1]]);
    expect(await page()).toEqual(['b_0', 'c_0']);
    const [kept] = await index().entries('kgrenew', ['a_0'], options);
    expect(kept?.content).toBe('any');
  });

  it('skips vectors of entries that were replaced or deleted meanwhile', async () => {
    await write('kglate', [withVector('a_0', vector(1, 0, 0), { generation: 2 })]);
    const late = { embedding: vector(0, 1, 0), embeddingModel: 'm-3' };
    const given = [
      { id: 'a_0', generation: 1, ...late },
      { id: 'gone_0', generation: 1, ...late },
    ];
    await index().setVectors('kglate', given, options);
    await index().setVectors('kglate', [], options);
    await index().setVectors('kgabsent', given, options);
    expect((await index().stats('kglate', options)).entries).toBe(1);
    const query = { vector: { values: vector(1, 0, 0), model: 'm-3' } };
    expect(await nearest('kglate', query)).toEqual([['a_0', 1]]);
  });

  it('keeps an entry whose vector has no direction out of the entries without one', async () => {
    await write('kgzero', [withVector('a_0', vector(0, 0, 0)), withVector('b_0', null)]);
    const left = await index().notEmbeddedBy('kgzero', 'm-3', { afterId: undefined, limit: 10 }, options);
    expect(left.map(({ id }) => id)).toEqual(['b_0']);
  });
}
