import type { FoundEntry, RankedEntry } from '@pacioli/core/ports';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuse } from './fusion.ts';
import { groupFilings, type ScoredEntry } from './grouping.ts';

const entry = (given: Partial<FoundEntry> & { readonly id: string }): FoundEntry =>
  ({ entityCik: null, sectionId: null, elementQname: null, part: 1, accessionNumber: null, ...given }) as FoundEntry;
const ranked = (id: string, score: number): RankedEntry => ({ id, score });
const idsOf = (list: readonly RankedEntry[]) => list.map(({ id }) => id);

describe('fusion of rankings', () => {
  it('scores as the worked example (ai-surface SR-12)', () => {
    const fused = fuse([ranked('A', 8), ranked('C', 6)], [ranked('B', 0.9), ranked('C', 0.8), ranked('A', 0.4)]);
    expect(fused.map(({ id, score }) => [id, Math.round(score * 1_000) / 1_000])).toEqual([
      ['A', 0.85],
      ['C', 0.763],
      ['B', 0.225],
    ]);
    expect(fuse([ranked('A', 9)], [ranked('A', 1.000_001)])).toEqual([ranked('A', 1)]);
  });

  it('keeps the order of one list when the other is empty (ai-surface SR-13)', () => {
    expect(idsOf(fuse([ranked('B', 3), ranked('A', 1)], []))).toEqual(['B', 'A']);
    expect(idsOf(fuse([], [ranked('B', 0.9), ranked('A', 0.3)]))).toEqual(['B', 'A']);
  });

  it('orders equal scores by the score of the text, then by id (ai-surface SR-12)', () => {
    // B has 0.75 × 1/3 by text alone, A 0.25 × 1 by its vector alone.
    expect(idsOf(fuse([ranked('C', 3), ranked('B', 1)], [ranked('A', 1)]))).toEqual(['C', 'B', 'A']);
    expect(idsOf(fuse([], [ranked('B', 0.9), ranked('A', 0.9)]))).toEqual(['A', 'B']);
  });

  it('has each entry of both lists once, in the order of falling scores from 1', () => {
    const list = fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { maxLength: 10 });
    fc.assert(
      fc.property(list, list, (texts, vectors) => {
        const fused = fuse(
          texts.map((id, at) => ranked(id, 20 - at)),
          vectors.map((id, at) => ranked(id, 1 - at / 20)),
        );
        expect([...idsOf(fused)].sort()).toEqual([...new Set([...texts, ...vectors])].sort());
        fused.forEach(({ score }, at) => {
          expect(score).toBeLessThanOrEqual(at === 0 ? 1 : (fused[at - 1]?.score ?? 0));
          expect(score).toBeGreaterThan(0);
        });
      }),
    );
  });
});

describe('groups of filings', () => {
  const filing = (id: string, given: Partial<FoundEntry>): ScoredEntry => ({
    entry: entry({ id, entityCik: '1', sectionId: 'item_1a', ...given }),
    score: 1,
  });

  it('folds the same part of a section of an entity into the best, and counts the other filings (ai-surface SR-15)', () => {
    const groups = groupFilings([
      filing('a', { accessionNumber: 'x1' }),
      filing('b', { accessionNumber: 'x2' }),
      filing('c', { accessionNumber: 'x2' }),
      filing('d', { accessionNumber: 'x1' }),
      filing('e', { accessionNumber: 'x3', part: 2 }),
      filing('f', { accessionNumber: 'x3', sectionId: 'item_7' }),
      filing('g', { accessionNumber: 'x3', entityCik: '2' }),
      filing('h', { accessionNumber: 'x3', sectionId: null, elementQname: 'item_1a' }),
    ]);
    expect(groups.map(({ entry: { id }, alsoInFilings }) => [id, alsoInFilings])).toEqual([
      ['a', 2],
      ['e', 0],
      ['f', 0],
      ['g', 0],
    ]);
  });

  it('leaves entries without an entity single (ai-surface SR-15)', () => {
    const document = (id: string) => filing(id, { entityCik: null, sectionId: 'bank' });
    expect(groupFilings([document('a'), document('b')]).map(({ alsoInFilings }) => alsoInFilings)).toEqual([0, 0]);
  });
});
