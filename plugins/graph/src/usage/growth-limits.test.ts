import { tierNumbers } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import { checkGrowth, requireGrowth, requireStorage } from './growth-limits.ts';

const tier = tierNumbers('ladybug-standard');
const stored = (gb: number) => ({ items: [], durableBytes: gb * 1024 ** 3, total_bytes: gb * 1024 ** 3 });

describe('the limits of a graph that grows', () => {
  it('allow what is within the tier, and warn from 80 % (graphs 5, L-5)', () => {
    const check = checkGrowth({ tier, storage: stored(1), rows: [{ table: 'Vessel', rows: 1_600_000 }] });
    expect(check).toMatchObject({
      allowed: true,
      warnings: ['The materialization has 1600000 of at most 2000000 rows.'],
      current_usage: { total_pending_rows: 1_600_000, total_storage_gb: 1, storage_usage_percentage: 5 },
    });
    expect(() => requireGrowth(check)).not.toThrow();
  });

  it('refuse rows beyond the limits of all tables and of one, and storage beyond the cap (graphs M-4)', () => {
    const check = checkGrowth({ tier, storage: stored(21), rows: [{ table: 'Vessel', rows: 5_000_001 }] });
    expect(check.errors).toEqual([
      'The materialization has 5000001 rows; the ladybug-standard tier allows 2000000.',
      'Table Vessel has 5000001 rows; the ladybug-standard tier allows 5000000.',
      expect.stringContaining('Storage limit exceeded. Current: 21 GB. Limit: 20 GB.'),
    ]);
    expect(() => requireGrowth(check)).toThrow(expect.objectContaining({ kind: 'too_large', code: 'LIMIT_EXCEEDED' }));
  });

  it('refuse a file that does not fit, and take the last one that does (graphs F-5, L-4)', () => {
    expect(() => requireStorage(stored(19), 1024 ** 3, tier)).not.toThrow();
    expect(() => requireStorage(stored(19), 1024 ** 3 + 1, tier)).toThrow(/Attempted upload: 1\.0{8}/);
  });
});
