import { describe, expect, it } from 'vitest';
import { coverageOf, leadsToRoot } from './coverage.ts';

const accounts = (count: number, targetId: string | null, confidence: number | null) =>
  Array.from({ length: count }, () => ({ target_id: targetId, confidence }));

describe('coverage', () => {
  it('of twenty accounts is eighty per cent in the specified example (taxonomy 4.4)', () => {
    const covered = [
      ...accounts(12, 'c', 0.95),
      ...accounts(3, 'c', 0.8),
      ...accounts(1, 'c', null),
      ...accounts(4, null, null),
    ];
    expect(coverageOf(covered)).toEqual({
      total: 20,
      mapped: 16,
      unmapped: 4,
      percent: 80,
      high: 12,
      medium: 3,
      low: 0,
    });
  });

  it('puts a confidence on the edge into the higher band (taxonomy T-18)', () => {
    const bands = (confidence: number) => {
      const { high, medium, low } = coverageOf(accounts(1, 'c', confidence));
      return [high, medium, low];
    };
    expect([0.9, 0.8999, 0.7, 0.6999].map(bands)).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
  });

  it('of no accounts is nothing, not an error (taxonomy M-16)', () => {
    expect(coverageOf([]).percent).toBe(0);
  });
});

describe('reaching a root', () => {
  it('goes up through sums of the own extensions and ends in circles (taxonomy M-17)', () => {
    const totals = new Map([
      ['own:a', ['own:b']],
      ['own:b', ['own:a', 'rs-gaap:AssetsCurrent']],
      ['own:c', ['own:c']],
    ]);
    const isReached = (qname: string) => qname === 'rs-gaap:AssetsCurrent';
    expect(leadsToRoot('own:a', totals, isReached)).toBe(true);
    expect(leadsToRoot('own:c', totals, isReached)).toBe(false);
    expect(leadsToRoot('rs-gaap:AssetsCurrent', totals, isReached)).toBe(true);
  });
});
