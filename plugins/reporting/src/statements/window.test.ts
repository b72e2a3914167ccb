import { describe, expect, it } from 'vitest';
import { priorOf, windowOf } from './window.ts';

const none = { start: undefined, end: undefined, periodType: undefined, fiscalYear: undefined };

describe('the window of a statement', () => {
  it('uses the requested dates and defaults to the month (reporting V-2)', () => {
    expect(windowOf({ ...none, start: '2026-01-15', end: '2026-02-10' }, '2026-11-21', 1)).toEqual({
      start: '2026-01-15',
      end: '2026-02-10',
    });
    expect(windowOf({ ...none, end: '2026-02-10' }, '2026-11-21', 1)).toEqual({
      start: '2026-02-01',
      end: '2026-02-10',
    });
    expect(windowOf({ ...none, start: '2026-01-15' }, '2026-11-21', 1)).toEqual({
      start: '2026-01-15',
      end: '2026-11-30',
    });
    expect(windowOf(none, '2026-11-21', 1)).toEqual({ start: '2026-11-01', end: '2026-11-30' });
    expect(windowOf({ ...none, periodType: 'quarterly' }, '2026-11-21', 1)).toEqual({
      start: '2026-10-01',
      end: '2026-12-31',
    });
  });

  it('covers the fiscal year for any starting month (reporting V-2)', () => {
    expect(windowOf({ ...none, periodType: 'annual' }, '2026-11-21', 1)).toEqual({
      start: '2026-01-01',
      end: '2026-12-31',
    });
    expect(windowOf({ ...none, fiscalYear: 2025 }, '2026-11-21', 1)).toEqual({
      start: '2025-01-01',
      end: '2025-12-31',
    });
    expect(windowOf({ ...none, periodType: 'quarterly', fiscalYear: 2025 }, '2026-11-21', 1)).toEqual({
      start: '2026-10-01',
      end: '2026-12-31',
    });
    expect(windowOf({ ...none, periodType: 'annual' }, '2026-11-21', 7)).toEqual({
      start: '2026-07-01',
      end: '2027-06-30',
    });
    expect(windowOf({ ...none, fiscalYear: 2026 }, '2026-11-21', 7)).toEqual({
      start: '2025-07-01',
      end: '2026-06-30',
    });
  });

  it('is compared with the same number of preceding months or days (reporting S-33)', () => {
    expect(priorOf({ start: '2026-04-01', end: '2026-04-30' })).toEqual({ start: '2026-03-01', end: '2026-03-31' });
    expect(priorOf({ start: '2025-01-01', end: '2025-12-31' })).toEqual({ start: '2024-01-01', end: '2024-12-31' });
    expect(priorOf({ start: '2026-02-10', end: '2026-02-19' })).toEqual({ start: '2026-01-31', end: '2026-02-09' });
  });
});
