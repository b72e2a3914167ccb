import { fixedClock } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import { WriteLimit } from './write-limit.ts';

const gigabyte = 1024 ** 3;
const trial = { id: 'kg1_trial', parentId: 'kg1', tier: 'ladybug-standard' };

describe('the storage limit of writes to subgraphs', () => {
  it('is a tenth above that of the tier, and measured again after ten seconds (graphs L-20)', async () => {
    const clock = fixedClock('2026-03-02T10:00:00Z');
    const sizes = [22 * gigabyte, 22.1 * gigabyte];
    const measured: string[] = [];
    const limit = new WriteLimit({
      clock,
      measure: async (graphId) => {
        measured.push(graphId);
        return sizes[measured.length - 1] ?? 0;
      },
    });
    await limit.require(trial);
    clock.advance(9_000);
    await limit.require(trial);
    expect(measured).toEqual(['kg1']);
    clock.advance(2_000);
    await expect(limit.require(trial)).rejects.toMatchObject({ kind: 'too_large', code: 'LIMIT_EXCEEDED' });
    expect(measured).toEqual(['kg1', 'kg1']);
  });
});
